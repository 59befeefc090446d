package framing

import (
	"slices"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/ui"
)

// gesture tracks one or two fingers that drag, pinch and tap.
type gesture struct {
	fingers []finger
	from    browser.Point // where the first finger was pressed
	moved   bool          // since then
}

type finger struct {
	id int
	at browser.Point
}

// movement is the change since the previous event: a drag, and a zoom around a point.
type movement struct {
	by     browser.Point
	factor float64
	about  browser.Point
}

// press adds a finger; a third finger is ignored.
func (g *gesture) press(id int, at browser.Point) {
	g.lift(id)
	if g.moved = len(g.fingers) > 0; !g.moved {
		g.from = at
	}
	if len(g.fingers) < 2 {
		g.fingers = append(g.fingers, finger{id, at})
	}
}

// lift removes a finger. tap reports whether it was the only one and did not move.
func (g *gesture) lift(id int) (tap bool) {
	pressed := len(g.fingers)
	g.fingers = slices.DeleteFunc(g.fingers, func(f finger) bool { return f.id == id })
	return !g.moved && len(g.fingers) < pressed
}

// move moves a finger; ok is false for a pointer that is not pressed.
func (g *gesture) move(id int, to browser.Point) (m movement, ok bool) {
	before := g.middle()
	apart := g.apart()
	for i := range g.fingers {
		if g.fingers[i].id == id {
			g.fingers[i].at, ok = to, true
		}
	}
	after := g.middle()
	m = movement{by: browser.Point{X: after.X - before.X, Y: after.Y - before.Y}, factor: 1, about: after}
	g.moved = g.moved || ui.Distance(to, g.from) > trembling
	if apart > 0 {
		m.factor = max(g.apart(), nearest) / apart
	}
	return m, ok
}

// trembling is the largest movement of a tap in fractions of the view's side.
const trembling = .01

// nearest is the minimum distance of two fingers in fractions of the view's side, which bounds
// the zoom factor.
const nearest = .02

// apart returns the distance of two fingers; 0 for fewer.
func (g *gesture) apart() float64 {
	if len(g.fingers) < 2 {
		return 0
	}
	return max(ui.Distance(g.fingers[0].at, g.fingers[1].at), nearest)
}

// middle returns the center of all fingers.
func (g *gesture) middle() (m browser.Point) {
	n := float64(len(g.fingers))
	for _, f := range g.fingers {
		m.X, m.Y = m.X+f.at.X/n, m.Y+f.at.Y/n
	}
	return m
}
