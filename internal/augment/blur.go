package augment

import (
	"math"
	"math/rand/v2"

	"github.com/deepemd/deepemd/core/imaging"
)

const (
	motionLength = 0.15 // of the side, at full strength
	blurSigma    = 0.04 // of the side, at full strength
)

// motionBlur is the mean along a line in a random direction.
func motionBlur(img *imaging.Image, strength float64, r *rand.Rand) *imaging.Image {
	length := strength * motionLength * side(img)
	angle := math.Pi * r.Float64()
	steps := int(math.Ceil(2*length)) + 1 // two a pixel
	weights := map[[2]int]float64{}
	for i := range steps {
		at := (float64(i)+0.5)/float64(steps) - 0.5
		spread(weights, at*length*math.Cos(angle), at*length*math.Sin(angle))
	}
	return convolve(img, filter(weights))
}

// spread adds a weight of one at a place between pixels, bilinearly.
func spread(weights map[[2]int]float64, x, y float64) {
	fx, fy := math.Floor(x), math.Floor(y)
	for dy := range 2 {
		for dx := range 2 {
			w := math.Abs(1-float64(dx)-(x-fx)) * math.Abs(1-float64(dy)-(y-fy))
			weights[[2]int{int(fx) + dx, int(fy) + dy}] += w
		}
	}
}

// blur is a Gaussian, along the rows and then along the columns.
func blur(img *imaging.Image, strength float64, _ *rand.Rand) *imaging.Image {
	sigma := strength * blurSigma * side(img)
	along, down := map[[2]int]float64{}, map[[2]int]float64{}
	reach := int(math.Ceil(2.5 * sigma))
	for d := -reach; d <= reach; d++ {
		w := math.Exp(-float64(d*d) / (2 * sigma * sigma))
		along[[2]int{d, 0}], down[[2]int{0, d}] = w, w
	}
	return convolve(convolve(img, filter(along)), filter(down))
}
