// Package browser is the studio's interface to JavaScript: the engine, through deepemd.js as in any
// other page, the camera, the storage and events. It is the same code outside a browser, where all
// values are null.
package browser

// VideoID is the id of the video element that shows the camera.
const VideoID = "camera"

// Box is a rectangle, in CSS pixels of a canvas or pixels of an image.
type Box struct{ X, Y, W, H float64 }

// Point is a position on a canvas.
type Point struct{ X, Y float64 }

// Center returns the center of a box.
func (b Box) Center() Point { return Point{b.X + b.W/2, b.Y + b.H/2} }

// Holds reports whether a box contains a point. The right and lower edges are excluded.
func (b Box) Holds(p Point) bool {
	return p.X >= b.X && p.Y >= b.Y && p.X < b.X+b.W && p.Y < b.Y+b.H
}

// The available themes.
const (
	ThemeSystem = "system" // the preference of the device
	ThemeLight  = "light"
	ThemeDark   = "dark"
)

// The ids of the elements that show the microphone's input.
const (
	HeardID = "heard" // a canvas
	LevelID = "level" // the meter
)
