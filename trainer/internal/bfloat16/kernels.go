// Package bfloat16 trains convolutions in mixed precision, as in Micikevicius et al., "Mixed
// Precision Training" (2018). Activations and gradients are bfloat16 (the upper half of a float32).
// Products are summed in float32, and weights, their gradients and the statistics of batch
// normalization are float32.
//
// It is for processors with bfloat16 products: of blocks (Intel's AMX), about ten times as fast as
// float32, or of pairs (AVX512_BF16, FEAT_BF16 of arm64), twice as fast. The layout suits blocks.
// The generic kernels run anywhere and are the reference for testing the fast ones.
//
// # Layout
//
// A row of a [Map] has 32 channels of a pixel in 64 bytes. The rows of a pixel are
// consecutive for all images, padded to a multiple of 32 images, or of 16 for hardware that
// multiplies pairs. A convolution therefore reads whole blocks without copying, for any map size,
// and skips taps outside the map instead of multiplying by zeros.
//
// Sums over pixels and images have an order that depends only on the shape, so results do not
// depend on the number of threads.
package bfloat16

import "github.com/deepemd/deepemd/internal/kernel"

// Kernels are the inner loops for an instruction set. They are immutable and safe for concurrent
// use.
type Kernels struct {
	products *kernel.Set // multiplies blocks
	// emit rounds a block of sums to the rows of dst and clears the rows after the first valid
	// ones. It adds the channels and their squares to moments, unless nil.
	emit func(dst []uint32, c []float32, valid int, moments *moments)
	// emitThrough takes a block of sums back through a leaky ReLU with output y, rounds it to rows,
	// and adds the channels and their products with z to moments.
	emitThrough func(dst []uint32, c []float32, y, z []uint32, valid int, slope float32, moments *moments)
	// normalize computes leaky(z·p[0] + p[1]).
	normalize func(dst, z []uint32, p *[2]channels, slope float32)
	// join computes leaky(z·p[0] + s·p[1] + p[2]). dst may be z.
	join func(dst, z, s []uint32, p *[3]channels, slope float32)
	// pool is the largest of four.
	pool func(dst, a, b, c, d []uint32)
	// unpool gives g, taken back through the leaky ReLU before the pooling, to the first largest
	// pixel of sum, and zero to the others. It adds the gradient and its products with z and with s
	// to moments.
	unpool func(dst *[4][]uint32, g []uint32, sum, z, s *[4][]uint32, slope float32, moments *[3]channels)
	// interleave makes a block of B from 32 rows, or half of its terms from 16.
	interleave func(dst, src []uint32)
	// pairs rounds 32×32 weights, rows stride apart, to a block of B whose terms are the rows.
	pairs func(dst []uint32, src []float32, stride int)
	// spread writes a block of sums in the order of channels, rows stride apart.
	spread func(dst []float32, stride int, c []float32)
}

// Name is "amx", "avx512", "neon" or "generic".
func (k *Kernels) Name() string { return k.products.Name() }

// sums is the size of a block of sums: rows of 32, even channels before odd ones.
const sums = kernel.BlockSums

// channels are values of a block's channels, even ones before odd ones.
type channels [blockChannels]float32

// moments are sums of two values over rows.
type moments [2]channels

// split copies the channels of a block; missing ones are zero.
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

// Fast returns the kernels of this machine's hardware, and whether it has bfloat16 products.
func Fast() (*Kernels, bool) {
	best := kernel.Best()
	if fast == nil || !best.HasBFloat16() {
		return nil, false
	}
	k := *fast
	k.products = best
	return &k, true
}

// Generic returns the reference kernels: the same arithmetic without vectors.
func Generic() *Kernels {
	k := generic
	all := kernel.Available()
	k.products = all[len(all)-1]
	return &k
}
