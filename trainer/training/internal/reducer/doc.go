// Package reducer sums the gradients of ranks while they compute: weights whose gradients are
// finished go into buckets, which are summed in the background, one after the other, as in
// Li et al., "PyTorch Distributed: Experiences on Accelerating Data Parallel Training" (2020).
// Gradients may travel as bfloat16, at half the bytes, with error feedback.
package reducer
