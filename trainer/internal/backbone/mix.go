package backbone

import (
	"math/rand/v2"
	"slices"

	"github.com/deepemd/deepemd/internal/nn"
	"github.com/deepemd/deepemd/internal/tensor"
	"github.com/deepemd/deepemd/trainer/internal/bfloat16"
)

// Mix blends each picture of a batch with a partner in one layer: manifold mixup (Verma et
// al., "Manifold Mixup: Better Representations by Interpolating Hidden States", 2019).
type Mix struct {
	// At is the number of blocks before the layer that is blended: 0 for the pictures
	// themselves, up to MixLayers − 1.
	At int
	// Share is the weight of a picture; its partner has the remaining weight.
	Share float32
	// Partners is a permutation of the pictures. A picture that is its own partner stays the same.
	Partners []int
}

// MixLayers is the number of layers that can be blended: the input, and the maps between the
// blocks.
const MixLayers = 4

// ForwardMixed is Forward with blended pictures. The next Backward goes back through the blend.
func (b *Network) ForwardMixed(batch *tensor.Tensor, mix Mix, noise *rand.Rand) *nn.Map {
	if mix.At == 0 {
		blended := tensor.Of(slices.Grow(b.blended[:0], len(batch.Data))[:len(batch.Data)], batch.Shape...)
		copy(blended.Data, batch.Data)
		b.blend(blended.Data, mix.Share, mix.Partners)
		b.blended = blended.Data
		return b.Forward(blended, noise)
	}
	b.mix = &mix
	return b.forward(batch, noise)
}

// mixes reports whether the output of the given number of blocks is blended.
func (b *Network) mixes(blocks int) bool { return b.mix != nil && b.mix.At == blocks }

// blend blends the values of each picture with the values of its partner.
func (b *Network) blend(values []float32, share float32, partners []int) {
	b.held = append(b.held[:0], values...)
	size := len(values) / len(partners)
	b.ctx.Split(len(partners), func(from, to int) {
		for i := from; i < to; i++ {
			partner := b.held[partners[i]*size:][:size]
			for k, v := range b.held[i*size:][:size] {
				values[i*size+k] = share*v + (1-share)*partner[k]
			}
		}
	})
}

// mixForward blends the output of the given number of blocks if Mix asks for it.
func (b *Network) mixForward(blocks int, x *nn.Map) {
	if b.mixes(blocks) {
		b.blend(x.Data, b.mix.Share, b.mix.Partners)
	}
}

// mixBackward takes a gradient back through mixForward. The gradient of a picture has two parts:
// one from its own blend, one from the blend that it is the partner in.
func (b *Network) mixBackward(blocks int, g *nn.Map) {
	if b.mixes(blocks) {
		b.blend(g.Data, b.mix.Share, inverse(b.mix.Partners))
	}
}

// mixHalf is mixForward in mixed precision, or mixBackward with back set.
func (b *Network) mixHalf(blocks int, m *bfloat16.Map, back bool) {
	if !b.mixes(blocks) {
		return
	}
	partners := b.mix.Partners
	if back {
		partners = inverse(partners)
	}
	m.Blend(&b.ctx, b.mix.Share, partners)
}

// inverse is the inverse of a permutation.
func inverse(permutation []int) []int {
	of := make([]int, len(permutation))
	for i, p := range permutation {
		of[p] = i
	}
	return of
}
