package embed_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/tensor"
)

// tiles is an encoder with the mean colors of stride×stride tiles as nodes. Like a network it drops
// the remainder at the right and the bottom.
type tiles struct {
	stride  int
	batches []int // sizes of batches
	err     error
}

func (e *tiles) Meta() weights.Meta { return weights.Meta{} }

func (e *tiles) Forward(batch *tensor.Tensor) (*tensor.Tensor, error) {
	if e.err != nil {
		return nil, e.err
	}
	n, side := batch.Shape[0], batch.Shape[1]
	e.batches = append(e.batches, n)
	cells := side / e.stride
	out := tensor.New(n, cells, cells, 3)
	for i := range n {
		src, dst := batch.Row(i), out.Row(i)
		for y := range cells * e.stride {
			for x := range cells * e.stride {
				for c := range 3 {
					dst[(y/e.stride*cells+x/e.stride)*3+c] += src[(y*side+x)*3+c] / float32(e.stride*e.stride)
				}
			}
		}
	}
	return out, nil
}

var plain = [3]float32{1, 1, 1}

// gradient returns an image whose red increases to the right and green to the bottom.
func gradient(side int, blue uint8) *imaging.Image {
	img := &imaging.Image{Width: side, Height: side, Pix: make([]uint8, side*side*3)}
	for y := range side {
		for x := range side {
			copy(img.Pix[(y*side+x)*3:], []uint8{uint8(x), uint8(y), blue})
		}
	}
	return img
}

func TestFCNOrder(t *testing.T) {
	enc := &tiles{stride: 16}
	sets := require.Value(embed.Embed(embed.FCN{Pyramid: []int{2, 1}}, enc, imaging.Preprocess{Size: 84, Std: plain}, gradient(84, 51)))(t)
	set := sets[0]
	if set.N != 4+1+25 || set.C != 3 || len(set.Regions) != set.N {
		t.Fatalf("got %d nodes of %d channels with %d regions, want 30 of 3 with 30", set.N, set.C, len(set.Regions))
	}
	require.NoError(t, set.Check())
	for i, r := range set.Regions {
		center := (r.X0 + r.X1) / 2 * 84
		red := set.Node(i)[0]*255 + 0.5
		if d := center - red; !(d <= 1e-3) || d < -1e-3 {
			t.Errorf("node %d: region %v is centered at column %v, its pixels at %v", i, r, center, red)
		}
		if r.X0 < 0 || r.Y0 < 0 || r.X1 > 1 || r.Y1 > 1 || r.X0 >= r.X1 || r.Y0 >= r.Y1 {
			t.Errorf("node %d: region %v lies outside of the picture", i, r)
		}
	}
	const full, cell = 80. / 84, 16. / 84
	for i, want := range map[int]embed.Region{
		0:  {X0: 0, Y0: 0, X1: 3 * cell, Y1: 3 * cell},       // level 2 spans three of five positions
		3:  {X0: 2 * cell, Y0: 2 * cell, X1: full, Y1: full}, // and two of them overlap
		4:  {X0: 0, Y0: 0, X1: full, Y1: full},
		5:  {X0: 0, Y0: 0, X1: cell, Y1: cell},
		29: {X0: 4 * cell, Y0: 4 * cell, X1: full, Y1: full},
	} {
		if got := set.Regions[i]; got != want {
			t.Errorf("region of node %d: got %v, want %v", i, got, want)
		}
	}
}

// A network may pool its map of 112 pixels to 3×3: together they cover the whole picture.
func TestFCNPooled(t *testing.T) {
	sets := require.Value(embed.Embed(embed.FCN{}, &tiles{stride: 37}, imaging.Preprocess{Size: 112, Std: plain}, gradient(112, 0)))(t)
	for i, r := range sets[0].Regions {
		x, y := i%3, i/3
		if want := (embed.Region{X0: float32(x) / 3, Y0: float32(y) / 3, X1: float32(x+1) / 3, Y1: float32(y+1) / 3}); r != want {
			t.Errorf("region of node %d: got %v, want %v", i, r, want)
		}
	}
}

// dozens is an embed.Batcher.
type dozens struct{ *tiles }

func (dozens) Batch() int { return 12 }

func TestFCNBatches(t *testing.T) {
	var imgs []*imaging.Image
	for i := range 19 {
		imgs = append(imgs, gradient(32, uint8(i)))
	}
	few, more := &tiles{stride: 16}, &tiles{stride: 16}
	sets := require.Value(embed.Embed(embed.FCN{}, few, imaging.Preprocess{Size: 32, Std: plain}, imgs...))(t)
	sets = append(sets, require.Value(embed.Embed(embed.FCN{}, dozens{more}, imaging.Preprocess{Size: 32, Std: plain}, imgs...))(t)...)
	if got, want := slices.Concat(few.batches, more.batches), []int{8, 8, 3, 12, 7}; !slices.Equal(got, want) {
		t.Errorf("batches of %v images, want %v", got, want)
	}
	for i, set := range sets {
		if got, want := set.Node(0)[2], float32(i%len(imgs))/255; !(got-want <= 1e-6) || !(want-got <= 1e-6) {
			t.Errorf("set %d holds blue %v, want %v: sets out of order", i, got*255, i)
		}
	}
	if sets, err := embed.Embed(embed.FCN{}, few, imaging.Preprocess{Size: 32, Std: plain}); err != nil || len(sets) != 0 {
		t.Errorf("no image: got %d sets and error %v", len(sets), err)
	}
}

// Normalized input gives the same sets as the pictures.
func TestFCNInput(t *testing.T) {
	pre := imaging.Preprocess{Size: 32, Mean: [3]float32{0.5, 0.4, 0.3}, Std: [3]float32{0.2, 0.3, 0.4}}
	input := tensor.New(9, 32, 32, 3)
	var imgs []*imaging.Image
	for i := range 9 {
		imgs = append(imgs, gradient(32, uint8(20*i)))
		pre.Normalize(input.Row(i), imgs[i])
	}
	fcn, enc := embed.FCN{Pyramid: []int{1}}, &tiles{stride: 16}
	want := require.Value(embed.Embed(fcn, enc, pre, imgs...))(t)
	got := require.Value(fcn.EmbedInput(enc, input))(t)
	for i := range want {
		if !slices.Equal(got[i].Data, want[i].Data) || !slices.Equal(got[i].Regions, want[i].Regions) {
			t.Errorf("set %d differs", i)
		}
	}
	for want, refused := range map[string]struct {
		enc   *tiles
		input *tensor.Tensor
	}{
		"want [images side side 3]": {enc, tensor.New(2, 3, 32, 32)},
		"shape [2 32 16 3]":         {enc, tensor.New(2, 32, 16, 3)},
		"no memory":                 {&tiles{err: errors.New("no memory")}, input},
	} {
		if _, err := fcn.EmbedInput(refused.enc, refused.input); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one that says %q", err, want)
		}
	}
}

func TestFCNErrors(t *testing.T) {
	good := imaging.Preprocess{Size: 32, Std: plain}
	broken := errors.New("no memory")
	tests := []struct {
		name string
		fcn  embed.FCN
		pre  imaging.Preprocess
		enc  *tiles
		img  *imaging.Image
		want string
	}{
		{"no size", embed.FCN{}, imaging.Preprocess{Std: plain}, &tiles{stride: 16}, gradient(32, 0), "input size 0"},
		{"negative resize", embed.FCN{}, imaging.Preprocess{Size: 32, Resize: -1, Std: plain}, &tiles{stride: 16}, gradient(32, 0), "resize to -1"},
		{"no deviation", embed.FCN{}, imaging.Preprocess{Size: 32}, &tiles{stride: 16}, gradient(32, 0), "standard deviation"},
		{"no image", embed.FCN{}, good, &tiles{stride: 16}, nil, "image 0 has no pixels"},
		{"empty image", embed.FCN{}, good, &tiles{stride: 16}, &imaging.Image{}, "image 0 has no pixels"},
		{"network", embed.FCN{}, good, &tiles{err: broken}, gradient(32, 0), "no memory"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := embed.Embed(test.fcn, test.enc, test.pre, test.img)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got error %v, want one that says %q", err, test.want)
			}
		})
	}
}

func TestSetCheck(t *testing.T) {
	tests := []struct {
		name string
		set  *embed.Set
		ok   bool
	}{
		{"good", &embed.Set{N: 2, C: 3, Data: make([]float32, 6)}, true},
		{"with regions", &embed.Set{N: 2, C: 3, Data: make([]float32, 6), Regions: make([]embed.Region, 2)}, true},
		{"nil", nil, false},
		{"zero", &embed.Set{}, false},
		{"negative", &embed.Set{N: -2, C: -3, Data: make([]float32, 6)}, false},
		{"too few values", &embed.Set{N: 2, C: 3, Data: make([]float32, 5)}, false},
		{"a region short", &embed.Set{N: 2, C: 3, Data: make([]float32, 6), Regions: make([]embed.Region, 1)}, false},
	}
	for _, test := range tests {
		if err := test.set.Check(); (err == nil) != test.ok || err != nil && !errors.Is(err, embed.ErrSet) {
			t.Errorf("%s: got error %v", test.name, err)
		}
	}
}
