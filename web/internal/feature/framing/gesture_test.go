package framing

import (
	"testing"

	"github.com/deepemd/deepemd/web/internal/browser"
)

func TestOneFingerDragsAndTwoPinch(t *testing.T) {
	var g gesture
	if _, ok := g.move(1, browser.Point{}); ok {
		t.Error("a mouse that is not pressed drags")
	}
	g.press(1, browser.Point{})
	g.press(1, browser.Point{X: -.25, Y: .25}) // it was lifted elsewhere
	if m, ok := g.move(1, browser.Point{X: -.125, Y: .75}); !ok || m != (movement{browser.Point{X: .125, Y: .5}, 1, browser.Point{X: -.125, Y: .75}}) {
		t.Errorf("one finger: %+v", m)
	}
	g.move(1, browser.Point{X: -.25, Y: .25})
	g.press(2, browser.Point{X: .25, Y: .25})
	g.press(3, browser.Point{Y: 1})
	if m, ok := g.move(2, browser.Point{X: .75, Y: .25}); !ok || m != (movement{browser.Point{X: .25}, 2, browser.Point{X: .25, Y: .25}}) {
		t.Errorf("two fingers: %+v", m)
	}
	if _, ok := g.move(3, browser.Point{}); ok {
		t.Error("a third finger does something")
	}
	g.lift(1)
	if m, ok := g.move(2, browser.Point{X: .5}); !ok || m.factor != 1 || m.by.X != -.25 {
		t.Errorf("after a lift: %+v", m)
	}
}

func TestFingersOnOnePlaceDoNotZoomWithoutEnd(t *testing.T) {
	var g gesture
	g.press(1, browser.Point{})
	g.press(2, browser.Point{})
	if m, _ := g.move(2, browser.Point{X: .5}); m.factor != .5/nearest {
		t.Errorf("zoomed %v times", m.factor)
	}
	if m, _ := g.move(2, browser.Point{}); m.factor <= 0 {
		t.Errorf("zoomed %v times", m.factor)
	}
}
