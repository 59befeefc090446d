# Everything is built with one pinned toolchain and the SIMD experiment, whatever
# the machine's own defaults say.
export GOTOOLCHAIN := go1.27.4
export GOEXPERIMENT := simd
