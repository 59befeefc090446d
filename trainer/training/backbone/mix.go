package backbone

import (
	"math/rand/v2"
	"slices"

	"github.com/deepemd/deepemd/internal/nn"
	"github.com/deepemd/deepemd/internal/tensor"
	"github.com/deepemd/deepemd/trainer/training/internal/bfloat16"
)

// Mix blends each picture of a batch with a partner in one layer: manifold mixup (Verma et
// al., "Manifold Mixup: Better Representations by Interpolating Hidden States", 2019).
type Mix struct {
	// At is the number of blocks before the layer that is blended: 0 for the pictures
	// themselves, up to MixLayers − 1.
	At int
	// Share is that of a picture; its partner has the rest.
	Share float32
	// Partners are a permutation of the pictures; one that is its own partner stays.
	Partners []int
}

// MixLayers is the number of layers that can be blended: the input, and the maps between the
// blocks.
const MixLayers = 4

// ForwardMixed is Forward of a batch that is blended; Backward then takes the gradient back
// through it.
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

// mixes reports whether the map behind so many blocks is blended.
func (b *Network) mixes(blocks int) bool { return b.mix != nil && b.mix.At == blocks }

// blend blends values of pictures, one after the other, with those of their partners.
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

// mixForward blends what leaves so many blocks, if it is to be.
func (b *Network) mixForward(blocks int, x *nn.Map) {
	if b.mixes(blocks) {
		b.blend(x.Data, b.mix.Share, b.mix.Partners)
	}
}

// mixBackward turns the gradient of what was blended behind so many blocks to that of what
// left them: a picture's comes from itself and from whose partner it is.
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
