package view

import (
	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/ui"
)

// gesture is one or two fingers that drag and pinch.
type gesture struct{ fingers []finger }

type finger struct {
	id int
	at browser.Point
}

// movement is what fingers did since the last one: they dragged by so much, and moved so
// many times as far apart, about a place.
type movement struct {
	by    browser.Point
	times float64
	about browser.Point
}

// press adds a finger; a third one does nothing.
func (g *gesture) press(id int, at browser.Point) {
	g.lift(id)
	if len(g.fingers) < 2 {
		g.fingers = append(g.fingers, finger{id, at})
	}
}

// lift takes a finger away.
func (g *gesture) lift(id int) {
	var others []finger
	for _, f := range g.fingers {
		if f.id != id {
			others = append(others, f)
		}
	}
	g.fingers = others
}

// move says what the movement of a finger means; ok is false for one that does not press.
func (g *gesture) move(id int, to browser.Point) (m movement, ok bool) {
	before := g.middle()
	apart := g.apart()
	for i := range g.fingers {
		if g.fingers[i].id == id {
			g.fingers[i].at, ok = to, true
		}
	}
	after := g.middle()
	m = movement{by: browser.Point{X: after.X - before.X, Y: after.Y - before.Y}, times: 1, about: after}
	if apart > 0 {
		m.times = max(g.apart(), nearest) / apart
	}
	return m, ok
}

// nearest is how close two fingers count as, in shares of what they lie on: closer ones
// would zoom without end.
const nearest = .02

// apart is how far apart two fingers are; 0 for fewer.
func (g *gesture) apart() float64 {
	if len(g.fingers) < 2 {
		return 0
	}
	return max(ui.Distance(g.fingers[0].at, g.fingers[1].at), nearest)
}

// middle is the middle of all fingers.
func (g *gesture) middle() (m browser.Point) {
	n := float64(len(g.fingers))
	for _, f := range g.fingers {
		m.X, m.Y = m.X+f.at.X/n, m.Y+f.at.Y/n
	}
	return m
}
