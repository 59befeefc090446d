package fewshot

import "github.com/deepemd/deepemd/internal/kernel"

// leaveOut computes the scores of each example of a class by a layer of all other examples,
// without fitting a layer per example. With G = (X·Xᵀ + D)⁻¹ and the examples' weights w,
// H = G − w·wᵀ·n/λ is the inverse for uncentered inputs with a bias. (Centered inputs would
// contain the left-out example in their mean.) If a class of k examples loses one, it keeps
// its total weight if the weights of the others grow by k/(k−1), which subtracts λ·way/n from
// their entries in D. Within the class, T = (I − H·λ·way/n)⁻¹ updates the solutions for the new
// D: H' = T·H, A' = T·A. The score of example i is then Yᵢ − A'ᵢ/H'ᵢᵢ.
func (s *solution) leaveOut(own int) {
	r := s.head
	members := r.classes[own]
	n, way, count := len(r.examples), len(r.classes), len(members)
	if n == 1 {
		return
	}
	h := s.part()
	for a, i := range members {
		for b, j := range members[:a+1] {
			h[a][b] -= s.share[i] * s.share[j] * float64(n) / s.strength
		}
	}
	change := 0.0
	if count > 1 {
		change = -s.strength * float64(way) / float64(n)
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
	diagonal, column := make([]float64, count), make([]float64, count)
	for a := range members {
		for b := range members {
			column[b] = h[max(a, b)][min(a, b)]
		}
		solve(t, column)
		diagonal[a] = column[a]
	}
	for class := range way {
		for a, i := range members {
			column[a] = s.answers[class][i]
		}
		solve(t, column)
		for a, i := range members {
			s.left[i*way+class] = r.target(own, class) - column[a]/diagonal[a]
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

// part returns the lower triangle of the class's rows and columns of (L·Lᵀ)⁻¹, as products of
// columns of L⁻¹.
func (s *solution) part() [][]float64 {
	part := make([][]float64, len(s.columns))
	for a, column := range s.columns {
		part[a] = make([]float64, a+1)
		for b, other := range s.columns[:a+1] {
			both := min(len(column), len(other))
			part[a][b] = kernel.Dot(column[len(column)-both:], other[len(other)-both:])
		}
	}
	return part
}
