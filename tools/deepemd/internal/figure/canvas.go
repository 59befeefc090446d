// Package figure draws the match of two images like the figures of DeepEMD: each image rebuilt from
// the other's best-matching patches, the flow between nodes, and the nodes' weights.
//
// It draws an answer.Match: text, shapes, scaled patches and the layout of a page. It does no file
// I/O.
package figure

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"math/cmplx"
	"slices"
	"strings"
	"sync"

	"golang.org/x/image/draw"
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// rect is a rectangle in units of the page.
type rect struct{ x, y, w, h float64 }

type point struct{ x, y float64 }

// canvas is a page. Its unit is a pixel at scale 1.
type canvas struct {
	img   *image.RGBA
	scale float64
	faces map[style]font.Face // made for each page, because they are not safe for concurrent use
}

func newCanvas(width, height, scale float64) *canvas {
	img := image.NewRGBA(image.Rect(0, 0, int(math.Ceil(width*scale)), int(math.Ceil(height*scale))))
	draw.Draw(img, img.Rect, image.NewUniform(paper), image.Point{}, draw.Src)
	return &canvas{img: img, scale: scale, faces: map[style]font.Face{}}
}

// pixels returns a rectangle's nearest pixels.
func (c *canvas) pixels(r rect) image.Rectangle {
	at := func(v float64) int { return int(math.Round(v * c.scale)) }
	return image.Rect(at(r.x), at(r.y), at(r.x+r.w), at(r.y+r.h))
}

// fill fills a rectangle with rounded corners.
func (c *canvas) fill(r rect, radius float64, paint color.RGBA) {
	radius = min(radius, r.w/2, r.h/2)
	if radius <= 0 {
		draw.Draw(c.img, c.pixels(r), image.NewUniform(paint), image.Point{}, draw.Over)
		return
	}
	c.polygon(outline(r, radius), paint)
}

// outline returns the edge of a rectangle with rounded corners, clockwise.
func outline(r rect, radius float64) []point {
	const steps = 8
	var edge []point
	for corner, center := range []point{
		{r.x + r.w - radius, r.y + radius}, {r.x + r.w - radius, r.y + r.h - radius},
		{r.x + radius, r.y + r.h - radius}, {r.x + radius, r.y + radius},
	} {
		for k := range steps + 1 {
			sin, cos := math.Sincos(math.Pi / 2 * (float64(corner-1) + float64(k)/steps))
			edge = append(edge, point{center.x + radius*cos, center.y + radius*sin})
		}
	}
	return edge
}

func (c *canvas) disc(at point, radius float64, paint color.RGBA) {
	c.fill(rect{at.x - radius, at.y - radius, 2 * radius, 2 * radius}, radius, paint)
}

func (c *canvas) polygon(edge []point, paint color.RGBA) {
	low, high := point{math.Inf(1), math.Inf(1)}, point{math.Inf(-1), math.Inf(-1)}
	for _, p := range edge {
		low, high = point{min(low.x, p.x), min(low.y, p.y)}, point{max(high.x, p.x), max(high.y, p.y)}
	}
	s := c.scale
	bounds := image.Rect(int(low.x*s)-1, int(low.y*s)-1, int(high.x*s)+2, int(high.y*s)+2)
	ras := vector.NewRasterizer(bounds.Dx(), bounds.Dy())
	for i, p := range edge {
		x, y := float32(p.x*s-float64(bounds.Min.X)), float32(p.y*s-float64(bounds.Min.Y))
		if i == 0 {
			ras.MoveTo(x, y)
		} else {
			ras.LineTo(x, y)
		}
	}
	ras.ClosePath()
	ras.Draw(c.img, bounds, image.NewUniform(paint), image.Point{})
}

// curve draws a cubic Bézier curve. It bends upwards in proportion to its width, so that lines
// along a row of nodes do not coincide.
func (c *canvas) curve(from, to point, width float64, paint color.RGBA) {
	const steps = 48
	bend, bow := (to.x-from.x)*0.42, math.Abs(to.x-from.x)*0.055
	// Points are complex numbers: i is a turn to the side.
	p0, p3 := complex(from.x, from.y), complex(to.x, to.y)
	p1, p2 := p0+complex(bend, -bow), p3-complex(bend, bow)
	var left, right []point
	for k := range steps + 1 {
		t := complex(float64(k)/steps, 0)
		u := 1 - t
		at := u*u*u*p0 + 3*u*u*t*p1 + 3*u*t*t*p2 + t*t*t*p3
		along := 3*u*u*(p1-p0) + 6*u*t*(p2-p1) + 3*t*t*(p3-p2)
		side := along * complex(0, width/2/max(cmplx.Abs(along), 1e-9))
		left = append(left, point{real(at + side), imag(at + side)})
		right = append(right, point{real(at - side), imag(at - side)})
	}
	slices.Reverse(right)
	c.polygon(append(left, right...), paint)
}

func (c *canvas) picture(r rect, img image.Image) { c.scaled(c.pixels(r), img, img.Bounds()) }

// heading writes a line above a square.
func (c *canvas) heading(square rect, text string) {
	c.write(point{square.x, square.y - caption + 14}, 0, textStyle, ink, c.ellipsis(textStyle, text, square.w))
}

// captioned draws an image in the middle of a square below its name, and returns its place.
func (c *canvas) captioned(square rect, name string, img *image.RGBA) rect {
	c.heading(square, name)
	place := fit(square, img.Rect)
	c.picture(place, img)
	return place
}

// scaled draws a part of an image into a rectangle of pixels.
func (c *canvas) scaled(dst image.Rectangle, img image.Image, part image.Rectangle) {
	draw.CatmullRom.Scale(c.img, dst, img, part, draw.Over, nil)
}

// The colors of a page.
var (
	paper = color.RGBA{0x10, 0x13, 0x1a, 0xff} // background
	panel = color.RGBA{0x1b, 0x20, 0x2a, 0xff} // background of parts
	ink   = color.RGBA{0xf1, 0xf3, 0xf7, 0xff} // titles and numbers
	faint = color.RGBA{0x9a, 0xa4, 0xb5, 0xff} // explanations
	mark  = color.RGBA{0x6c, 0xb4, 0xff, 0xff} // the score, bars
)

// heatStops are the colors of weights from zero to the maximum, dark to bright, so that they are
// also distinct in gray.
var heatStops = [...][3]float64{{8, 6, 30}, {74, 18, 105}, {165, 44, 96}, {225, 80, 60}, {251, 155, 40}, {252, 253, 190}}

// heatColor returns the color of a share of the maximum, from 0 to 1.
func heatColor(share float64) color.RGBA {
	at := min(1, max(0, share)) * float64(len(heatStops)-1)
	k := min(int(at), len(heatStops)-2)
	mix := func(c int) uint8 {
		a, b := heatStops[k][c], heatStops[k+1][c]
		return uint8(math.Round(a + (b-a)*(at-float64(k))))
	}
	return color.RGBA{mix(0), mix(1), mix(2), 0xff}
}

// hue returns a color with the given hue in turns, with lightness 0.80 and chroma 0.14 of the OKLCH
// color space (Ottosson 2020): all hues are equally bright.
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

// encoded returns the sRGB value of a linear intensity from 0 to 1.
func encoded(light float64) uint8 {
	light = min(1, max(0, light))
	if light <= 0.0031308 {
		return uint8(math.Round(255 * 12.92 * light))
	}
	return uint8(math.Round(255 * (1.055*math.Pow(light, 1/2.4) - 0.055)))
}

// placeHue returns the color of a place in an image by its direction from the center, so that lines from
// neighboring places have similar colors.
func placeHue(x, y float64) color.RGBA { return hue(math.Atan2(y-0.5, x-0.5)/(2*math.Pi) + 0.08) }

// seeThrough returns a premultiplied color with the given opacity.
func seeThrough(c color.RGBA, opacity float64) color.RGBA {
	part := func(v uint8) uint8 { return uint8(math.Round(float64(v) * opacity)) }
	return color.RGBA{part(c.R), part(c.G), part(c.B), part(c.A)}
}

// margin is the space at the edges of a page, and gap the space between its parts.
const margin, gap = 32, 24

// header is the text above and below a page's content.
type header struct {
	title, subtitle string
	score           string // large, at the right
	note            string // explains the score
	footer          string // describes the method
}

// heightAbove returns the height above the content, with the given number of subtitle lines.
func heightAbove(lines int) float64 {
	return margin + 30 + float64(lines)*textStyle.size*leadOfStyles + 14
}

// heightBelow is the height of the footer.
const heightBelow = 20 + margin

// newPage returns a page with its header and footer, and the top of its content, which has the
// height content.
func newPage(h header, width, content, scale float64) (c *canvas, top float64) {
	measure := newCanvas(1, 1, scale)
	left := width - 2*margin - gap - max(measure.width(titleStyle, h.score), measure.width(smallStyle, h.note))
	lines := measure.wrapped(textStyle, h.subtitle, left)
	top = heightAbove(len(lines))
	c = newCanvas(width, top+content+heightBelow, scale)
	c.write(point{margin, margin + 20}, 0, titleStyle, ink, c.ellipsis(titleStyle, h.title, left))
	for i, line := range lines {
		c.write(point{margin, margin + 46 + float64(i)*textStyle.size*leadOfStyles}, 0, textStyle, faint, line)
	}
	c.write(point{width - margin, margin + 20}, 1, titleStyle, mark, h.score)
	c.write(point{width - margin, margin + 44}, 1, smallStyle, faint, h.note)
	c.write(point{margin, top + content + heightBelow - 22}, 0, smallStyle, faint, c.ellipsis(smallStyle, h.footer, width-2*margin))
	return c, top
}

// percent formats a share: 12%, 0.4%.
func percent(share float64) string {
	if share < 0.0995 && share > 0 {
		return fmt.Sprintf("%.1f%%", 100*share)
	}
	return fmt.Sprintf("%.0f%%", 100*share)
}

// style is the size of text in units of the page, and its weight.
type style struct {
	size float64
	bold bool
}

// The styles of a page.
var (
	titleStyle   = style{25, true}
	textStyle    = style{14, false}
	numberStyle  = style{13, true}
	smallStyle   = style{11.5, false}
	leadOfStyles = 1.4 // line height in sizes
)

// parsed are the fonts: regular and bold.
var parsed = sync.OnceValue(func() (parsed [2]*opentype.Font) {
	for i, raw := range [2][]byte{goregular.TTF, gobold.TTF} {
		var err error
		if parsed[i], err = opentype.Parse(raw); err != nil {
			panic("figure: the fonts that come with x/image do not parse: " + err.Error())
		}
	}
	return parsed
})

func (c *canvas) face(s style) font.Face {
	if face := c.faces[s]; face != nil {
		return face
	}
	which := 0
	if s.bold {
		which = 1
	}
	face, err := opentype.NewFace(parsed()[which], &opentype.FaceOptions{Size: s.size * c.scale, DPI: 72})
	if err != nil {
		panic("figure: " + err.Error())
	}
	c.faces[s] = face
	return face
}

// width returns the width of a line of text in units of the page.
func (c *canvas) width(s style, text string) float64 {
	return float64(font.MeasureString(c.face(s), text)) / 64 / c.scale
}

// write writes a line of text. at is a point of its baseline, and along the share of the width to
// the left of at: 0, 0.5 or 1.
func (c *canvas) write(at point, along float64, s style, paint color.RGBA, text string) {
	x := at.x - along*c.width(s, text)
	d := font.Drawer{Dst: c.img, Src: image.NewUniform(paint), Face: c.face(s)}
	d.Dot = fixed.Point26_6{X: fixed.Int26_6(x * c.scale * 64), Y: fixed.Int26_6(at.y * c.scale * 64)}
	d.DrawString(text)
}

// ellipsis cuts the beginning of a text that is wider than width, because file names differ at
// their end.
func (c *canvas) ellipsis(s style, text string, width float64) string {
	if c.width(s, text) <= width {
		return text
	}
	letters := []rune(text)
	for len(letters) > 1 && c.width(s, "…"+string(letters)) > width {
		letters = letters[1:]
	}
	return "…" + string(letters)
}

// wrapped breaks a text into lines of at most width. It shortens longer words.
func (c *canvas) wrapped(s style, text string, width float64) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		word = c.ellipsis(s, word, width)
		switch longer := line + " " + word; {
		case line == "":
			line = word
		case c.width(s, longer) <= width:
			line = longer
		default:
			lines, line = append(lines, line), word
		}
	}
	return append(lines, line)
}
