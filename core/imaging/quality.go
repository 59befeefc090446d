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
	// Sharpness is the variance of the picture's Laplacian divided by the variance of its
	// lightness, so contrast does not change it. It is 0 for a uniform picture.
	Sharpness float64
	// Print is a fingerprint: the lightness on a coarse grid, with mean 0 and length 1; zero for a
	// uniform picture.
	Print [grid * grid]float32
}

// grid is the side of a print.
const grid = 16

// uniformVariance is the variance that rounding causes in a uniform picture.
const uniformVariance = 1e-9

// Problem is a quality problem of a picture.
type Problem uint8

// The problems, worst first.
const (
	Good    Problem = iota
	Dark            // hardly anything is light
	Bright          // hardly anything is not white
	Blurred         // hardly any edges
)

// The limits of good pictures, which a test of trainer/evaluate checks: 0.3% of 600 photographs
// exceed one; in low light 90% are dark, out of focus 94% blurred.
const (
	tooDark   = 0.22
	tooBright = 0.80
	tooSoft   = 0.10
	// TooAlike is the value of Alike for nearly identical pictures.
	TooAlike = 0.985
)

// Measure measures the central square of a picture.
func Measure(img *Image) Measures {
	small := Preprocess{Size: measured}.Pixels(img)
	grey := make([]float64, measured*measured)
	for i := range grey {
		p := small.Pix[3*i:]
		grey[i] = (0.299*float64(p[0]) + 0.587*float64(p[1]) + 0.114*float64(p[2])) / 255
	}
	sorted := slices.Sorted(slices.Values(grey))
	tenth := len(sorted) / 10
	found := Measures{Darkest: sorted[tenth], Lightest: sorted[len(sorted)-1-tenth], Print: printOf(grey)}
	if contrast := variance(grey); contrast > uniformVariance {
		found.Sharpness = variance(laplacian(grey)) / contrast
	}
	return found
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

// Alike returns the correlation between the Prints, independent of brightness. It is 1 for the same
// picture and for two uniform ones.
func (m Measures) Alike(other Measures) float64 {
	var ab, aa, bb float64
	for i, v := range m.Print {
		w := other.Print[i]
		ab, aa, bb = ab+float64(v*w), aa+float64(v*v), bb+float64(w*w)
	}
	switch {
	case aa == 0 && bb == 0:
		return 1
	case aa == 0 || bb == 0:
		return 0
	}
	return ab
}

// laplacian returns the Laplacian of the inner pixels.
func laplacian(grey []float64) []float64 {
	var edges []float64
	for y := 1; y < measured-1; y++ {
		for x := 1; x < measured-1; x++ {
			at := y*measured + x
			edges = append(edges, 4*grey[at]-grey[at-1]-grey[at+1]-grey[at-measured]-grey[at+measured])
		}
	}
	return edges
}

func variance(values []float64) float64 {
	var sum, squares float64
	for _, v := range values {
		sum += v
	}
	mean := sum / float64(len(values))
	for _, v := range values {
		squares += (v - mean) * (v - mean)
	}
	return squares / float64(len(values))
}

// printOf averages over the grid's cells, then normalizes mean and length.
func printOf(grey []float64) (p [grid * grid]float32) {
	const cell = measured / grid
	var cells [grid * grid]float64
	var mean float64
	for i, v := range grey {
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
