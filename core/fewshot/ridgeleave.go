package fewshot

import (
	"slices"

	"github.com/deepemd/deepemd/internal/kernel"
)

// leaveOut computes the scores of each example of a class by a layer of the examples outside its part,
// without fitting a layer per part. With G = (X·Xᵀ + D)⁻¹ and the examples' weights w,
// H = G − w·wᵀ·n/λ is the inverse for uncentered inputs with a bias. (Centered inputs would
// contain the left-out examples in their mean.) If a class of k examples loses r, it keeps its
// total weight if the weights of the others grow by k/(k−r), which subtracts r·λ·way/n from their
// entries in D. Within the class, T = (I − H·r·λ·way/n)⁻¹ updates the solutions for the new D:
// H' = T·H, A' = T·A. The scores of part R are then Y_R − (H'_RR)⁻¹·A'_R. With parts of different
// lengths, r is the mean length.
func (s *solution) leaveOut(own int) {
	r := s.head
	members := r.classes[own]
	n, way, count := len(r.examples), len(r.classes), len(members)
	if n == 1 {
		return
	}
	h := s.within()
	for a, i := range members {
		for b, j := range members[:a+1] {
			h[a][b] -= s.share[i] * s.share[j] * float64(n) / s.strength
		}
	}
	parts := s.parts[own]
	change := 0.0
	if count > 1 {
		change = -s.strength * float64(way) / float64(n) * float64(count) / float64(len(parts))
	}
	t := make([][]float64, count)
	for a := range t {
		t[a] = make([]float64, a+1)
		for b := range t[a] {
			t[a][b] = change * h[a][b]
		}
		t[a][a]++
	}
	for a := range t {
		factorRow(t, a)
	}
	column := make([]float64, count)
	blocks := make([][][]float64, len(parts)) // the lower triangles of H'_RR, then their Cholesky factors
	for k, part := range parts {
		for a := part.From; a < part.To; a++ {
			for b := range members {
				column[b] = h[max(a, b)][min(a, b)]
			}
			solve(t, column)
			blocks[k] = append(blocks[k], slices.Clone(column[part.From:a+1]))
			factorRow(blocks[k], a-part.From)
		}
	}
	for class := range way {
		for a, i := range members {
			column[a] = s.answers[class][i]
		}
		solve(t, column)
		for k, part := range parts {
			solve(blocks[k], column[part.From:part.To])
		}
		for a, i := range members {
			s.left[i*way+class] = r.target(own, class) - column[a]
		}
	}
}

// invert appends column j of L⁻¹, from the diagonal down, to s.columns.
func (s *solution) invert(j int) {
	column := make([]float64, len(s.system)-j)
	column[0] = 1 / s.system[j][j]
	for i := 1; i < len(column); i++ {
		row := s.system[j+i]
		column[i] = -kernel.Dot(column[:i], row[j:]) / row[j+i]
	}
	s.columns = append(s.columns, column)
}

// within returns the lower triangle of the class's rows and columns of (L·Lᵀ)⁻¹, as products of
// columns of L⁻¹.
func (s *solution) within() [][]float64 {
	h := make([][]float64, len(s.columns))
	for a, column := range s.columns {
		h[a] = make([]float64, a+1)
		for b, other := range s.columns[:a+1] {
			both := min(len(column), len(other))
			h[a][b] = kernel.Dot(column[len(column)-both:], other[len(other)-both:])
		}
	}
	return h
}

// parts returns the parts of each class to leave out in turn.
func (r *RidgeHead) parts() [][]Run {
	directions := make([][][]float32, len(r.classes))
	for c, members := range r.classes {
		for _, i := range members {
			directions[c] = append(directions[c], r.examples[i].mean)
		}
	}
	return Parts(directions)
}
