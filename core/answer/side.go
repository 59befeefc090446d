package answer

import "math"

// Region is the part of the preprocessed, square input image that a node comes from, in fractions
// of its side from the top left: 0 ≤ X0 < X1 ≤ 1.
type Region struct {
	X0 float32 // the left edge, 0 to 1
	Y0 float32 // the upper edge
	X1 float32 // the right edge
	Y1 float32 // the lower edge
}

// Node is a region of a picture, in fractions of the embedded square from the top left, with its
// weight.
type Node struct {
	Region
	Weight float64 // the mass that it sends or receives
}

// Side is one picture of a match.
type Side []Node

// NewSide returns nodes with the given regions and weights, [N] each.
func NewSide(regions []Region, weights []float64) Side {
	side := make(Side, len(regions))
	for i, r := range regions {
		side[i] = Node{r, weights[i]}
	}
	return side
}

// N returns the number of nodes.
func (s Side) N() int { return len(s) }

// Brightness returns each node's weight relative to the largest, [N], for drawing.
func (s Side) Brightness() []float64 {
	bright := make([]float64, len(s))
	most := 0.
	for _, n := range s {
		most = max(most, n.Weight)
	}
	for i, n := range s {
		if most > 0 {
			bright[i] = n.Weight / most
		}
	}
	return bright
}

// Heat returns the weight in each of columns×rows cells of the picture, row by row. Every node
// spreads its weight evenly over its region. Overlapping nodes (crops, levels of a pyramid) add up.
// The cells sum to the total weight.
func (s Side) Heat(columns, rows int) []float64 {
	heat := make([]float64, columns*rows)
	for _, n := range s {
		x0, x1 := float64(n.X0)*float64(columns), float64(n.X1)*float64(columns)
		y0, y1 := float64(n.Y0)*float64(rows), float64(n.Y1)*float64(rows)
		density := n.Weight / ((x1 - x0) * (y1 - y0))
		for y := int(y0); y < min(rows, int(math.Ceil(y1))); y++ {
			high := density * overlap(y, y0, y1)
			for x := int(x0); x < min(columns, int(math.Ceil(x1))); x++ {
				heat[y*columns+x] += high * overlap(x, x0, x1)
			}
		}
	}
	return heat
}

// overlap returns the length of the overlap between the cell [k, k+1] and [from, to].
func overlap(k int, from, to float64) float64 {
	return max(0, min(float64(k+1), to)-max(float64(k), from))
}
