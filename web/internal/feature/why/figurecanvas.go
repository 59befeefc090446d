package why

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/kernel"
)

// figureKind is one of the four images of a comparison.
type figureKind int

const (
	figurePicture      figureKind = iota
	figurePictureBuilt            // from parts of the example
	figureExample
	figureExampleBuilt // from parts of the image
)

// FigureCanvas draws one of the four images. Pointing at a part selects its strongest pair.
type FigureCanvas struct {
	app.Compo
	watching
	Why    *Why
	Figure figureKind
	Label  string

	canvas      *browser.Canvas
	own, others *browser.Image
	size        browser.Box
}

// OnMount starts to follow the comparison.
func (f *FigureCanvas) OnMount(ctx app.Context) {
	f.canvas = canvasOf(ctx, &f.watching, f.Why, f.draw)
}

// Render shows the canvas.
func (f *FigureCanvas) Render() app.UI {
	return app.Canvas().Role("img").Aria("label", f.Label).DataSet("figure", int(f.Figure)).
		On("pointermove", f.pointed).On("pointerdown", f.pointed)
}

// view returns the match from the perspective of this image: From is its own side.
func (f *FigureCanvas) view(compared *Comparison) (e *answer.Match, own, others kernel.Source, node int) {
	m := compared.Match
	if f.Figure == figurePicture || f.Figure == figurePictureBuilt {
		return &m.Match, m.Seen, m.Example, compared.Pair.From
	}
	return m.Reverse(), m.Example, m.Seen, compared.Pair.To
}

// draw draws the image.
func (f *FigureCanvas) draw() {
	w, h, shown := f.canvas.Begin()
	compared := f.Why.State().Comparison
	if !shown || compared == nil {
		return
	}
	e, own, others, node := f.view(compared)
	box := spread(e.From, browser.Box{W: w, H: h})
	f.size = box
	f.own, f.others = browser.ImageOf(f.own, own), browser.ImageOf(f.others, others)
	if f.Figure == figurePicture || f.Figure == figureExample {
		f.canvas.Picture(f.own, browser.Box{W: f.own.Width, H: f.own.Height}, box, 1)
	} else {
		f.build(e, box)
	}
	part := partBox(box, e.From[node].Region)
	f.canvas.Frame(part, outline, 3.5, .9)
	f.canvas.Frame(part, "", 2, 1)
}

// build replaces every part by the best matching part of the other image, with the brightness of
// its weight. Overlapping parts add up.
func (f *FigureCanvas) build(e *answer.Match, box browser.Box) {
	f.canvas.Fill(box, "black", 1)
	whole := browser.Box{W: f.others.Width, H: f.others.Height}
	f.canvas.Adding(func() {
		for i, alpha := range exposure(e.From) {
			if best := e.Best(i); best >= 0 {
				f.canvas.Picture(f.others, partBox(whole, e.To[best].Region), partBox(box, e.From[i].Region), alpha)
			}
		}
	})
}

func (f *FigureCanvas) pointed(_ app.Context, e app.Event) {
	compared := f.Why.State().Comparison
	if compared == nil {
		return
	}
	view, _, _, _ := f.view(compared)
	i := partAt(f.size, view.From, browser.Point{X: e.Get("offsetX").Float(), Y: e.Get("offsetY").Float()})
	if i < 0 {
		return
	}
	best := view.Best(i)
	switch {
	case best < 0:
	case f.Figure == figurePicture || f.Figure == figurePictureBuilt:
		f.Why.PickPair(Pair{From: i, To: best})
	default:
		f.Why.PickPair(Pair{From: best, To: i})
	}
}
