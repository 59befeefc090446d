package evaluate_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/tensor"
	"github.com/deepemd/deepemd/trainer/evaluate"
)

// pixels is an encoder whose map is its input.
type pixels struct{}

func (pixels) Meta() weights.Meta { return weights.Meta{} }

func (pixels) Forward(batch *tensor.Tensor) (*tensor.Tensor, error) { return batch, nil }

// slope is a picture that grows lighter to the right.
func slope() *imaging.Image {
	img := &imaging.Image{Width: 16, Height: 16, Pix: make([]uint8, 16*16*3)}
	for i := range img.Pix {
		img.Pix[i] = uint8(16 * (i / 3 % 16))
	}
	return img
}

// Each view's map lies about the same place: a network that says what it sees gives the
// picture again, whether mirrored or, in the middle, cut at the corners.
func TestViews(t *testing.T) {
	pre := imaging.Preprocess{Size: 16, Std: [3]float32{1, 1, 1}}
	img := slope()
	before := slices.Clone(img.Pix)
	alone := require.Value(embed.FCN{Pyramid: []int{2}}.Embed(pixels{}, pre, img))(t)
	for _, test := range []struct {
		views string
		off   float64 // at most, in the middle of the picture
	}{{"plain", 0}, {"mirror", 0}, {"plain,mirror", 1e-6}, {"corners", 0.016}, {"mirror, closer", 0.016}} {
		views := require.Value(evaluate.ParseViews(test.views))(t)
		sets := require.Value(evaluate.Views{FCN: embed.FCN{Pyramid: []int{2}}, Of: views}.Embed(pixels{}, pre, img))(t)
		if sets[0].N != 4+256 || len(sets[0].Regions) != 4+256 {
			t.Fatalf("%s: %d nodes", test.views, sets[0].N)
		}
		for x := range 16 {
			at := 4 + 8*16 + x
			off := math.Abs(float64(sets[0].Node(at)[0] - alone[0].Node(at)[0]))
			if x >= 6 && x < 10 && off > test.off || off > 0.2 {
				t.Errorf("%s: place %d is off by %g", test.views, x, off)
			}
		}
	}
	if !slices.Equal(img.Pix, before) {
		t.Error("the picture itself was changed")
	}
	for text, want := range map[string]string{"": `view ""`, "sideways": `view "sideways"`, "plain,plain": "twice"} {
		if _, err := evaluate.ParseViews(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one that says %q", text, err, want)
		}
	}
}

// A joined set has the nodes of all, in their order.
func TestJoin(t *testing.T) {
	set := func(n int, first float32) *embed.Set {
		s := &embed.Set{N: n, C: 2, Data: make([]float32, 2*n)}
		for i := range s.Data {
			s.Data[i] = first + float32(i)
		}
		return s
	}
	joined := require.Value(evaluate.Join(evaluate.Features{"a": set(1, 0), "b": set(1, 5)}, evaluate.Features{"b": set(2, 20), "a": set(2, 10)}))(t)
	if a := joined["a"]; a.N != 3 || a.C != 2 || !slices.Equal(a.Data, []float32{0, 1, 10, 11, 12, 13}) || a.Check() != nil {
		t.Errorf("%+v", a)
	}
	if _, err := evaluate.Join(evaluate.Features{"a": set(1, 0)}, evaluate.Features{}); err == nil || !strings.Contains(err.Error(), "a: its features are missing") {
		t.Errorf("a picture that is missing: %v", err)
	}
	other := &embed.Set{N: 1, C: 3, Data: make([]float32, 3)}
	if _, err := evaluate.Join(evaluate.Features{"a": set(1, 0)}, evaluate.Features{"a": other}); err == nil || !strings.Contains(err.Error(), "2 and of 3 channels") {
		t.Errorf("another number of channels: %v", err)
	}
}
