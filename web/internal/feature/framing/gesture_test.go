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

func TestOneStillFingerTaps(t *testing.T) {
	var g gesture
	if g.lift(1) {
		t.Error("a finger that was not pressed taps")
	}
	g.press(1, browser.Point{X: .25})
	g.move(1, browser.Point{X: .25 + trembling/2})
	if !g.lift(1) {
		t.Error("a finger that trembles does not tap")
	}
	g.press(1, browser.Point{})
	for x := 0.; x < .5; x += trembling / 2 { // slowly
		g.move(1, browser.Point{X: x})
	}
	if g.lift(1) {
		t.Error("a finger that dragged taps")
	}
	g.press(1, browser.Point{})
	g.press(2, browser.Point{X: .5})
	if g.lift(1) || g.lift(2) {
		t.Error("two fingers tap")
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
