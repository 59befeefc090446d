// Package browser is the studio's only door to JavaScript: the engine, reached
// through deepemd.js as any other page would reach it, the camera, and what an
// event carries. Every file that needs syscall/js is named *_js.go; a function
// that is called from code that also renders outside a browser has a twin in
// none_notjs.go, which does nothing.
package browser

// VideoID is the id of the video element that shows the camera.
const VideoID = "camera"

// Box is a rectangle, in CSS pixels of a canvas or pixels of an image.
type Box struct{ X, Y, W, H float64 }

// Point is a place on a canvas.
type Point struct{ X, Y float64 }

// Centre is the middle of a box.
func (b Box) Centre() Point { return Point{b.X + b.W/2, b.Y + b.H/2} }

// Holds reports whether a point lies in a box, its right and lower edge excepted.
func (b Box) Holds(p Point) bool {
	return p.X >= b.X && p.Y >= b.Y && p.X < b.X+b.W && p.Y < b.Y+b.H
}

// The themes that a person can choose.
const (
	ThemeSystem = "system" // what the device prefers
	ThemeLight  = "light"
	ThemeDark   = "dark"
)

// The ids of the elements that show what a microphone hears.
const (
	HeardID = "heard" // a canvas
	LevelID = "level" // the meter
)
