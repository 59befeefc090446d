package why

import (
	"math"
	"slices"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/ui"
)

// partBox returns the position of a region in a drawn image.
func partBox(picture browser.Box, r answer.Region) browser.Box {
	return browser.Box{
		X: picture.X + float64(r.X0)*picture.W, Y: picture.Y + float64(r.Y0)*picture.H,
		W: float64(r.X1-r.X0) * picture.W, H: float64(r.Y1-r.Y0) * picture.H,
	}
}

// partAt returns the node at a point of a drawn image: the smallest region there, or of several the
// one with the nearest center. It is -1 outside of all.
func partAt(picture browser.Box, side answer.Side, at browser.Point) int {
	best, size, far := -1, math.Inf(1), math.Inf(1)
	for i, n := range side {
		b := partBox(picture, n.Region)
		if !b.Holds(at) {
			continue
		}
		a, d := b.W*b.H, ui.Distance(b.Center(), at)
		if a < size*.999 || (a < size*1.001 && d < far) {
			best, size, far = i, a, d
		}
	}
	return best
}

// nextPart returns the next node in a direction (one of dx and dy is 1 or -1, the other 0); -1 if
// there is none.
func nextPart(side answer.Side, from, dx, dy int) int {
	unit := browser.Box{W: 1, H: 1}
	origin := partBox(unit, side[from].Region).Center()
	best, least := -1, math.Inf(1)
	for i, n := range side {
		c := partBox(unit, n.Region).Center()
		along := (c.X-origin.X)*float64(dx) + (c.Y-origin.Y)*float64(dy)
		across := math.Abs((c.X-origin.X)*float64(dy)) + math.Abs((c.Y-origin.Y)*float64(dx))
		if i == from || along < .01 {
			continue
		}
		if d := along + 2*across; d < least {
			best, least = i, d
		}
	}
	return best
}

// exposure returns the opacity of each region so that its light is proportional to its weight, with
// a maximum of 1 where regions overlap.
func exposure(side answer.Side) []float64 {
	bright := side.Brightness()
	for i, b := range bright {
		bright[i] = math.Pow(b, 1/gamma)
	}
	most := 0.0
	for _, v := range overlaid(side, bright) {
		most = max(most, v)
	}
	if most > 0 {
		for i := range bright {
			bright[i] /= most
		}
	}
	return bright
}

// gamma is the exponent of screens.
const gamma = 2.2

// overlaid sums the values of regions at many points of the image.
func overlaid(side answer.Side, values []float64) []float64 {
	const points = 64
	sum := make([]float64, points*points)
	for i, n := range side {
		b := partBox(browser.Box{W: points, H: points}, n.Region)
		for y := range points {
			for x := range points {
				if at := (browser.Point{X: float64(x) + .5, Y: float64(y) + .5}); b.Holds(at) {
					sum[y*points+x] += values[i]
				}
			}
		}
	}
	return sum
}

// heat returns the light of cells×cells places of an image, proportional to weight, relative to the
// maximum.
func heat(side answer.Side, cells int) []float64 {
	light := shares(side, cells)
	for i, v := range light {
		light[i] = math.Pow(v, 1/gamma)
	}
	return light
}

// shares returns the weight of cells×cells places of an image, relative to the maximum. If the
// network's map omits an edge, that gets the weight of the last parts.
func shares(side answer.Side, cells int) []float64 {
	values := side.Heat(cells, cells)
	covered := spread(side, browser.Box{W: float64(cells), H: float64(cells)})
	lastX := min(cells, int(float64(cells*cells)/covered.W)) - 1
	lastY := min(cells, int(float64(cells*cells)/covered.H)) - 1
	most := slices.Max(values)
	list := make([]float64, len(values))
	for i := range list {
		if v := values[min(i/cells, lastY)*cells+min(i%cells, lastX)]; most > 0 {
			list[i] = min(1, v/most)
		}
	}
	return list
}

// squares returns the boxes of a match in w×h: the image on the left, the example on the right.
func squares(w, h float64) (picture, example browser.Box) {
	side := min(h, w*.42)
	top := (h - side) / 2
	return browser.Box{Y: top, W: side, H: side}, browser.Box{X: w - side, Y: top, W: side, H: side}
}

// spread returns the box of the whole image such that the part with nodes fills the given box: the
// network's map may omit the right and lower edge.
func spread(side answer.Side, box browser.Box) browser.Box {
	var right, bottom float32
	for _, n := range side {
		right, bottom = max(right, n.X1), max(bottom, n.Y1)
	}
	if right <= 0 || bottom <= 0 {
		return box
	}
	return browser.Box{X: box.X, Y: box.Y, W: box.W / float64(right), H: box.H / float64(bottom)}
}
