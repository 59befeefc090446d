package why

import (
	"slices"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/ui"
)

// MatchCanvas draws the latest match: image and example, connected by the flow between their parts.
// A part at the pointer, or chosen with the arrow keys, shows only its own flow.
type MatchCanvas struct {
	app.Compo
	watching
	Why *Why

	canvas           *browser.Canvas
	picture, example *browser.Image
	size             browser.Box
}

// OnMount starts to follow the matches.
func (m *MatchCanvas) OnMount(ctx app.Context) {
	m.Watch(ctx, m.Why.K)
	m.canvas = canvasOf(ctx, &m.watching, m.Why, m.draw)
}

// canvasOf returns the canvas of a component that draws the explanation. It calls draw after every
// change, once the component is rendered, and after changes of the canvas's size.
func canvasOf(ctx app.Context, w *watching, why *Why, draw func()) *browser.Canvas {
	canvas := browser.NewCanvas(ctx.JSSrc(), draw)
	w.Also(canvas.Close)
	w.Also(why.Watch(func() { ctx.Defer(func(app.Context) { draw() }) }))
	return canvas
}

// Render shows the canvas.
func (m *MatchCanvas) Render() app.UI {
	return app.Canvas().ID("match").TabIndex(0).Role("img").
		Aria("label", m.Why.K.Texts().Why.Canvas).
		On("pointermove", m.pointed).On("pointerdown", m.pressed).On("pointerleave", m.left).
		OnKeyDown(m.key).OnBlur(m.blurred)
}

// draw draws the latest match.
func (m *MatchCanvas) draw() {
	w, h, shown := m.canvas.Begin()
	why := m.Why.State()
	m.size = browser.Box{W: w, H: h}
	if !shown || why.Match == nil {
		return
	}
	m.picture, m.example = browser.ImageOf(m.picture, why.Match.Seen), browser.ImageOf(m.example, why.Match.Example)
	left, right := squares(w, h)
	d := matchDrawing{canvas: m.canvas, percent: m.Why.K.Texts().Percent, match: why.Match, left: left, right: right}
	d.side(left, m.picture, why.Match.From, false, why)
	d.side(right, m.example, why.Match.To, true, why)
	switch {
	case why.Part != nil:
		d.follow(*why.Part)
	case why.Heat:
		m.canvas.Clip(browser.Box{X: left.W, W: right.X - left.W, H: h}, 0, d.flow)
	default:
		d.flow()
	}
}

// at returns the part at a pointer event.
func (m *MatchCanvas) at(e app.Event) *Part {
	match := m.Why.State().Match
	if match == nil {
		return nil
	}
	left, right := squares(m.size.W, m.size.H)
	at := browser.Point{X: e.Get("offsetX").Float(), Y: e.Get("offsetY").Float()}
	if i := partAt(left, match.From, at); i >= 0 {
		return &Part{Node: i}
	}
	if j := partAt(right, match.To, at); j >= 0 {
		return &Part{OfExample: true, Node: j}
	}
	return nil
}

func (m *MatchCanvas) point(part *Part) {
	if now := m.Why.State().Part; (now == nil) != (part == nil) || (now != nil && *now != *part) {
		m.Why.PointAt(part)
	}
}

func (m *MatchCanvas) pointed(_ app.Context, e app.Event) {
	if e.Get("pointerType").String() == "mouse" {
		m.point(m.at(e))
	}
}

// pressed points with a finger, until the same part or nothing is pressed.
func (m *MatchCanvas) pressed(_ app.Context, e app.Event) {
	if e.Get("pointerType").String() == "mouse" {
		return
	}
	part := m.at(e)
	if now := m.Why.State().Part; now != nil && part != nil && *now == *part {
		part = nil
	}
	m.point(part)
}

func (m *MatchCanvas) left(_ app.Context, e app.Event) {
	if e.Get("pointerType").String() == "mouse" {
		m.point(nil)
	}
}

func (m *MatchCanvas) blurred(app.Context, app.Event) { m.point(nil) }

// key moves between parts, and at the edge to the other image.
func (m *MatchCanvas) key(_ app.Context, e app.Event) {
	why := m.Why.State()
	if why.Match == nil {
		return
	}
	name := e.Get("key").String()
	if name == "Escape" {
		m.point(nil)
		return
	}
	direction, ok := ui.Arrows[name]
	if !ok {
		return
	}
	e.PreventDefault()
	if why.Part == nil {
		links := why.Match.Links(0)
		if len(links) > 0 {
			m.point(&Part{Node: links[0].From})
		}
		return
	}
	m.point(stepPart(&why.Match.Match, *why.Part, direction[0], direction[1]))
}

// stepPart returns the next part in the direction of an arrow key; at the edge next to the other
// image, the best match there.
func stepPart(e *answer.Match, from Part, dx, dy int) *Part {
	side, across := e.From, 1
	if from.OfExample {
		side, across = e.To, -1
		e = e.Reverse()
	}
	if next := nextPart(side, from.Node, dx, dy); next >= 0 {
		return &Part{OfExample: from.OfExample, Node: next}
	}
	if best := e.Best(from.Node); dx == across && best >= 0 {
		return &Part{OfExample: !from.OfExample, Node: best}
	}
	return &from
}

// matchDrawing draws a match between two boxes.
type matchDrawing struct {
	canvas      *browser.Canvas
	percent     func(share float64) string
	match       *kernel.Match
	left, right browser.Box
}

const (
	corner  = 10  // radius of the corners
	thick   = 10  // width of the strongest line
	dimmed  = .62 // darkness of parts unrelated to the chosen one
	trifle  = .002
	outline = "rgb(255 255 255)"
)

// side draws one of the two images.
func (d *matchDrawing) side(box browser.Box, img *browser.Image, side answer.Side, ofExample bool, why State) {
	if img == nil {
		return
	}
	whole := browser.Box{W: img.Width, H: img.Height}
	d.canvas.Clip(box, corner, func() {
		d.canvas.Picture(img, whole, box, 1)
		switch {
		case why.Part != nil:
			d.canvas.Fill(box, "black", dimmed)
			for i := range d.partners(*why.Part, ofExample) {
				b := partBox(box, side[i].Region)
				d.canvas.Picture(img, partBox(whole, side[i].Region), b, 1)
			}
			for i, share := range d.partners(*why.Part, ofExample) {
				d.canvas.Frame(partBox(box, side[i].Region), "", 1+2.5*share, .4+.6*share)
			}
		case why.Heat:
			const cells = 40
			shade := browser.Shade(heat(side, cells), cells, .82)
			d.canvas.Picture(shade, browser.Box{W: cells, H: cells}, box, 1)
		default:
			d.canvas.Fill(box, "black", .16)
		}
	})
}

// partners returns the visible nodes of a side while a part is chosen, with their fraction of its
// flow; the part itself has 1.
func (d *matchDrawing) partners(part Part, ofExample bool) map[int]float64 {
	if part.OfExample == ofExample {
		return map[int]float64{part.Node: 1}
	}
	shares := map[int]float64{}
	for _, share := range sharesOf(&d.match.Match, part) {
		shares[share.to] = share.of
	}
	return shares
}

// share is the fraction of a region's weight that flows to a region of the other image.
type share struct {
	to int
	of float64
}

// sharesOf returns the flow of a part, strongest first, without negligible ones.
func sharesOf(e *answer.Match, part Part) []share {
	if part.OfExample {
		e = e.Reverse()
	}
	var list []share
	for _, link := range e.Sends(part.Node, .005) {
		list = append(list, share{link.To, link.Flow / e.From[part.Node].Weight})
	}
	return list
}

// flow draws all lines, the strongest on top. Their width shows the flow, their brightness the
// weight of the image's part.
func (d *matchDrawing) flow() {
	links := d.match.Links(trifle)
	if len(links) == 0 {
		return
	}
	bright := d.match.From.Brightness()
	most := links[0].Flow
	for _, link := range slices.Backward(links) {
		from, to := d.ends(link.From, link.To)
		width, alpha := 1+(thick-1)*link.Flow/most, .2+.7*bright[link.From]
		d.canvas.Ribbon(from, to, "", width, 1.2+width/4, alpha)
	}
}

// follow draws the lines of one part.
func (d *matchDrawing) follow(part Part) {
	list := sharesOf(&d.match.Match, part)
	for _, s := range slices.Backward(list) {
		i, j := part.Node, s.to
		if part.OfExample {
			i, j = j, i
		}
		from, to := d.ends(i, j)
		d.canvas.Ribbon(from, to, outline, 4+thick*s.of, 0, .5)
		d.canvas.Ribbon(from, to, "", 2+thick*s.of, 0, 1)
	}
	for _, s := range slices.Backward(list) {
		box, side := d.right, d.match.To
		if part.OfExample {
			box, side = d.left, d.match.From
		}
		d.canvas.Label(partBox(box, side[s.to].Region).Center(), d.percent(s.of))
	}
}

// ends returns the centers of two regions.
func (d *matchDrawing) ends(from, to int) (a, b browser.Point) {
	return partBox(d.left, d.match.From[from].Region).Center(), partBox(d.right, d.match.To[to].Region).Center()
}
