// Package kernel holds the inner loops that inference and training spend their
// time in, once for each instruction set, behind one type: [Set].
//
// What is here: the matrix product, whose sums stay in registers, products of blocks of
// bfloat16, products of bytes, the transforms of Winograd's
// convolution, and the element-wise ends of a layer (bias, shortcut, activation,
// pooling). What is not: layers, shapes of networks, threads.
//
// The generic set, in plain Go, is the reference: it builds everywhere, and every
// other set is held to its results by the same tests. The matrix product is Go
// assembly (written by gemmasm for amd64, by neonasm for arm64, by hand for
// WebAssembly), since the compiler neither folds broadcasts from memory nor keeps
// this many sums in registers. The transforms are simd/archsimd and need GOEXPERIMENT=simd; built
// without it, the sets keep their assembly and use the generic transforms. A function that
// computes in vectors ends in [EndVectors], which says why.
//
// Channels are the innermost axis of everything and come in multiples of
// [Lanes], so no loop has a tail.
package kernel
