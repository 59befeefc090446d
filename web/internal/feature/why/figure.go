package why

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/kernel"
)

// figureDrawing is one of the four images of a comparison. Pointing at a part selects its strongest
// pair.
type figureDrawing int

const (
	figurePicture      figureDrawing = iota
	figurePictureBuilt               // from parts of the example
	figureExample
	figureExampleBuilt // from parts of the image
)

func (f figureDrawing) element(c *board) app.HTMLCanvas {
	return c.onPoint(app.Canvas().Role("img").Aria("label", c.Name).DataSet("figure", int(f)), func(m *kernel.Match, at browser.Point) (Pair, bool) {
		view, ofExample := f.view(m)
		i := partAt(spread(view.From, c.size), view.From, at)
		if i < 0 {
			return Pair{}, false
		}
		best := view.Best(i)
		if ofExample {
			return Pair{From: best, To: i}, best >= 0
		}
		return Pair{From: i, To: best}, best >= 0
	})
}

// view returns the match from the perspective of this image: From is its own side.
func (f figureDrawing) view(m *kernel.Match) (view *answer.Match, ofExample bool) {
	if f == figurePicture || f == figurePictureBuilt {
		return &m.Match, false
	}
	return m.Reverse(), true
}

func (f figureDrawing) draw(c *board, m *kernel.Match, why State) {
	view, ofExample := f.view(m)
	own, others, node := c.picture, c.example, why.Comparison.Pair.From
	if ofExample {
		own, others, node = c.example, c.picture, why.Comparison.Pair.To
	}
	box := spread(view.From, c.size)
	if f == figurePicture || f == figureExample {
		c.Picture(own, browser.Box{W: own.Width, H: own.Height}, box, 1)
	} else {
		c.build(view, others, box)
	}
	c.mark(partBox(box, view.From[node].Region), 3.5)
}

// build replaces every part by the best matching part of the other image, with the brightness of
// its weight. Overlapping parts add up.
func (c *board) build(view *answer.Match, others *browser.Image, box browser.Box) {
	c.Fill(box, "black", 1)
	whole := browser.Box{W: others.Width, H: others.Height}
	c.Adding(func() {
		for i, alpha := range exposure(view.From) {
			if best := view.Best(i); best >= 0 {
				c.Picture(others, partBox(whole, view.To[best].Region), partBox(box, view.From[i].Region), alpha)
			}
		}
	})
}
