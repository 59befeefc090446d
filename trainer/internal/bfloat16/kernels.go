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

import "github.com/deepemd/deepemd/internal/kernel"

// Kernels are one implementation of what runs over rows. They are immutable and
// safe for concurrent use.
type Kernels struct {
	name string

	products *kernel.Set // multiplies blocks
	// emit rounds a block of sums to the rows of dst, of which those from valid on become
	// zero, and adds up the channels and their squares in moments, unless nil.
	emit func(dst []uint32, c []float32, valid int, moments *moments)
	// emitThrough carries a block of sums back through a leaky ReLU with output y,
	// rounds it to rows, and adds up the channels and their products with z.
	emitThrough func(dst []uint32, c []float32, y, z []uint32, valid int, slope float32, moments *moments)
	// normalize computes leaky(z·p[0] + p[1]).
	normalize func(dst, z []uint32, p *[2]channels, slope float32)
	// join computes leaky(z·p[0] + s·p[1] + p[2]).
	join func(dst, z, s []uint32, p *[3]channels, slope float32)
	// pool is the largest of four.
	pool func(dst, a, b, c, d []uint32)
	// unpool gives g to the first largest of the four of sum, carried back through
	// the leaky ReLU that sum came from, and zero to the others; and adds up what
	// it gave, its products with z, and with s.
	unpool func(dst *[4][]uint32, g []uint32, sum, z, s *[4][]uint32, slope float32, moments *[3]channels)
	// combine computes g·p[0] + z·p[1] + p[2]. dst may be g.
	combine func(dst, g, z []uint32, p *[3]channels)
	// interleave makes a block of B of 32 rows, or half of its terms of 16.
	interleave func(dst, src []uint32)
	// halves rounds 32×32 weights, rows stride apart: word j of row i of dst is the
	// pair of channels 2j and 2j+1.
	halves func(dst []uint32, src []float32, stride int)
	// pairs rounds 32×32 weights, rows stride apart, to a block of B whose
	// terms are the rows.
	pairs func(dst []uint32, src []float32, stride int)
	// spread writes a block of sums in the order of channels, rows stride apart.
	spread func(dst []float32, stride int, c []float32)
}

// Name is "amx", "avx512", "neon" or "generic".
func (k *Kernels) Name() string { return k.name }

// sums is the number of floats of a block of sums: rows of 32, first those of the
// even channels, then those of the odd ones.
const sums = kernel.BlockSums

// channels is a value for each of a block's channels: the even ones, then the
// odd ones.
type channels [blockChannels]float32

// moments are sums over rows of two values.
type moments [2]channels

// split takes the channels of a block from a slice of all, zero beyond its end.
func split(dst *channels, all []float32, block int) {
	all = all[min(block*blockChannels, len(all)):]
	for i := range dst {
		c := i%words*2 + i/words
		dst[i] = 0
		if c < len(all) {
			dst[i] = all[c]
		}
	}
}

// Fast returns the kernels of this machine's hardware, and whether it has any.
func Fast() (*Kernels, bool) {
	best := kernel.Best()
	if !vectorBuild || !best.HasBFloat16() {
		return nil, false
	}
	k := *fast
	k.name, k.products = best.Name(), best
	return &k, true
}

// Generic returns the reference: the same arithmetic anywhere, slowly.
func Generic() *Kernels {
	k := generic
	all := kernel.Available()
	k.products = all[len(all)-1]
	return &k
}
