package browser

import (
	"cmp"
	"math"
	"strconv"
	"time"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/kernel"
)

// Canvas draws on a canvas element, in CSS pixels.
type Canvas struct {
	element, context Value
	ink              string // the element's text color
	observer         Value
	redraw           Func
}

// NewCanvas returns the Canvas of an element. It calls redraw in the frame after every change of the
// element's size, until Close. Go code in the observer itself might change the page, and so the size
// again: WebKit reports an error then.
func NewCanvas(element app.Value, redraw func()) *Canvas {
	e := Of(element)
	c := &Canvas{element: e, context: e.Call("getContext", "2d")}
	c.redraw = Callback(func([]Value) { redraw() })
	c.observer = Window.Get("ResizeObserver").New(Window.Get("requestAnimationFrame").Call("bind", Window, c.redraw))
	c.observer.Call("observe", e)
	return c
}

// Close stops watching the size.
func (c *Canvas) Close() {
	c.observer.Call("disconnect")
	time.AfterFunc(time.Second, c.redraw.Release) // the next frame may still call it
}

// Begin clears the canvas and returns its size; shown is false if it is not visible.
func (c *Canvas) Begin() (w, h float64, shown bool) {
	w, h = c.element.Get("clientWidth").Float(), c.element.Get("clientHeight").Float()
	if w < 1 || h < 1 {
		return 0, 0, false
	}
	dots := Window.Get("devicePixelRatio").Float()
	for name, side := range map[string]float64{"width": w, "height": h} {
		if want := int(math.Round(side * dots)); c.element.Get(name).Int() != want {
			c.element.Set(name, want)
		}
	}
	c.context.Call("setTransform", dots, 0, 0, dots, 0, 0)
	c.context.Call("clearRect", 0, 0, w, h)
	c.context.Set("imageSmoothingQuality", "high")
	c.ink = Window.Call("getComputedStyle", c.element).Get("color").String()
	return w, h, true
}

// paint sets the opacity and a style, fillStyle or strokeStyle; "" is the element's text color.
func (c *Canvas) paint(style, color string, alpha float64) {
	c.context.Set("globalAlpha", alpha)
	c.context.Set(style, cmp.Or(color, c.ink))
}

// Clip clips draw to a box with round corners.
func (c *Canvas) Clip(b Box, radius float64, draw func()) {
	c.context.Call("save")
	c.context.Call("beginPath")
	c.context.Call("roundRect", b.X, b.Y, b.W, b.H, radius)
	c.context.Call("clip")
	draw()
	c.context.Call("restore")
}

// Picture draws a part of an image, in the image's pixels.
func (c *Canvas) Picture(img *Image, part, to Box, alpha float64) {
	c.context.Set("globalAlpha", alpha)
	c.context.Call("drawImage", img.canvas, part.X, part.Y, part.W, part.H, to.X, to.Y, to.W, to.H)
}

// Adding makes draw add light instead of covering.
func (c *Canvas) Adding(draw func()) {
	c.context.Set("globalCompositeOperation", "lighter")
	draw()
	c.context.Set("globalCompositeOperation", "source-over")
}

// Fill fills a box with a color; "" is the element's text color.
func (c *Canvas) Fill(b Box, color string, alpha float64) {
	c.paint("fillStyle", color, alpha)
	c.context.Call("fillRect", b.X, b.Y, b.W, b.H)
}

// Frame draws the border of a box, inside it.
func (c *Canvas) Frame(b Box, color string, width, alpha float64) {
	c.paint("strokeStyle", color, alpha)
	c.context.Set("lineWidth", width)
	c.context.Call("strokeRect", b.X+width/2, b.Y+width/2, b.W-width, b.H-width)
}

// Ribbon draws a band that leaves and reaches its points sideways: thin at its ends, so that it
// hides nothing there, of the given width between, with dots at both ends. It uses one path text,
// because calls into the browser are slow.
func (c *Canvas) Ribbon(from, to Point, color string, width, dots, alpha float64) {
	bend := (to.X - from.X) / 2
	tip := min(width, 1.2) / 2
	belly := tip + (width/2-tip)/.75 // a cubic's middle is three quarters of the way to its handles
	var p path
	p.add("M", from.X, from.Y-tip)
	p.add("C", from.X+bend, from.Y-belly, to.X-bend, to.Y-belly, to.X, to.Y-tip)
	p.add("V", to.Y+tip)
	p.add("C", to.X-bend, to.Y+belly, from.X+bend, from.Y+belly, from.X, from.Y+tip)
	for _, end := range []Point{from, to} {
		p.add("M", end.X-dots, end.Y)
		p.add("a", dots, dots, 0, 1, 1, 2*dots, 0)
		p.add("a", dots, dots, 0, 1, 1, -2*dots, 0)
	}
	c.paint("fillStyle", color, alpha)
	c.context.Call("fill", Window.Get("Path2D").New(string(p)))
}

type path []byte

func (p *path) add(command string, numbers ...float64) {
	*p = append(*p, command...)
	for i, n := range numbers {
		if i > 0 {
			*p = append(*p, ' ')
		}
		*p = strconv.AppendFloat(*p, n, 'f', 2, 64)
	}
}

// Label writes a short text on a dark background around a point.
func (c *Canvas) Label(at Point, text string) {
	c.paint("fillStyle", "rgb(12 16 22 / 82%)", 1)
	c.context.Set("font", "600 12px system-ui, sans-serif")
	c.context.Set("textAlign", "center")
	c.context.Set("textBaseline", "middle")
	w := c.context.Call("measureText", text).Get("width").Float() + 10
	c.context.Call("beginPath")
	c.context.Call("roundRect", at.X-w/2, at.Y-9, w, 18, 6)
	c.context.Call("fill")
	c.context.Set("fillStyle", "white")
	c.context.Call("fillText", text, at.X, at.Y+.5)
}

// Image is an image for a Canvas.
type Image struct {
	canvas        Value
	source        Value // the pixels that it was made of
	Width, Height float64
}

// ImageOf returns the image of pixels from deepemd.js; it returns old if that has the same pixels.
func ImageOf(old *Image, source kernel.Source) *Image {
	pixels := source.(Value)
	data := pixels.Get("data")
	if old != nil && old.source.Equal(data) {
		return old
	}
	rgb := make([]byte, data.Length())
	CopyBytesToGo(rgb, data)
	rgba := make([]byte, len(rgb)/3*4)
	for i := range len(rgb) / 3 {
		rgba[4*i], rgba[4*i+1], rgba[4*i+2], rgba[4*i+3] = rgb[3*i], rgb[3*i+1], rgb[3*i+2], 255
	}
	img := newImage(rgba, pixels.Get("width").Int())
	img.source = data
	return img
}

// Shade returns an image that darkens the image below: its values, row by row, go from 0 (the given
// black) to 1 (no change).
func Shade(values []float64, columns int, black float64) *Image {
	rgba := make([]byte, 4*len(values))
	for i, v := range values {
		rgba[4*i+3] = byte(255 * black * (1 - v))
	}
	return newImage(rgba, columns)
}

func newImage(rgba []byte, columns int) *Image {
	// An invisible canvas element: not every browser has OffscreenCanvas.
	canvas := Document.Call("createElement", "canvas")
	fill(canvas, rgba, columns)
	return &Image{canvas: canvas, Width: float64(columns), Height: float64(len(rgba) / 4 / columns)}
}

// Tint draws RGBA pixels on a canvas, which gets their size; nil clears it.
func Tint(canvas app.Value, rgba []byte, columns int) {
	c := Of(canvas)
	if rgba == nil {
		c.Set("width", c.Get("width"))
		return
	}
	fill(c, rgba, columns)
}

// fill draws RGBA pixels on a canvas, which gets their size.
func fill(canvas Value, rgba []byte, columns int) {
	for name, pixels := range map[string]int{"width": columns, "height": len(rgba) / 4 / columns} {
		if canvas.Get(name).Int() != pixels {
			canvas.Set(name, pixels)
		}
	}
	data := Window.Get("Uint8ClampedArray").New(len(rgba))
	CopyBytesToJS(data, rgba)
	canvas.Call("getContext", "2d").Call("putImageData", Window.Get("ImageData").New(data, columns), 0, 0)
}

// Roomy reports whether the window is wide enough to unfold panels at the start.
func Roomy() bool { return Window.Call("matchMedia", "(min-width: 860px)").Get("matches").Bool() }
