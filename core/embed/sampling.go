package embed

import (
	"math"
	"math/rand/v2"

	"github.com/deepemd/deepemd/core/imaging"
)

// Bounds of random crops, from torchvision's RandomResizedCrop, as in the published method.
const (
	minArea   = 0.08   // fraction of the picture
	maxAspect = 4. / 3 // ratio of the longer side to the shorter
)

// Sampling is the embedder with random crops of DeepEMD, section 3.4: one node per crop of 8% to
// 100% of the area, with an aspect ratio from 3:4 to 4:3, mirrored with probability one half.
//
// The crops depend on the seed and the picture's pixels only. A picture therefore has the same
// nodes in any batch and on any machine, and different pictures have different crops.
type Sampling struct {
	cropper

	Patches int // crops per picture
	Seed    uint64
}

// Crops implements Embedder: the random crops of the view. The region of a mirrored crop is its
// place in the view.
func (s Sampling) Crops(pre imaging.Preprocess, view *imaging.Image) []Crop {
	r := rand.New(rand.NewPCG(s.Seed, fingerprint(view)))
	crops := make([]Crop, s.Patches)
	for i := range crops {
		crops[i] = cut(pre, view, randomRect(r, view.Width, view.Height))
		if r.Uint64()>>63 == 1 {
			crops[i].Picture = imaging.Orient(crops[i].Picture, imaging.Mirrored)
		}
	}
	return crops
}

// randomRect draws a rectangle of a picture of width×height pixels. Like torchvision it tries ten
// times, then takes the largest central rectangle with a valid aspect ratio.
//
// Explicit conversions prevent fused multiply-add, so all machines draw the same rectangle.
func randomRect(r *rand.Rand, width, height int) rect {
	area := float64(width * height)
	for range 10 {
		share := minArea + float64((1-minArea)*r.Float64())
		aspect := aspectOf(r.Float64())
		w := int(math.Round(math.Sqrt(area * share * aspect)))
		h := int(math.Round(math.Sqrt(area * share / aspect)))
		if w > 0 && h > 0 && w <= width && h <= height {
			x, y := r.IntN(width-w+1), r.IntN(height-h+1)
			return rect{x, y, x + w, y + h}
		}
	}
	w := max(1, min(width, int(math.Round(float64(height)*maxAspect))))
	h := max(1, min(height, int(math.Round(float64(width)*maxAspect))))
	x, y := (width-w)/2, (height-h)/2
	return rect{x, y, x + w, y + h}
}

// aspectOf returns an aspect ratio from 3:4 to 4:3, evenly distributed in its logarithm for u from
// 0 to 1: (4/3)^(2u−1). It sums the power series, because math.Exp differs between machines.
func aspectOf(u float64) float64 {
	const logAspect = 0.28768207245178092744 // ln 4/3
	x := (2*u - 1) * logAspect
	sum := 1.
	for k := 14; k > 0; k-- { // the 15th term is below 1e-20
		sum = 1 + float64(x*sum)/float64(k)
	}
	return sum
}

// fingerprint returns a hash of a picture (FNV-1a of the pixels and the width).
func fingerprint(img *imaging.Image) uint64 {
	const prime = 1099511628211
	h := uint64(14695981039346656037)
	for _, v := range img.Pix {
		h = (h ^ uint64(v)) * prime
	}
	return (h ^ uint64(img.Width)) * prime
}
