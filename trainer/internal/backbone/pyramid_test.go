package backbone

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/tensor"
)

// oneMap is an encoder that returns the same map whatever it sees.
type oneMap struct{ *tensor.Tensor }

func (o oneMap) Forward(*tensor.Tensor) (*tensor.Tensor, error) { return o.Tensor, nil }
func (o oneMap) Meta() weights.Meta                             { return weights.Meta{} }

func TestPyramidIsThatOfInference(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for _, size := range [][2]int{{5, 5}, {4, 4}, {3, 5}, {2, 2}} {
		const c = 3
		h, w := size[0], size[1]
		fmap := tensor.New(1, h, w, c)
		for i := range fmap.Data {
			fmap.Data[i] = float32(r.NormFloat64())
		}
		p := Pyramid{2, 3, 1}
		sets := require.Value(embed.FCN{Pyramid: p}.Embed(oneMap{fmap}, imaging.Preprocess{Size: 8, Std: [3]float32{1, 1, 1}},
			&imaging.Image{Width: 8, Height: 8, Pix: make([]uint8, 8*8*3)}))(t)
		nodes := make([]float32, p.Nodes(h, w)*c)
		p.Forward(nodes, fmap.Data, h, w, c)
		if len(nodes) != len(sets[0].Data) {
			t.Fatalf("%d values of nodes, want %d", len(nodes), len(sets[0].Data))
		}
		upstream, weighted := make([]float32, len(nodes)), 0.0
		for i, v := range nodes {
			if math.Abs(float64(v-sets[0].Data[i])) > 1e-5 {
				t.Errorf("%d×%d: value %d is %g, inference has %g", h, w, i, v, sets[0].Data[i])
			}
			upstream[i] = float32(r.NormFloat64())
			weighted += float64(v) * float64(upstream[i])
		}
		// A linear map times its gradient is what it was weighted to.
		gradient, sum := make([]float32, h*w*c), 0.0
		p.Backward(gradient, upstream, h, w, c)
		for i, g := range gradient {
			sum += float64(g) * float64(fmap.Data[i])
		}
		if math.Abs(sum-weighted) > 1e-4 {
			t.Errorf("%d×%d: gradient times map is %g, want %g", h, w, sum, weighted)
		}
	}
}
