package augment

import (
	"math"
	"math/rand/v2"

	"github.com/deepemd/deepemd/core/imaging"
)

const (
	noiseDeviation = 0.16 // of a white pixel, of full scale, at full strength
	readNoise      = 0.25 // the share of it that black pixels have too
	warmth         = 0.5  // logarithm of the gain of red, and of blue's inverse
	tint           = 0.15 // logarithm of the gain of green
	dimming        = 0.75 // share of the light that is gone
	darkGamma      = 0.5  // by how much the curve of dark pictures is steeper than 1
	darkNoise      = 0.04 // deviation, of full scale
)

// noise is a sensor's: photons come by chance, so that it grows with the root of
// what is seen, and reading adds some everywhere.
func noise(img *imaging.Image, strength float64, r *rand.Rand) *imaging.Image {
	out := clone(img)
	var deviation [256]float64
	for v := range deviation {
		deviation[v] = 255 * strength * noiseDeviation * math.Sqrt(readNoise*readNoise+(1-readNoise*readNoise)*float64(v)/255)
	}
	for i, v := range out.Pix {
		out.Pix[i] = level(float64(v) + deviation[v]*r.NormFloat64())
	}
	return out
}

// whiteBalance makes light warmer or colder, and a little green or purple.
func whiteBalance(img *imaging.Image, strength float64, r *rand.Rand) *imaging.Image {
	warm := strength * warmth * sign(r)
	green := strength * tint * (2*r.Float64() - 1)
	var tables [3][256]uint8
	for c, gain := range [3]float64{math.Exp(warm), math.Exp(green), math.Exp(-warm)} {
		for v := range tables[c] {
			tables[c][v] = level(gain * float64(v))
		}
	}
	out := clone(img)
	for i := 0; i+3 <= len(out.Pix); i += 3 {
		p := out.Pix[i : i+3 : i+3]
		p[0], p[1], p[2] = tables[0][p[0]], tables[1][p[1]], tables[2][p[2]]
	}
	return out
}

// lowLight takes light away, steepens the curve as cheap cameras do, and adds the
// noise that comes with amplifying what is left.
func lowLight(img *imaging.Image, strength float64, r *rand.Rand) *imaging.Image {
	var table [256]float64
	for v := range table {
		table[v] = 255 * (1 - dimming*strength) * math.Pow(float64(v)/255, 1+darkGamma*strength)
	}
	out := clone(img)
	for i, v := range out.Pix {
		out.Pix[i] = level(table[v] + 255*darkNoise*strength*r.NormFloat64())
	}
	return out
}
