// Package bfloat16 trains convolutions in mixed precision: activations and
// gradients are stored as bfloat16 (the upper half of a float32), products are
// summed in float32, and weights, their gradients and the statistics of batch
// normalisation stay float32, as Micikevicius et al., "Mixed Precision Training"
// (2018) do it.
//
// It exists for processors that multiply bfloat16 in hardware: whole blocks (Intel's
// AMX), some ten times as many products a second as their float32 units do, or pairs
// (AVX512_BF16, FEAT_BF16 of arm64), twice as many. Everything is laid out for the
// blocks; the generic kernels, which run anywhere, are the reference that the fast ones
// are tested against.
//
// # Layout
//
// A [Map] stores 32 channels of one pixel of one picture as a row of 64 bytes,
// rows of the same pixel of all pictures one after the other, and the pictures
// filled up to a multiple of 32, or of 16 where the hardware multiplies pairs. So a convolution reads whole blocks without
// copying anything, whatever the size of the map, and never multiplies by the
// zeros beyond its border: a tap that falls outside is left out.
//
// Sums over pixels and pictures are taken in an order that depends on the shape
// alone, so results are independent of the number of threads.
package bfloat16
