package why

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/ui"
)

type watching = ui.Watching

// drawing draws a match on a canvas.
type drawing interface {
	// element returns the canvas element with its event handlers.
	element(c *board) app.HTMLCanvas
	draw(c *board, m *kernel.Match, why State)
}

// takesKeys is the role of canvases with arrow keys: screen readers keep the keys of an image to themselves.
const takesKeys = "application"

// canvas is embedded under this name: go-app copies exported fields on updates.
type canvas = browser.Canvas

// board draws the latest match, or with Closer the compared one, again after every change.
type board struct {
	app.Compo
	watching
	Why     *Why
	Drawing drawing
	Closer  bool
	Name    string // for assistive technology

	*canvas
	size             browser.Box
	picture, example *browser.Image
}

// Render shows the canvas.
func (c *board) Render() app.UI { return c.Drawing.element(c) }

// OnMount starts to follow the matches. It draws once the page is rendered.
func (c *board) OnMount(ctx app.Context) {
	c.canvas = browser.NewCanvas(ctx.JSSrc(), c.draw)
	c.Also(c.Close)
	c.Also(c.Why.Watch(func() { ctx.Defer(func(app.Context) { c.draw() }) }))
}

func (c *board) draw() {
	w, h, shown := c.Begin()
	why := c.Why.State()
	m := c.match(why)
	c.size = browser.Box{W: w, H: h}
	if !shown || m == nil {
		return
	}
	c.picture, c.example = browser.ImageOf(c.picture, m.Seen), browser.ImageOf(c.example, m.Example)
	c.Drawing.draw(c, m, why)
}

// match returns the match to draw, or nil.
func (c *board) match(why State) *kernel.Match {
	switch {
	case !c.Closer:
		return why.Match
	case why.Comparison != nil:
		return why.Comparison.Match
	}
	return nil
}

// mark draws a frame that is distinct on every picture.
func (c *board) mark(b browser.Box, width float64) {
	c.Frame(b, outline, width, .9)
	c.Frame(b, "", 2, 1)
}

// onPoint adds handlers that pick the pair at the pointer, if pair finds one.
func (c *board) onPoint(element app.HTMLCanvas, pair func(m *kernel.Match, at browser.Point) (Pair, bool)) app.HTMLCanvas {
	pick := func(_ app.Context, e app.Event) {
		if m := c.match(c.Why.State()); m != nil {
			if p, ok := pair(m, pointOf(e)); ok {
				c.Why.PickPair(p)
			}
		}
	}
	return element.On("pointermove", pick).On("pointerdown", pick)
}

// pointOf returns the place of a pointer event on its element.
func pointOf(e app.Event) browser.Point {
	return browser.Point{X: e.Get("offsetX").Float(), Y: e.Get("offsetY").Float()}
}
