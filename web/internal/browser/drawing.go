package browser

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
