package backbone

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/resnettest"
	"github.com/deepemd/deepemd/trainer/internal/bfloat16"
)

// TestMix: in every layer the gradients of a blended batch are the slopes of the loss, a share
// of one blends nothing, and mixed precision blends alike.
func TestMix(t *testing.T) {
	const pictures, side = 5, 33
	r := rand.New(rand.NewPCG(2, 1))
	batch := resnettest.Pictures(pictures, side, 3)
	upstream := make([]float32, pictures*2*2*48)
	for i := range upstream {
		upstream[i] = float32(r.NormFloat64())
	}
	before := slices.Clone(batch.Data)
	for at := range MixLayers {
		mix := Mix{At: at, Share: 0.7, Partners: []int{2, 0, 1, 3, 4}}
		b := build(t, 2)
		loss := func() (sum float64) {
			for i, v := range b.ForwardMixed(batch, mix, nil).Tensor().Data {
				sum += float64(v) * float64(upstream[i])
			}
			return sum
		}
		blended := loss()
		b.Backward(upstream)
		isTheSlope(t, b.Params(), loss, 1e-3)
		plain := 0.0
		for i, v := range b.Forward(batch, nil).Tensor().Data {
			plain += float64(v) * float64(upstream[i])
		}
		mix.Share = 1
		if whole := loss(); whole != plain || blended == plain {
			t.Errorf("layer %d: blended %g, with a share of one %g, plain %g", at, blended, whole, plain)
		}
		mix.Share = 0.7
		want := slices.Clone(b.ForwardMixed(batch, mix, nil).Tensor().Data)
		b.Backward(upstream)
		for _, k := range mixed() {
			if at != 2 && k.Name() == bfloat16.Generic().Name() {
				continue // it is slow
			}
			half := require.Value(Plan{Widths: narrow}.Build(1, Options{Threads: 2, Mixed: k}))(t)
			got := half.ForwardMixed(batch, mix, nil).Tensor().Data
			half.Backward(upstream)
			if c := cosine(got, want); c < 0.9995 {
				t.Errorf("%s, layer %d: cosine of the features is %.5f", k.Name(), at, c)
			}
			for i, p := range b.Params() {
				if c := cosine(half.Params()[i].Grad, p.Grad); c < 0.8 {
					t.Errorf("%s, layer %d: %s: cosine of the gradients is %.5f", k.Name(), at, p.Name, c)
				}
			}
		}
	}
	if !slices.Equal(batch.Data, before) {
		t.Error("the pictures themselves were changed")
	}
}
