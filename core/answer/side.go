package answer

import (
	"math"
	"slices"
)

// Side is one picture of a match.
type Side struct {
	// Regions, [N], say where in the picture (the square that was embedded, see
	// embed.Embedder's View) each node lies, in fractions of its sides.
	Regions []Region
	// Weights, [N], are the mass that each node sends or receives.
	Weights []float64
}

// N is the number of nodes.
func (s Side) N() int { return len(s.Regions) }

// Brightness writes how bright to draw each node, 0 to 1, into dst, [N], which
// grows if it is too short, and returns it: each node's weight in shares of the
// largest.
func (s Side) Brightness(dst []float64) []float64 {
	dst = append(dst[:0], s.Weights...)
	if len(dst) == 0 {
		return dst
	}
	if most := slices.Max(dst); most > 0 {
		for i := range dst {
			dst[i] /= most
		}
	}
	return dst
}

// Heat writes how much weight each of columns×rows cells of the picture carries,
// row after row, into dst, which grows if it is too short, and returns it. Every
// node spreads its weight evenly over its region; overlapping nodes (crops, levels
// of a pyramid) add up. The cells sum to the weights' sum.
func (s Side) Heat(dst []float64, columns, rows int) []float64 {
	dst = slices.Grow(dst[:0], columns*rows)[:columns*rows]
	clear(dst)
	for i, r := range s.Regions {
		x0, x1 := float64(r.X0)*float64(columns), float64(r.X1)*float64(columns)
		y0, y1 := float64(r.Y0)*float64(rows), float64(r.Y1)*float64(rows)
		density := s.Weights[i] / ((x1 - x0) * (y1 - y0))
		for y := int(y0); y < min(rows, int(math.Ceil(y1))); y++ {
			high := density * overlap(y, y0, y1)
			for x := int(x0); x < min(columns, int(math.Ceil(x1))); x++ {
				dst[y*columns+x] += high * overlap(x, x0, x1)
			}
		}
	}
	return dst
}

// overlap is how much of the cell from k to k+1 lies between two places.
func overlap(k int, from, to float64) float64 {
	return max(0, min(float64(k+1), to)-max(float64(k), from))
}
