package why

import (
	"slices"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/ui"
)

// matchDrawing draws the latest match: image and example, connected by the flow between their parts.
// A part at the pointer, or chosen with the arrow keys, shows only its own flow.
type matchDrawing struct{}

func (matchDrawing) element(c *board) app.HTMLCanvas {
	nothing := func(app.Context, app.Event) { c.point(nil) }
	return app.Canvas().ID("match").TabIndex(0).Role(takesKeys).Aria("label", c.Name).
		On("pointermove", c.pointed).On("pointerdown", c.pressed).On("pointerleave", c.left).
		OnKeyDown(c.key).OnBlur(nothing)
}

func (matchDrawing) draw(c *board, m *kernel.Match, why State) {
	left, right := squares(c.size.W, c.size.H)
	d := drawnMatch{c, m, left, right}
	d.side(left, c.picture, m.From, false, why)
	d.side(right, c.example, m.To, true, why)
	switch {
	case why.Part != nil:
		d.follow(*why.Part)
	case why.Heat:
		c.Clip(browser.Box{X: left.W, W: right.X - left.W, H: c.size.H}, 0, d.flow)
	default:
		d.flow()
	}
}

// at returns the part at a pointer event.
func (c *board) at(e app.Event) *Part {
	match := c.Why.State().Match
	if match == nil {
		return nil
	}
	left, right := squares(c.size.W, c.size.H)
	if i := partAt(left, match.From, pointOf(e)); i >= 0 {
		return &Part{Node: i}
	}
	if j := partAt(right, match.To, pointOf(e)); j >= 0 {
		return &Part{OfExample: true, Node: j}
	}
	return nil
}

func (c *board) point(part *Part) {
	if now := c.Why.State().Part; (now == nil) != (part == nil) || (now != nil && *now != *part) {
		c.Why.PointAt(part)
	}
}

func ofMouse(e app.Event) bool { return e.Get("pointerType").String() == "mouse" }

func (c *board) pointed(_ app.Context, e app.Event) {
	if ofMouse(e) {
		c.point(c.at(e))
	}
}

// pressed points with a finger, until the same part or nothing is pressed.
func (c *board) pressed(_ app.Context, e app.Event) {
	if ofMouse(e) {
		return
	}
	part := c.at(e)
	if now := c.Why.State().Part; now != nil && part != nil && *now == *part {
		part = nil
	}
	c.point(part)
}

func (c *board) left(_ app.Context, e app.Event) {
	if ofMouse(e) {
		c.point(nil)
	}
}

// key moves between parts, and at the edge to the other image.
func (c *board) key(_ app.Context, e app.Event) {
	why := c.Why.State()
	if why.Match == nil {
		return
	}
	name := e.Get("key").String()
	if name == "Escape" {
		c.point(nil)
		return
	}
	direction, ok := ui.Arrows[name]
	if !ok {
		return
	}
	e.PreventDefault()
	if why.Part == nil {
		if links := why.Match.Links(0); len(links) > 0 {
			c.point(&Part{Node: links[0].From})
		}
		return
	}
	c.point(stepPart(&why.Match.Match, *why.Part, direction[0], direction[1]))
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

// drawnMatch draws a match between two boxes.
type drawnMatch struct {
	*board
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
func (d *drawnMatch) side(box browser.Box, img *browser.Image, side answer.Side, ofExample bool, why State) {
	whole := browser.Box{W: img.Width, H: img.Height}
	d.Clip(box, corner, func() {
		d.Picture(img, whole, box, 1)
		switch {
		case why.Part != nil:
			d.Fill(box, "black", dimmed)
			for i := range d.partners(*why.Part, ofExample) {
				b := partBox(box, side[i].Region)
				d.Picture(img, partBox(whole, side[i].Region), b, 1)
			}
			for i, share := range d.partners(*why.Part, ofExample) {
				d.Frame(partBox(box, side[i].Region), "", 1+2.5*share, .4+.6*share)
			}
		case why.Heat:
			const cells = 40
			shade := browser.Shade(heat(side, cells), cells, .82)
			d.Picture(shade, browser.Box{W: cells, H: cells}, box, 1)
		default:
			d.Fill(box, "black", .16)
		}
	})
}

// partners returns the visible nodes of a side while a part is chosen, with their fraction of its
// flow; the part itself has 1.
func (d *drawnMatch) partners(part Part, ofExample bool) map[int]float64 {
	if part.OfExample == ofExample {
		return map[int]float64{part.Node: 1}
	}
	shares := map[int]float64{}
	for _, link := range sharesOf(&d.match.Match, part) {
		shares[link.To] = link.Flow
	}
	return shares
}

// sharesOf returns the flow of a part in fractions of its weight, strongest first, without negligible ones.
func sharesOf(e *answer.Match, part Part) []answer.Link {
	if part.OfExample {
		e = e.Reverse()
	}
	links := e.Sends(part.Node, .005)
	for i := range links {
		links[i].Flow /= e.From[part.Node].Weight
	}
	return links
}

// flow draws all lines, the strongest on top. Their width shows the flow, their brightness the
// weight of the image's part.
func (d *drawnMatch) flow() {
	links := d.match.Links(trifle)
	if len(links) == 0 {
		return
	}
	bright := d.match.From.Brightness()
	most := links[0].Flow
	for _, link := range slices.Backward(links) {
		from, to := d.ends(link.From, link.To)
		width, alpha := 1+(thick-1)*link.Flow/most, .2+.7*bright[link.From]
		d.Ribbon(from, to, "", width, 1.2+width/4, alpha)
	}
}

// follow draws the lines of one part.
func (d *drawnMatch) follow(part Part) {
	list := sharesOf(&d.match.Match, part)
	for _, s := range slices.Backward(list) {
		i, j := part.Node, s.To
		if part.OfExample {
			i, j = j, i
		}
		from, to := d.ends(i, j)
		d.Ribbon(from, to, outline, 4+thick*s.Flow, 0, .5)
		d.Ribbon(from, to, "", 2+thick*s.Flow, 0, 1)
	}
	for _, s := range slices.Backward(list) {
		box, side := d.right, d.match.To
		if part.OfExample {
			box, side = d.left, d.match.From
		}
		d.Label(partBox(box, side[s.To].Region).Center(), d.Why.K.Texts().Percent(s.Flow))
	}
}

// ends returns the centers of two regions.
func (d *drawnMatch) ends(from, to int) (a, b browser.Point) {
	return partBox(d.left, d.match.From[from].Region).Center(), partBox(d.right, d.match.To[to].Region).Center()
}
