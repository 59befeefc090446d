package augment

import (
	"bytes"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/imaging"
)

// ramp returns an image whose red tells the column and green the row.
func ramp(w, h int) *imaging.Image {
	img := &imaging.Image{Width: w, Height: h, Pix: make([]uint8, w*h*3)}
	for i := range w * h {
		img.Pix[3*i], img.Pix[3*i+1], img.Pix[3*i+2] = uint8(i%w), uint8(i/w), 7
	}
	return img
}

func TestSameSeedSamePicture(t *testing.T) {
	p := Policy{MinArea: 0.3, Flip: true, Brightness: 0.4, Contrast: 0.4, Saturation: 0.4}
	img := ramp(64, 48)
	held := append([]uint8(nil), img.Pix...)
	a := p.Apply(img, 40, rand.New(rand.NewPCG(1, 2)))
	b := p.Apply(img, 40, rand.New(rand.NewPCG(1, 2)))
	c := p.Apply(img, 40, rand.New(rand.NewPCG(1, 3)))
	if a.Width != 40 || a.Height != 40 || !bytes.Equal(a.Pix, b.Pix) || bytes.Equal(a.Pix, c.Pix) {
		t.Error("the seed does not decide the picture")
	}
	if !bytes.Equal(img.Pix, held) {
		t.Error("the picture given was changed")
	}
	plain := Policy{}.Apply(ramp(32, 32), 32, rand.New(rand.NewPCG(1, 2)))
	if !bytes.Equal(plain.Pix, ramp(32, 32).Pix) {
		t.Error("no policy changes the picture")
	}
	if same := ramp(32, 32); (Policy{Flip: true}).Apply(same, 32, rand.New(rand.NewPCG(1, 2))) == same {
		t.Error("the picture given was returned")
	}
}

func TestTurn(t *testing.T) {
	img := ramp(4, 4)
	// A quarter-turn counter-clockwise: the right column becomes the top row.
	top := Rotate(img, 1).Pix[:12]
	for x := range 4 {
		if top[3*x] != 3 || int(top[3*x+1]) != x {
			t.Fatalf("top row after a quarter-turn: %v", top)
		}
	}
	if !bytes.Equal(Rotate(Rotate(img, 1), 3).Pix, img.Pix) || !bytes.Equal(Rotate(img, 4).Pix, img.Pix) || !bytes.Equal(Rotate(Rotate(img, 1), 1).Pix, Rotate(img, 2).Pix) {
		t.Error("quarter-turns do not add up")
	}
}

func TestPaddedCropReflects(t *testing.T) {
	for i, want := range map[int]int{-3: 3, -1: 1, 0: 0, 4: 4, 5: 3, 7: 1} {
		if got := mirror(i, 5); got != want {
			t.Errorf("mirror(%d, 5) = %d, want %d", i, got, want)
		}
	}
	r := rand.New(rand.NewPCG(3, 3))
	seen := map[uint8]bool{}
	for range 200 {
		out := paddedCrop(ramp(32, 32), 0.125, r)
		for x := 1; x < 32; x++ {
			if d := int(out.Pix[3*x]) - int(out.Pix[3*(x-1)]); d != 1 && d != -1 {
				t.Fatalf("columns jump by %d", d)
			}
		}
		seen[out.Pix[3*16]] = true
	}
	if len(seen) != 9 {
		t.Errorf("the crop starts at %d places a side, want 9", len(seen))
	}
}

func TestResizedCropKeepsToItsShare(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for range 300 {
		out := resizedCrop(ramp(60, 60), 0.5, 60, r)
		// The red gradient of a crop covers its columns.
		lo, hi := 255, 0
		for i := 0; i < len(out.Pix); i += 3 {
			lo, hi = min(lo, int(out.Pix[i])), max(hi, int(out.Pix[i]))
		}
		if w := hi - lo + 1; w < 34 || w > 60 {
			t.Fatalf("a crop of at least half the area is %d columns wide", w)
		}
	}
}

// TestColorsAgreeWithPillow pins a pixel pair against Pillow 9.4: an image of
// (200, 100, 50) and (10, 20, 30), each enhanced alone by 1.5.
func TestColorsAgreeWithPillow(t *testing.T) {
	start := []uint8{200, 100, 50, 10, 20, 30}
	cases := []struct {
		name string
		run  func(img *imaging.Image)
		want []uint8
	}{
		{"brightness", func(img *imaging.Image) { blendAll(img, 1.5, 0) }, []uint8{255, 150, 75, 15, 30, 45}},
		{"contrast", func(img *imaging.Image) {
			blendAll(img, 1.5, meanGray(img))
		}, []uint8{255, 114, 39, 0, 0, 9}},
		{"saturation", func(img *imaging.Image) {
			blendGray(img, 1.5)
		}, []uint8{238, 88, 13, 6, 21, 36}},
	}
	for _, c := range cases {
		img := &imaging.Image{Width: 2, Height: 1, Pix: append([]uint8(nil), start...)}
		c.run(img)
		if !bytes.Equal(img.Pix, c.want) {
			t.Errorf("%s: %v, Pillow says %v", c.name, img.Pix, c.want)
		}
	}
}

// TestDisturb: a share of images is disturbed, and without that setting every
// image is as it was before there was one.
func TestDisturb(t *testing.T) {
	img, plain := ramp(32, 32), Policy{Flip: true, Brightness: 0.2}
	changed := 0
	for seed := range uint64(400) {
		want := plain.Apply(img, 32, rand.New(rand.NewPCG(9, seed)))
		p := plain
		p.Disturb, p.Disturbances = 0.3, []string{"noise", "white-balance"}
		got := p.Apply(img, 32, rand.New(rand.NewPCG(9, seed)))
		if !bytes.Equal(got.Pix, p.Apply(img, 32, rand.New(rand.NewPCG(9, seed))).Pix) {
			t.Fatal("the seed does not decide the picture")
		}
		if !bytes.Equal(got.Pix, want.Pix) {
			changed++
		}
	}
	if changed < 85 || changed > 155 {
		t.Errorf("%d of 400 pictures were disturbed, want about 120", changed)
	}
	all := Policy{Disturb: 1, DisturbStrength: 0.5}
	for seed := range uint64(100) {
		if out := all.Apply(img, 32, rand.New(rand.NewPCG(10, seed))); out.Width != 32 || len(out.Pix) != len(img.Pix) {
			t.Fatalf("%d×%d", out.Width, out.Height)
		}
	}
}

func TestPolicyIsChecked(t *testing.T) {
	if err := (Policy{Pad: 0.125, MinArea: 1, Disturb: 0.3, Disturbances: []string{"blur"}}).Check(); err != nil {
		t.Error(err)
	}
	for want, p := range map[string]Policy{
		"min_area is 1.2":             {MinArea: 1.2},
		"pad is -1":                   {Pad: -1},
		"disturb is NaN":              {Disturb: math.NaN()},
		"disturb_strength is 2":       {DisturbStrength: 2},
		`unknown disturbance "quake"`: {Disturbances: []string{"noise", "quake"}},
	} {
		if err := p.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", p, err, want)
		}
	}
}
