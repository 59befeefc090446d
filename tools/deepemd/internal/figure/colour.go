package figure

import (
	"image/color"
	"math"
)

// The colours of a page.
var (
	paper = color.RGBA{0x10, 0x13, 0x1a, 0xff} // behind everything
	panel = color.RGBA{0x1b, 0x20, 0x2a, 0xff} // behind parts
	ink   = color.RGBA{0xf1, 0xf3, 0xf7, 0xff} // titles and numbers
	faint = color.RGBA{0x9a, 0xa4, 0xb5, 0xff} // what explains them
	mark  = color.RGBA{0x6c, 0xb4, 0xff, 0xff} // the score, bars
)

// heatStops are the colours of weights, from none to the most, dark to bright so
// that they can be told apart in grey too.
var heatStops = [...][3]float64{{8, 6, 30}, {74, 18, 105}, {165, 44, 96}, {225, 80, 60}, {251, 155, 40}, {252, 253, 190}}

// heat is the colour of a share, 0 to 1, of the most there is.
func heat(share float64) color.RGBA {
	at := min(1, max(0, share)) * float64(len(heatStops)-1)
	k := min(int(at), len(heatStops)-2)
	mix := func(c int) uint8 {
		a, b := heatStops[k][c], heatStops[k+1][c]
		return uint8(math.Round(a + (b-a)*(at-float64(k))))
	}
	return color.RGBA{mix(0), mix(1), mix(2), 0xff}
}

// hue is a colour of so much of a turn around the colour circle, equally bright
// wherever it lies on it: lightness 0.80 and chroma 0.14 of the OKLCH colour space
// (Ottosson 2020).
func hue(turn float64) color.RGBA {
	const lightness, chroma = 0.80, 0.14
	sin, cos := math.Sincos(2 * math.Pi * turn)
	a, b := chroma*cos, chroma*sin
	cube := func(v float64) float64 { return v * v * v }
	l := cube(lightness + 0.3963377774*a + 0.2158037573*b)
	m := cube(lightness - 0.1055613458*a - 0.0638541728*b)
	s := cube(lightness - 0.0894841775*a - 1.2914855480*b)
	return color.RGBA{
		encoded(4.0767416621*l - 3.3077115913*m + 0.2309699292*s),
		encoded(-1.2684380046*l + 2.6097574011*m - 0.3413193965*s),
		encoded(-0.0041960863*l - 0.7034186147*m + 1.7076147010*s),
		0xff,
	}
}

// encoded is a linear amount of light, 0 to 1, as sRGB has it.
func encoded(light float64) uint8 {
	light = min(1, max(0, light))
	if light <= 0.0031308 {
		return uint8(math.Round(255 * 12.92 * light))
	}
	return uint8(math.Round(255 * (1.055*math.Pow(light, 1/2.4) - 0.055)))
}

// placeHue is the colour of a place in a picture, by the direction in which it
// lies from the centre, so that lines from neighbouring places look alike.
func placeHue(x, y float64) color.RGBA {
	return hue(math.Atan2(y-0.5, x-0.5)/(2*math.Pi) + 0.08)
}

// seeThrough is a colour of so much opacity, premultiplied.
func seeThrough(c color.RGBA, opacity float64) color.RGBA {
	part := func(v uint8) uint8 { return uint8(math.Round(float64(v) * opacity)) }
	return color.RGBA{part(c.R), part(c.G), part(c.B), part(c.A)}
}
