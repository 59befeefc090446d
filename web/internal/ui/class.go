package ui

import (
	"math"
	"strconv"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/kernel"
)

// When returns the class name if the condition holds.
//
//go:noinline // called hundreds of times, in what a browser downloads
func When(condition bool, class string) string {
	if condition {
		return class
	}
	return ""
}

// Hue returns the CSS class of a class's color.
//
//go:noinline // like When
func Hue(c kernel.Class) string { return "hue-" + strconv.Itoa(c.Hue) }

// CaptureID returns the id of a class's capture button.
func CaptureID(classID string) string { return "capture-" + classID }

// Holds reports whether a key event presses a button: space or Enter.
func Holds(e app.Event) bool {
	key := e.Get("key").String()
	return key == " " || key == "Enter"
}

// Composes reports whether a key event belongs to an input method. In Safari, only the code 229 marks it.
func Composes(e app.Event) bool {
	return e.Get("isComposing").Truthy() || e.Get("keyCode").Int() == 229
}

// PreventDefault prevents the browser's default action for an event.
func PreventDefault(_ app.Context, e app.Event) { e.PreventDefault() }

// WorkID is the id of the classes, the target of the skip link.
const WorkID = "classes"

// Arrows are the directions of the arrow keys, to the right and down.
var Arrows = map[string][2]int{"ArrowLeft": {-1, 0}, "ArrowRight": {1, 0}, "ArrowUp": {0, -1}, "ArrowDown": {0, 1}}

// Distance returns the distance of two points.
func Distance(a, b browser.Point) float64 { return math.Hypot(a.X-b.X, a.Y-b.Y) }
