// Package augment varies training images at random: crops, flips, quarter-turns, colors, and the
// defects of webcams: blur, noise, bad light, compression, low resolution, small and off-center
// subjects. Training uses these disturbances, and evaluation measures robustness with them. The
// caller seeds the random generator, so results are reproducible. Package imaging crops and scales
// for inference.
package augment

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/deepemd/deepemd/core/imaging"
)

// Policy describes the variations of a training image. The zero value takes the largest central
// square.
type Policy struct {
	// Pad is for small images: it mirrors them at their edges by this share of their side (4 pixels
	// of 32 are 0.125) and cuts out a random square of the old size. 0 disables it. It excludes
	// MinArea.
	Pad float64 `toml:"pad"`
	// MinArea is the minimum share of the image in a random resized crop, whose sides have a ratio
	// from 3:4 to 4:3. 0 disables it.
	MinArea float64 `toml:"min_area"`
	// Flip mirrors half of the images.
	Flip bool `toml:"flip"`
	// Brightness, Contrast and Saturation change by a factor from 1 − x to 1 + x.
	Brightness float64 `toml:"brightness"`
	Contrast   float64 `toml:"contrast"`
	Saturation float64 `toml:"saturation"`
	// Disturb is the share of images with a webcam defect, one of [Disturbances] with a strength up
	// to DisturbStrength (0 means 1).
	Disturb         float64 `toml:"disturb"`
	DisturbStrength float64 `toml:"disturb_strength"`
}

// Check returns an error that names the first invalid setting.
func (p Policy) Check() error {
	for _, setting := range []struct {
		name  string
		value float64
	}{
		{"pad", p.Pad}, {"min_area", p.MinArea}, {"brightness", p.Brightness}, {"contrast", p.Contrast}, {"saturation", p.Saturation},
		{"disturb", p.Disturb}, {"disturb_strength", p.DisturbStrength},
	} {
		if !(setting.value >= 0 && setting.value <= 1) {
			return fmt.Errorf("augment: %s is %g, want 0 to 1", setting.name, setting.value)
		}
	}
	if p.Pad > 0 && p.MinArea > 0 {
		return fmt.Errorf("augment: pad is %g and min_area is %g, which exclude each other: set one of them to 0", p.Pad, p.MinArea)
	}
	return nil
}

// Apply returns a varied image of size×size pixels. The policy must be valid.
func (p Policy) Apply(img *imaging.Image, size int, r *rand.Rand) *imaging.Image {
	switch {
	case p.MinArea > 0:
		img = resizedCrop(img, p.MinArea, size, r)
	case p.Pad > 0:
		img = paddedCrop(img, p.Pad, r)
	}
	out := imaging.Preprocess{Size: size}.Pixels(img)
	if out == img {
		out = clone(img)
	}
	if p.Flip && r.IntN(2) == 1 {
		out = imaging.Orient(out, imaging.Mirrored)
	}
	p.colors(out, r)
	return p.disturbed(out, r)
}

func (p Policy) disturbed(img *imaging.Image, r *rand.Rand) *imaging.Image {
	if p.Disturb == 0 || r.Float64() >= p.Disturb {
		return img
	}
	return disturbances[r.IntN(len(disturbances))].Apply(img, cmp.Or(p.DisturbStrength, 1)*(1-r.Float64()), r)
}

// Rotate returns an image rotated counter-clockwise by quarter-turns: the image itself for none.
func Rotate(img *imaging.Image, quarters int) *imaging.Image {
	return imaging.Orient(img, [4]int{1, 8, 3, 6}[quarters&3]) // Exif orientations
}

// cropAspect is the maximum ratio of a crop's sides, as in torchvision's RandomResizedCrop.
const cropAspect = 4. / 3

// resizedCrop cuts out a rectangle with a random share of the area, at least minArea, and random
// proportions, and scales it to size×size, like torchvision's RandomResizedCrop.
func resizedCrop(img *imaging.Image, minArea float64, size int, r *rand.Rand) *imaging.Image {
	area := float64(img.Width * img.Height)
	for range 10 {
		share := minArea + (1-minArea)*r.Float64()
		aspect := math.Exp((2*r.Float64() - 1) * math.Log(cropAspect))
		w, h := int(math.Round(math.Sqrt(area*share*aspect))), int(math.Round(math.Sqrt(area*share/aspect)))
		if w > 0 && h > 0 && w <= img.Width && h <= img.Height {
			crop := imaging.Crop(img, r.IntN(img.Width-w+1), r.IntN(img.Height-h+1), w, h)
			return imaging.Resize(crop, size, size)
		}
	}
	return img
}

// paddedCrop cuts an image of the old size out of one that is mirrored at its edges by pad of its
// side.
func paddedCrop(img *imaging.Image, pad float64, r *rand.Rand) *imaging.Image {
	px, py := int(math.Round(pad*float64(img.Width))), int(math.Round(pad*float64(img.Height)))
	return outside(img, r.IntN(2*px+1)-px, r.IntN(2*py+1)-py, img.Width, img.Height, mirror)
}

// outside cuts out a rectangle that may reach outside the image: inside maps positions to those in 0…n−1.
func outside(img *imaging.Image, left, top, width, height int, inside func(i, n int) int) *imaging.Image {
	columns := make([]int, width)
	for x := range columns {
		columns[x] = 3 * inside(left+x, img.Width)
	}
	out := &imaging.Image{Width: width, Height: height, Pix: make([]uint8, 3*width*height)}
	for y := range height {
		from := img.Pix[3*inside(top+y, img.Height)*img.Width:][:3*img.Width]
		to := out.Pix[3*y*width:][:3*width]
		for x, c := range columns {
			copy(to[3*x:3*x+3], from[c:c+3])
		}
	}
	return out
}

// mirror maps positions outside 0…n−1 to their mirror image about the edge pixel, like NumPy's mode
// "reflect".
func mirror(i, n int) int {
	if n == 1 {
		return 0
	}
	period := 2 * (n - 1)
	i = ((i % period) + period) % period
	return min(i, period-i)
}

// smallest is the scale at full strength.
const smallest = 0.45

// offCenter shrinks an image and moves it to a random position. The surroundings are its mirror
// image or its mean color, with equal probability.
func offCenter(img *imaging.Image, strength float64, r *rand.Rand) *imaging.Image {
	scale := 1 - strength*(1-smallest)
	w := max(1, int(math.Round(scale*float64(img.Width))))
	h := max(1, int(math.Round(scale*float64(img.Height))))
	small := imaging.Resize(img, w, h)
	left, top := r.IntN(img.Width-w+1), r.IntN(img.Height-h+1)
	if r.IntN(2) == 0 {
		return outside(small, -left, -top, img.Width, img.Height, mirrored)
	}
	out := &imaging.Image{Width: img.Width, Height: img.Height, Pix: make([]uint8, len(img.Pix))}
	mean := meanColor(small)
	for i := 0; i+3 <= len(out.Pix); i += 3 {
		copy(out.Pix[i:i+3], mean[:])
	}
	for y := range h {
		copy(out.Pix[3*((top+y)*img.Width+left):], small.Pix[3*y*w:][:3*w])
	}
	return out
}

// mirrored maps positions outside 0…n−1 to their mirror image about the edge, repeating the edge
// pixel.
func mirrored(i, n int) int {
	i = ((i % (2 * n)) + 2*n) % (2 * n)
	return min(i, 2*n-1-i)
}

func meanColor(img *imaging.Image) [3]uint8 {
	var sums [3]int
	for i, v := range img.Pix {
		sums[i%3] += int(v)
	}
	n := len(img.Pix) / 3
	var mean [3]uint8
	for c, s := range sums {
		mean[c] = uint8((s + n/2) / n)
	}
	return mean
}
