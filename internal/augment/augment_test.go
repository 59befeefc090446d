package augment

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
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
	seen, rows := map[uint8]bool{}, map[uint8]bool{}
	for range 200 {
		out := Policy{Pad: 0.125}.Apply(ramp(32, 32), 32, r)
		for y := 1; y < 32; y++ {
			if d := int(out.Pix[3*32*y+1]) - int(out.Pix[3*32*(y-1)+1]); d != 1 && d != -1 {
				t.Fatalf("rows jump by %d", d)
			}
		}
		rows[out.Pix[3*32*16+1]] = true
		for x := 1; x < 32; x++ {
			if d := int(out.Pix[3*x]) - int(out.Pix[3*(x-1)]); d != 1 && d != -1 {
				t.Fatalf("columns jump by %d", d)
			}
		}
		seen[out.Pix[3*16]] = true
	}
	if len(seen) != 9 || len(rows) != 9 {
		t.Errorf("the crop starts at %d and %d places a side, want 9", len(seen), len(rows))
	}
}

// Half of the images are mirrored.
func TestFlip(t *testing.T) {
	img, flipped := ramp(8, 8), 0
	for seed := range uint64(200) {
		switch out := (Policy{Flip: true}).Apply(img, 8, rand.New(rand.NewPCG(11, seed))); {
		case bytes.Equal(out.Pix, imaging.Orient(img, imaging.Mirrored).Pix):
			flipped++
		case !bytes.Equal(out.Pix, img.Pix):
			t.Fatal("the image is neither mirrored nor the same")
		}
	}
	if flipped < 70 || flipped > 130 {
		t.Errorf("%d of 200 images are mirrored", flipped)
	}
}

// Each color setting changes one property by a factor from 1 − x to 1 + x.
func TestColorsKeepToTheirFactor(t *testing.T) {
	img := &imaging.Image{Width: 2, Height: 1, Pix: []uint8{120, 100, 80, 60, 60, 60}}
	sum := func(p []uint8) float64 { return float64(p[0]) + float64(p[1]) + float64(p[2]) }
	for name, c := range map[string]struct {
		policy Policy
		of     func(p []uint8) float64
	}{
		"brightness": {Policy{Brightness: 0.5}, sum},
		"contrast":   {Policy{Contrast: 0.5}, func(p []uint8) float64 { return sum(p) - sum(p[3:]) }},
		"saturation": {Policy{Saturation: 0.5}, func(p []uint8) float64 { return float64(p[0]) - float64(p[2]) }},
	} {
		var factors []float64
		for seed := range uint64(200) {
			out := c.policy.Apply(&imaging.Image{Width: 2, Height: 2, Pix: slices.Repeat(img.Pix, 2)}, 2, rand.New(rand.NewPCG(12, seed)))
			factors = append(factors, c.of(out.Pix)/c.of(img.Pix))
		}
		if low, high := slices.Min(factors), slices.Max(factors); !(math.Abs(low-0.5) <= 0.05) || !(math.Abs(high-1.5) <= 0.05) {
			t.Errorf("%s: factors from %.2f to %.2f, want 0.5 to 1.5", name, low, high)
		}
	}
}

func TestResizedCropKeepsToItsShare(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	var areas, ratios []float64
	for range 300 {
		out := resizedCrop(ramp(60, 60), 0.5, 60, r)
		// The red gradient of a crop covers its columns, the green one its rows.
		size := func(channel int) float64 {
			lo, hi := 255, 0
			for i := channel; i < len(out.Pix); i += 3 {
				lo, hi = min(lo, int(out.Pix[i])), max(hi, int(out.Pix[i]))
			}
			return float64(hi - lo + 1)
		}
		areas, ratios = append(areas, size(0)*size(1)/3600), append(ratios, size(0)/size(1))
	}
	for _, c := range []struct {
		what      string
		values    []float64
		low, high float64
	}{{"share of the area", areas, 0.5, 1}, {"ratio of the sides", ratios, 3. / 4, 4. / 3}} {
		if low, high := slices.Min(c.values), slices.Max(c.values); !(math.Abs(low-c.low) <= 0.06) || !(math.Abs(high-c.high) <= 0.06) {
			t.Errorf("%s: %.2f to %.2f, want %.2f to %.2f", c.what, low, high, c.low, c.high)
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
	img, plain := scene(32, 32), Policy{Flip: true, Brightness: 0.2}
	changed := 0
	for seed := range uint64(400) {
		want := plain.Apply(img, 32, rand.New(rand.NewPCG(9, seed)))
		p := plain
		p.Disturb = 0.3
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
	if err := (Policy{Pad: 0.125, Disturb: 0.3}).Check(); err != nil {
		t.Error(err)
	}
	for want, p := range map[string]Policy{
		"min_area is 1.2":       {MinArea: 1.2},
		"pad is -1":             {Pad: -1},
		"set one of them to 0":  {Pad: 0.125, MinArea: 0.35},
		"disturb is NaN":        {Disturb: math.NaN()},
		"disturb_strength is 2": {DisturbStrength: 2},
	} {
		if err := p.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", p, err, want)
		}
	}
}
