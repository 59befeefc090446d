package imaging

import (
	"math"
	"sync"
)

// transform converts 8-bit RGB of a color space to sRGB, with at most two levels of difference from
// Chromium. It clips colors outside of sRGB channel by channel.
type transform struct {
	linear [3][256]float32 // by channel and level, 0 to 1
	matrix [3][3]float32   // from linear channels to linear sRGB
}

// newTransform returns a transform. The curves map levels to linear light; the columns of xyz are
// the primaries relative to D50.
func newTransform(curves [3]func(float64) float64, xyz matrix) *transform {
	t := new(transform)
	for c, curve := range curves {
		for v := range t.linear[c] {
			t.linear[c][v] = float32(min(max(curve(float64(v)/255), 0), 1))
		}
	}
	for i, row := range fromD50.times(xyz) {
		for j, v := range row {
			t.matrix[i][j] = float32(v)
		}
	}
	return t
}

// apply converts pixels, [n, 3], in place.
func (t *transform) apply(rgb []uint8) {
	levels, m := encoding(), &t.matrix
	for ; len(rgb) >= 3; rgb = rgb[3:] {
		r, g, b := t.linear[0][rgb[0]], t.linear[1][rgb[1]], t.linear[2][rgb[2]]
		for c := range m {
			light := m[c][0]*r + m[c][1]*g + m[c][2]*b
			rgb[c] = levels[int(min(max(light, 0), 1)*(steps-1)+0.5)]
		}
	}
}

// overWhite blends pixels, [n, 3], with a white background, in place. The opacity of pixel i is
// alpha[i·step].
func overWhite(rgb, alpha []uint8, step int) {
	for i := 0; 3*i < len(rgb); i++ {
		a := int(alpha[i*step])
		if a == 255 {
			continue
		}
		for c := 3 * i; c < 3*i+3; c++ {
			rgb[c] = uint8((int(rgb[c])*a + 255*(255-a) + 127) / 255)
		}
	}
}

// identity reports whether apply changes colors by at most one level: the space is sRGB with other
// rounding errors.
func (t *transform) identity() bool {
	const step = 15
	for r := 0; r < 256; r += step {
		for g := 0; g < 256; g += step {
			for b := 0; b < 256; b += step {
				was := [3]uint8{uint8(r), uint8(g), uint8(b)}
				is := was
				t.apply(is[:])
				for c := range is {
					if d := int(is[c]) - int(was[c]); d > 1 || d < -1 {
						return false
					}
				}
			}
		}
	}
	return true
}

// steps is the resolution of linear light. A level of sRGB covers at least five steps.
const steps = 1 << 14

// encoding maps steps of linear light to levels of sRGB (IEC 61966-2-1).
var encoding = sync.OnceValue(func() *[steps]uint8 {
	levels := new([steps]uint8)
	for i := range levels {
		light := float64(i) / (steps - 1)
		v := 12.92 * light
		if light > 0.0031308 {
			v = 1.055*math.Pow(light, 1/2.4) - 0.055
		}
		levels[i] = uint8(math.Round(255 * v))
	}
	return levels
})

type matrix [3][3]float64

// fromD50 converts XYZ relative to D50 to linear sRGB (the inverse of the sRGB profile's
// primaries).
var fromD50 = matrix{
	{3.1338561, -1.6168667, -0.4906146},
	{-0.9787684, 1.9161415, 0.0334540},
	{0.0719453, -0.2289914, 1.4052427},
}

func (a matrix) times(b matrix) (c matrix) {
	for i := range 3 {
		for j := range 3 {
			for k := range 3 {
				c[i][j] += a[i][k] * b[k][j]
			}
		}
	}
	return c
}

func (a matrix) of(v [3]float64) (w [3]float64) {
	for i := range 3 {
		for j := range 3 {
			w[i] += a[i][j] * v[j]
		}
	}
	return w
}

// inverse returns the inverse; elements of a singular matrix's are infinite or not numbers.
func (a matrix) inverse() (b matrix) {
	for i := range 3 {
		for j := range 3 { // the cofactor of a[j][i]
			p, q, r, s := (j+1)%3, (j+2)%3, (i+1)%3, (i+2)%3
			b[i][j] = a[p][r]*a[q][s] - a[p][s]*a[q][r]
		}
	}
	det := a[0][0]*b[0][0] + a[0][1]*b[1][0] + a[0][2]*b[2][0]
	for i := range 3 {
		for j := range 3 {
			b[i][j] /= det
		}
	}
	return b
}

// chromaticities holds the x and y of a space's white and of its red, green and blue.
type chromaticities [4][2]float64

var srgb = chromaticities{{0.3127, 0.3290}, {0.64, 0.33}, {0.30, 0.60}, {0.15, 0.06}}

// gammaSpace returns the transform of a space with linear light level^gamma and the given
// primaries, or nil if no colors have them.
func gammaSpace(gamma float64, of chromaticities) *transform {
	xyz, ok := of.xyz()
	if !ok {
		return nil
	}
	curve := func(v float64) float64 { return math.Pow(v, gamma) }
	return newTransform([3]func(float64) float64{curve, curve, curve}, xyz)
}

// bradford is the cone response of ICC's chromatic adaptation (ICC.1:2022, annex E).
var bradford = matrix{{0.8951, 0.2664, -0.1614}, {-0.7502, 1.7135, 0.0367}, {0.0389, -0.0685, 1.0296}}

// xyz returns the XYZ of the primaries in columns, adapted to D50. It reports false for collinear
// primaries and for ones without luminance, whose XYZ is not finite, or large by rounding.
func (c chromaticities) xyz() (_ matrix, ok bool) {
	white, red, green, blue := light(c[0]), light(c[1]), light(c[2]), light(c[3])
	m := matrix{{red[0], green[0], blue[0]}, {red[1], green[1], blue[1]}, {red[2], green[2], blue[2]}}
	for j, share := range m.inverse().of(white) {
		for i := range 3 {
			m[i][j] *= share
		}
	}
	from, to := bradford.of(white), bradford.of([3]float64{0.9642, 1, 0.8249})
	adapt := matrix{}
	for i := range 3 {
		adapt[i][i] = to[i] / from[i]
	}
	m = bradford.inverse().times(adapt).times(bradford).times(m)
	const most = 100 // real spaces have about 1
	for _, row := range m {
		for _, v := range row {
			if !(math.Abs(v) < most) {
				return m, false
			}
		}
	}
	return m, true
}

// light returns the XYZ of a chromaticity with Y = 1.
func light(xy [2]float64) [3]float64 {
	return [3]float64{xy[0] / xy[1], 1, (1 - xy[0] - xy[1]) / xy[1]}
}
