package learn

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/internal/augment"
)

// ramp is a picture whose red says how far to the right a pixel lies, whose green how far
// down, and whose blue is a chessboard of single pixels.
func ramp(side int) *imaging.Image {
	img := &imaging.Image{Width: side, Height: side, Pix: make([]uint8, side*side*3)}
	for y := range side {
		for x := range side {
			p := img.Pix[(y*side+x)*3:]
			p[0], p[1], p[2] = uint8(255*x/side), uint8(255*y/side), uint8(255*((x+y)%2))
		}
	}
	return img
}

// spanned is which share of a ramp's sides an input of the network shows: from its
// middle half, since scaling bends the ramp at the edges.
func spanned(img *imaging.Image) (across, down float64) {
	at := func(x, y, c int) float64 { return float64(img.Pix[(y*img.Width+x)*3+c]) / 255 }
	from, to, n := img.Width/4, 3*img.Width/4, float64(img.Width)
	scale := n / float64(to-from)
	return scale * math.Abs(at(to, from, 0)-at(from, from, 0)), scale * (at(from, to, 1) - at(from, from, 1))
}

// Random crops of an episode are those of the authors' code, torchvision's
// RandomResizedCrop: from 8% of the picture's area to all of it, sides from 3:4 to 4:3,
// every second one mirrored, each cut from the picture as it came, not from what the
// network would take of the whole.
func TestRandomCropsOfTraining(t *testing.T) {
	s := settingsMeta()
	s.Embedder, s.Patches = "sampling", 9
	e := &Episodes{embedder: embed.Sampling{Patches: 9}, policy: augment.Policy{MinArea: 0.9, Pad: 0.2, Flip: true}, settings: s}
	r := rand.New(rand.NewPCG(1, 2))
	img := ramp(64)
	var sum, least, most float64 = 0, 1, 0
	var mirrored, fine, all int
	for range 100 {
		inputs := e.inputs(img, 32, r)
		if len(inputs) != 9 {
			t.Fatalf("%d inputs of a picture, want 9", len(inputs))
		}
		for _, in := range inputs {
			across, down := spanned(in)
			area, aspect := across*down, across/down
			// A side of 18 pixels spans some 70 of 255 steps: it is read to 3% or so.
			if aspect < 0.75*0.9 || aspect > 4./3/0.9 {
				t.Errorf("a crop of %.2f × %.2f of the sides", across, down)
			}
			sum, least, most = sum+area, min(least, area), max(most, area)
			all++
			if in.Pix[0] > in.Pix[31*3] {
				mirrored++
			}
			if across < 0.5 && down < 0.5 { // fewer pixels than the network takes
				var contrast float64
				for i := 2; i < len(in.Pix); i += 3 {
					contrast += math.Abs(float64(in.Pix[i])-127.5) / 127.5 / float64(len(in.Pix)/3)
				}
				if contrast < 0.1 {
					t.Errorf("a crop of %.2f × %.2f has lost the picture's detail: contrast %.3f", across, down, contrast)
				}
				fine++
			}
		}
	}
	if least < 0.06 || least > 0.12 || most < 0.85 || most > 1.1 {
		t.Errorf("crops have from %.2f to %.2f of the area, want from 0.08 to 1", least, most)
	}
	// The largest shares do not fit in every proportion, and are drawn again.
	if mean := sum / float64(all); mean < 0.44 || mean > 0.56 {
		t.Errorf("crops have %.3f of the area on average", mean)
	}
	if mirrored < all/2-all/10 || mirrored > all/2+all/10 || fine < 50 {
		t.Errorf("%d of %d crops are mirrored, %d small", mirrored, all, fine)
	}
}

// Few crops are for training, many for tests, and a grid has the paper's ratio there.
func TestValidationIsAsTestsGo(t *testing.T) {
	s := settingsMeta()
	s.Embedder, s.Patches, s.ValidationPatches = method.Sampling, 9, 25
	if train, test := s.Choice(), s.Validation(); train.Patches != 9 || test.Patches != 25 || test.Kind != method.Sampling {
		t.Errorf("taught with %v, validated with %v", train, test)
	}
	if s.ValidationPatches = 0; s.Validation().Patches != 9 {
		t.Errorf("validated with %v, want as many crops as in training", s.Validation())
	}
	s = settingsMeta()
	s.Embedder, s.Grid = method.Grid, []int{2, 3}
	if test := s.Validation().Complete(); test.Ratio != 2 || !slices.Equal(test.Grid, []int{2, 3}) {
		t.Errorf("validated with %v", test)
	}
}

// The ratio of crop to cell is drawn from 1 to 3 for each picture and grid, evenly. In a
// 2×2 grid the first crop reaches (1 + ratio)/4 of the side, and all of it from ratio 3.
func TestRatiosOfTraining(t *testing.T) {
	s := settingsMeta()
	e := &Episodes{embedder: embed.Grid{Levels: []int{2, 2}, Ratio: 2}, settings: s}
	r := rand.New(rand.NewPCG(3, 4))
	var sum, least, most float64 = 0, 9, 0
	const pictures = 300
	same := 0
	for range pictures {
		inputs := e.inputs(ramp(128), 32, r)
		if len(inputs) != 8 {
			t.Fatalf("%d inputs of a picture, want 8", len(inputs))
		}
		var ratios [2]float64
		for level := range 2 {
			across, down := spanned(inputs[4*level])
			if math.Abs(across-down) > 0.03 {
				t.Errorf("the first crop is %.2f × %.2f of the sides", across, down)
			}
			ratios[level] = 4*across - 1
			sum, least, most = sum+ratios[level], min(least, ratios[level]), max(most, ratios[level])
		}
		if math.Abs(ratios[0]-ratios[1]) < 0.01 {
			same++
		}
	}
	mean := sum / (2 * pictures)
	if least < 0.85 || least > 1.15 || most < 2.8 || most > 3.15 || math.Abs(mean-2) > 0.12 || same > pictures/10 {
		t.Errorf("ratios from %.2f to %.2f, %.2f on average, %d times the same for both grids", least, most, mean, same)
	}
}
