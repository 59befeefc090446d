package fewshot

// leaveOut writes the scores of each example of a class by a layer of all others, without
// learning one for each. Where L is the factor of X·Xᵀ + D, G the inverse and w the
// weights, H = G − w·wᵀ·n/λ answers for inputs that are not centred but have a bias, which
// is learned again too: centred inputs tell what was left out, by the mean that it was
// part of. A class of k examples that loses one counts as much as before if those that
// stay weigh k/(k−1) times as much, which takes λ·way/n off their places in D. Of the
// class's part of H and of the answers A, both symmetric solutions of the system before,
// T = (I − H·λ·way/n)⁻¹ makes those after: H' = T·H, A' = T·A. Example i is then scored
// Yᵢ − A'ᵢ/H'ᵢᵢ.
func (s *solution) leaveOut(own int) {
	r := s.head
	members := r.classes[own]
	n, way, count := len(r.examples), len(r.classes), len(members)
	if n == 1 {
		return // of which no others are left
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
			s.layer.left[i*way+class] = r.target(own, class) - column[a]/diagonal[a]
		}
	}
}

// invert adds a column of L⁻¹, from its diagonal down, to those of the class.
func (s *solution) invert(j int) {
	column := make([]float64, len(s.system)-j)
	column[0] = 1 / s.system[j][j]
	for i := 1; i < len(column); i++ {
		row := s.system[j+i]
		column[i] = -dot(column[:i], row[j:]) / row[j+i]
	}
	s.columns = append(s.columns, column)
}

// part is the lower half of the class's rows and columns of (L·Lᵀ)⁻¹: the products of
// columns of L⁻¹.
func (s *solution) part() [][]float64 {
	part := make([][]float64, len(s.columns))
	for a, column := range s.columns {
		part[a] = make([]float64, a+1)
		for b, other := range s.columns[:a+1] {
			both := min(len(column), len(other))
			part[a][b] = dot(column[len(column)-both:], other[len(other)-both:])
		}
	}
	return part
}
