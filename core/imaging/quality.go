package imaging

import (
	"math"
	"slices"
)

// measured is the side in pixels of the square for measuring quality, about that of a network's
// input. A picture that is blurred at full size can be sharp at this size.
const measured = 64

// Measures holds the measurements of a picture.
type Measures struct {
	// Darkest and Lightest are the 10% and 90% quantiles of lightness, 0 to 1.
	Darkest, Lightest float64
	// Sharpness is the steepness of the picture's sharp edges, 0 to 1: in each tile with any
	// contrast, the largest step between neighboring pixels divided by the range of lightness;
	// then the 90% quantile over the tiles. Plain backgrounds and smooth things do not lower it.
	// It is 0 for a picture without contrast.
	Sharpness float64
	// Print is a fingerprint: the lightness on a coarse grid, with mean 0 and length 1; zero for a
	// uniform picture.
	Print [grid * grid]float32
}

// grid is the side of a print.
const grid = 16

// tile is the side of the tiles of Measures.Sharpness. Tiles with a range of lightness up to flat
// have no contrast, only noise. If all are so, those with more than half the largest range count.
const (
	tile = 8
	flat = 0.1
)

// uniformVariance is the variance that rounding causes in a uniform picture.
const uniformVariance = 1e-9

// Problem is a quality problem of a picture.
type Problem uint8

// The problems, worst first.
const (
	Good    Problem = iota
	Dark            // hardly anything is light
	Bright          // hardly anything is not white
	Blurred         // no sharp edges
)

// The limits of good pictures, which a test of trainer/evaluate checks: 0.3% of 600 photographs
// exceed one; in low light 91% are dark, out of focus 95% blurred.
const (
	tooDark   = 0.22
	tooBright = 0.80
	tooSoft   = 0.5
)

// TooAlike is the least Correlation of nearly identical pictures.
const TooAlike = 0.985

// Measure measures the central square of a picture.
func Measure(img *Image) Measures {
	gray := lightness(img, measured)
	sorted := slices.Sorted(slices.Values(gray))
	tenth := len(sorted) / 10
	found := Measures{Darkest: sorted[tenth], Lightest: sorted[len(sorted)-1-tenth], Print: printOf(gray)}
	// Enlarging would soften the edges of a small picture.
	if side := min(measured, img.Width, img.Height); side < measured {
		found.Sharpness = sharpness(lightness(img, side), side)
	} else {
		found.Sharpness = sharpness(gray, side)
	}
	return found
}

// lightness returns the lightness, 0 to 1, of the central square scaled to a side.
func lightness(img *Image, side int) []float64 {
	small := Preprocess{Size: side}.Pixels(img)
	gray := make([]float64, side*side)
	for i := range gray {
		p := small.Pix[3*i:]
		gray[i] = (0.299*float64(p[0]) + 0.587*float64(p[1]) + 0.114*float64(p[2])) / 255
	}
	return gray
}

// Problem returns the worst problem of the picture, or Good.
func (m Measures) Problem() Problem {
	switch {
	case m.Lightest < tooDark:
		return Dark
	case m.Darkest > tooBright:
		return Bright
	case m.Sharpness < tooSoft:
		return Blurred
	}
	return Good
}

// Correlation returns the correlation between the Prints, independent of brightness. It is 1 for the same
// picture and for two uniform ones.
func (m Measures) Correlation(other Measures) float64 {
	var ab, aa, bb float64
	for i, v := range m.Print {
		w := other.Print[i]
		ab, aa, bb = ab+float64(v*w), aa+float64(v*v), bb+float64(w*w)
	}
	if aa == 0 && bb == 0 {
		return 1
	}
	return ab
}

// sharpness computes Measures.Sharpness.
func sharpness(gray []float64, side int) float64 {
	var ranges, steps []float64
	tile := min(tile, side)
	for top := 0; top+tile <= side; top += tile {
		for left := 0; left+tile <= side; left += tile {
			least, most, step := math.Inf(1), math.Inf(-1), 0.0
			for y := top; y < top+tile; y++ {
				for x := left; x < left+tile; x++ {
					v := gray[y*side+x]
					least, most = min(least, v), max(most, v)
					if x > left {
						step = max(step, math.Abs(v-gray[y*side+x-1]))
					}
					if y > top {
						step = max(step, math.Abs(v-gray[(y-1)*side+x]))
					}
				}
			}
			ranges, steps = append(ranges, most-least), append(steps, step)
		}
	}
	var steepest []float64
	least := min(flat, slices.Max(ranges)/2)
	for i, r := range ranges {
		if r > least {
			steepest = append(steepest, steps[i]/r)
		}
	}
	if len(steepest) == 0 {
		return 0
	}
	slices.Sort(steepest)
	return steepest[len(steepest)*9/10]
}

// Contrast returns the RMS contrast of img: the standard deviation of its values, 0 to 0.5, in the
// color channel where it is largest.
func (img *Image) Contrast() float64 {
	var sum, squares [3]float64
	for i := 0; i+3 <= len(img.Pix); i += 3 {
		for c, v := range img.Pix[i:][:3] {
			sum[c] += float64(v)
			squares[c] += float64(v) * float64(v)
		}
	}
	var largest float64
	n := float64(len(img.Pix) / 3)
	for c, s := range sum {
		largest = max(largest, squares[c]/n-s/n*s/n)
	}
	return math.Sqrt(largest) / 255
}

// printOf averages over the grid's cells, then normalizes mean and length.
func printOf(gray []float64) (p [grid * grid]float32) {
	const cell = measured / grid
	var cells [grid * grid]float64
	var mean float64
	for i, v := range gray {
		cells[i/measured/cell*grid+i%measured/cell] += v / (cell * cell)
		mean += v / (measured * measured)
	}
	var square float64
	for _, v := range cells {
		square += (v - mean) * (v - mean)
	}
	if square < uniformVariance {
		return p
	}
	for i, v := range cells {
		p[i] = float32((v - mean) / math.Sqrt(square))
	}
	return p
}
