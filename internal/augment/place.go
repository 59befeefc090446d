package augment

import (
	"math"
	"math/rand/v2"

	"github.com/deepemd/deepemd/core/imaging"
)

// smallest is the share of the side that a picture shrinks to at full strength.
const smallest = 0.45

// offCentre makes a picture small and puts it anywhere; around it is its mirror
// image or its mean colour, one as likely as the other.
func offCentre(img *imaging.Image, strength float64, r *rand.Rand) *imaging.Image {
	scale := 1 - strength*(1-smallest)
	w := max(1, int(math.Round(scale*float64(img.Width))))
	h := max(1, int(math.Round(scale*float64(img.Height))))
	small := imaging.Resize(img, w, h)
	left, top := r.IntN(img.Width-w+1), r.IntN(img.Height-h+1)
	out := &imaging.Image{Width: img.Width, Height: img.Height, Pix: make([]uint8, len(img.Pix))}
	if r.IntN(2) == 0 {
		columns := make([]int, img.Width)
		for x := range columns {
			columns[x] = 3 * mirrored(x-left, w)
		}
		for y := range img.Height {
			from := small.Pix[3*mirrored(y-top, h)*w:][:3*w]
			to := out.Pix[3*y*img.Width:][:3*img.Width]
			for x, c := range columns {
				copy(to[3*x:3*x+3], from[c:c+3])
			}
		}
		return out
	}
	mean := meanColour(small)
	for i := 0; i+3 <= len(out.Pix); i += 3 {
		copy(out.Pix[i:i+3], mean[:])
	}
	for y := range h {
		copy(out.Pix[3*((top+y)*img.Width+left):], small.Pix[3*y*w:][:3*w])
	}
	return out
}

// mirrored maps a place outside 0…n−1 to its mirror image about the edge, whose
// pixel is repeated.
func mirrored(i, n int) int {
	i = ((i % (2 * n)) + 2*n) % (2 * n)
	return min(i, 2*n-1-i)
}

// meanColour is the mean of a picture's pixels, rounded.
func meanColour(img *imaging.Image) [3]uint8 {
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
