package augment

import (
	"bytes"
	"cmp"
	"image/jpeg"
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/deepemd/deepemd/core/imaging"
)

// tap is the weight of a neighbor, as a share of unit.
type tap struct {
	dx, dy int
	weight int32
}

const unit = 1 << 16

func filter(weights map[[2]int]float64) []tap {
	places := slices.SortedFunc(maps.Keys(weights), func(a, b [2]int) int { return cmp.Or(a[1]-b[1], a[0]-b[0]) })
	var sum float64
	for _, p := range places {
		sum += weights[p]
	}
	var taps []tap
	heaviest, spent := 0, int32(0)
	for _, p := range places {
		n := int32(weights[p] / sum * unit)
		if n == 0 {
			continue
		}
		taps = append(taps, tap{p[0], p[1], n})
		spent += n
		if n > taps[heaviest].weight {
			heaviest = len(taps) - 1
		}
	}
	taps[heaviest].weight += unit - spent // compensates rounding: gray stays gray
	return taps
}

// convolve replaces each pixel by the weighted sum of its neighbors. The edges are repeated.
func convolve(img *imaging.Image, taps []tap) *imaging.Image {
	reach := 0
	for _, t := range taps {
		reach = max(reach, t.dx, -t.dx, t.dy, -t.dy)
	}
	repeated := func(i, n int) int { return min(max(i, 0), n-1) }
	padded := outside(img, -reach, -reach, img.Width+2*reach, img.Height+2*reach, repeated)
	out := &imaging.Image{Width: img.Width, Height: img.Height, Pix: make([]uint8, len(img.Pix))}
	sums := make([]int32, 3*img.Width)
	for y := range img.Height {
		for i := range sums {
			sums[i] = unit / 2
		}
		for _, t := range taps {
			from := padded.Pix[3*((y+reach+t.dy)*padded.Width+reach+t.dx):][:len(sums)]
			for i, v := range from {
				sums[i] += int32(v) * t.weight
			}
		}
		row := out.Pix[3*y*img.Width:][:len(sums)]
		for i, s := range sums {
			row[i] = uint8(s / unit)
		}
	}
	return out
}

const (
	motionLength = 0.15 // of the side, at full strength
	blurSigma    = 0.04 // of the side, at full strength
)

// motionBlur averages along a line in a random direction.
func motionBlur(img *imaging.Image, strength float64, r *rand.Rand) *imaging.Image {
	length := strength * motionLength * shorterSide(img)
	angle := math.Pi * r.Float64()
	steps := int(math.Ceil(2*length)) + 1
	weights := map[[2]int]float64{}
	for i := range steps {
		at := (float64(i)+0.5)/float64(steps) - 0.5
		splat(weights, at*length*math.Cos(angle), at*length*math.Sin(angle))
	}
	return convolve(img, filter(weights))
}

// splat adds a weight of one at a fractional position, bilinearly.
func splat(weights map[[2]int]float64, x, y float64) {
	fx, fy := math.Floor(x), math.Floor(y)
	for dy := range 2 {
		for dx := range 2 {
			w := math.Abs(1-float64(dx)-(x-fx)) * math.Abs(1-float64(dy)-(y-fy))
			weights[[2]int{int(fx) + dx, int(fy) + dy}] += w
		}
	}
}

func blur(img *imaging.Image, strength float64, _ *rand.Rand) *imaging.Image {
	sigma := strength * blurSigma * shorterSide(img)
	along, down := map[[2]int]float64{}, map[[2]int]float64{}
	reach := int(math.Ceil(2.5 * sigma))
	for d := -reach; d <= reach; d++ {
		w := math.Exp(-float64(d*d) / (2 * sigma * sigma))
		along[[2]int{d, 0}], down[[2]int{0, d}] = w, w
	}
	return convolve(convolve(img, filter(along)), filter(down))
}

const (
	bestQuality, worstQuality = 80., 10. // of JPEG
	fewPixels                 = 5        // scale factor − 1 at full strength
)

func compress(img *imaging.Image, strength float64, _ *rand.Rand) *imaging.Image {
	var file bytes.Buffer
	quality := int(math.Round(bestQuality * math.Pow(worstQuality/bestQuality, strength)))
	if err := jpeg.Encode(&file, img, &jpeg.Options{Quality: quality}); err != nil {
		panic("disturb: a picture in memory cannot be written as JPEG: " + err.Error())
	}
	out, err := imaging.Decode(file.Bytes())
	if err != nil {
		panic("disturb: a JPEG that was just written cannot be read: " + err.Error())
	}
	return out
}

func lowResolution(img *imaging.Image, strength float64, _ *rand.Rand) *imaging.Image {
	scaled := func(n int) int { return max(1, int(math.Round(float64(n)/(1+fewPixels*strength)))) }
	return imaging.Resize(imaging.Resize(img, scaled(img.Width), scaled(img.Height)), img.Width, img.Height)
}
