package why

import (
	"math"
	"slices"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/ui"
)

// Where the parts of a picture lie, and which of them a person means.

// partBox is where a region of a picture lies that is drawn in the box.
func partBox(picture browser.Box, r answer.Region) browser.Box {
	return browser.Box{
		X: picture.X + float64(r.X0)*picture.W, Y: picture.Y + float64(r.Y0)*picture.H,
		W: float64(r.X1-r.X0) * picture.W, H: float64(r.Y1-r.Y0) * picture.H,
	}
}

// partAt returns the node of the region at a point of the box in which a picture
// is drawn: of several, the smallest, and of these the one whose middle is
// nearest. It is -1 outside of all.
func partAt(picture browser.Box, side answer.Side, at browser.Point) int {
	best, size, far := -1, math.Inf(1), math.Inf(1)
	for i, n := range side {
		b := partBox(picture, n.Region)
		if !b.Holds(at) {
			continue
		}
		a, d := b.W*b.H, ui.Distance(b.Centre(), at)
		if a < size*.999 || (a < size*1.001 && d < far) {
			best, size, far = i, a, d
		}
	}
	return best
}

// nextPart returns the node that lies next to another in a direction (one of dx
// and dy is 1 or -1, the other 0); -1 where there is none.
func nextPart(side answer.Side, from, dx, dy int) int {
	unit := browser.Box{W: 1, H: 1}
	origin := partBox(unit, side[from].Region).Centre()
	best, least := -1, math.Inf(1)
	for i, n := range side {
		c := partBox(unit, n.Region).Centre()
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

// exposure says how opaque each region is to be laid over the others so that the
// light it sends is in proportion to its weight, and is brightest where most lies:
// of regions that overlap the sum is 1 at most.
func exposure(side answer.Side) []float64 {
	bright := side.Brightness(nil)
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

// gamma is how screens turn numbers into light: it grows with this power.
const gamma = 2.2

// overlaid sums what the regions have, at many points of the picture.
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

// heat says how much light each of cells×cells places of a picture is to have, in
// shares of the most, so that light is in proportion to weight.
func heat(side answer.Side, cells int) []float64 {
	light := shares(side, cells)
	for i, v := range light {
		light[i] = math.Pow(v, 1/gamma)
	}
	return light
}

// shares says how much weight each of cells×cells places of a picture has, in shares of
// the most. Beyond the last parts, where the network's map leaves out an edge, it is
// theirs.
func shares(side answer.Side, cells int) []float64 {
	values := side.Heat(nil, cells, cells)
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

// squares are the two boxes of a match that is drawn in w×h: the picture on the
// left, the example on the right.
func squares(w, h float64) (picture, example browser.Box) {
	side := min(h, w*.42)
	top := (h - side) / 2
	return browser.Box{Y: top, W: side, H: side}, browser.Box{X: w - side, Y: top, W: side, H: side}
}

// spread returns where the whole picture lies when the part of it that has nodes
// is to fill a box: the network's map may leave out its right and lower edge.
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
