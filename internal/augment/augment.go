package augment

import (
	"fmt"
	"math/rand/v2"

	"github.com/deepemd/deepemd/core/imaging"
)

// Policy says how a training picture is varied. The zero value takes the largest
// central square.
type Policy struct {
	// Pad is for small pictures: they are mirrored at their edges by this share of
	// their side (4 pixels of 32 are 0.125) and a square of the old size is cut out
	// anywhere. 0 leaves it out.
	Pad float64 `toml:"pad"`
	// MinArea is the smallest share of the picture that a random resized crop
	// takes; the crop's sides are in a ratio from 3:4 to 4:3. 0 leaves it out.
	MinArea float64 `toml:"min_area"`
	// Flip mirrors every second picture.
	Flip bool `toml:"flip"`
	// Brightness, Contrast and Saturation change by a factor from 1 − x to 1 + x.
	Brightness float64 `toml:"brightness"`
	Contrast   float64 `toml:"contrast"`
	Saturation float64 `toml:"saturation"`
	// Disturb is the share of pictures that are spoilt as by a webcam, by one of the
	// Disturbances (all kinds for none named) of a strength up to DisturbStrength
	// (0 for full strength); see [Disturbances].
	Disturb         float64  `toml:"disturb"`
	DisturbStrength float64  `toml:"disturb_strength"`
	Disturbances    []string `toml:"disturbances"`
}

// Check returns an error that names the first setting that makes no sense.
func (p Policy) Check() error {
	for _, setting := range []struct {
		name  string
		value float64
	}{
		{"pad", p.Pad}, {"min_area", p.MinArea}, {"brightness", p.Brightness}, {"contrast", p.Contrast}, {"saturation", p.Saturation},
		{"disturb", p.Disturb}, {"disturb_strength", p.DisturbStrength},
	} {
		if !(setting.value >= 0 && setting.value <= 1) {
			return fmt.Errorf("augment: %s is %g, want it from 0 to 1", setting.name, setting.value)
		}
	}
	for _, name := range p.Disturbances {
		if _, err := ParseDisturbance(name); err != nil {
			return fmt.Errorf("augment: %w", err)
		}
	}
	return nil
}

// Apply returns a varied picture of size×size pixels. The policy is one that Check
// approves of.
func (p Policy) Apply(img *imaging.Image, size int, r *rand.Rand) *imaging.Image {
	switch {
	case p.MinArea > 0:
		img = resizedCrop(img, p.MinArea, size, r)
	case p.Pad > 0:
		img = paddedCrop(img, p.Pad, r)
	}
	out := imaging.Preprocess{Size: size}.Pixels(img)
	if out == img {
		out = &imaging.Image{Width: img.Width, Height: img.Height, Pix: append([]uint8(nil), img.Pix...)}
	}
	if p.Flip && r.IntN(2) == 1 {
		Flip(out)
	}
	p.colours(out, r)
	return p.disturbed(out, r)
}

// disturbed spoils some pictures.
func (p Policy) disturbed(img *imaging.Image, r *rand.Rand) *imaging.Image {
	if p.Disturb == 0 || r.Float64() >= p.Disturb {
		return img
	}
	names := p.Disturbances
	if len(names) == 0 {
		names = DisturbanceNames()
	}
	kind, err := ParseDisturbance(names[r.IntN(len(names))])
	if err != nil {
		panic("augment: a policy that was not checked: " + err.Error())
	}
	strength := p.DisturbStrength
	if strength == 0 {
		strength = 1
	}
	return kind.Apply(img, strength*(1-r.Float64()), r)
}

// Turn returns a square picture turned counter-clockwise by quarter-turns.
func Turn(img *imaging.Image, quarters int) *imaging.Image {
	n := img.Width
	out := &imaging.Image{Width: n, Height: n, Pix: make([]uint8, len(img.Pix))}
	for y := range n {
		for x := range n {
			sx, sy := x, y
			for range quarters & 3 {
				sx, sy = n-1-sy, sx
			}
			copy(out.Pix[(y*n+x)*3:][:3], img.Pix[(sy*n+sx)*3:])
		}
	}
	return out
}

// Flip mirrors a picture left to right, in place.
func Flip(img *imaging.Image) {
	for y := range img.Height {
		row := img.Pix[y*img.Width*3:][:img.Width*3]
		for a, b := 0, len(row)-3; a < b; a, b = a+3, b-3 {
			for c := range 3 {
				row[a+c], row[b+c] = row[b+c], row[a+c]
			}
		}
	}
}
