package fewshot

// leaveOut writes the scores of each example by a layer of all others, without learning
// one for each. Where l is the factor of X·Xᵀ + D of [RidgeHead.learn], G the inverse
// and w the weights, H = G − w·wᵀ·n/λ answers for inputs that are not centred but have
// a bias, which is learned again too: centred inputs tell what was left out, by the
// mean that it was part of. A class of k examples that loses one counts as much as
// before if those that stay weigh k/(k−1) times as much, which takes λ·way/n off their
// places in D. Of the class's part of H and of the answers A, both symmetric solutions
// of the system before, T = (I − H·λ·way/n)⁻¹ makes those after: H' = T·H, A' = T·A.
// Example i is then scored Yᵢ − A'ᵢ/H'ᵢᵢ.
func (r *RidgeHead) leaveOut(l, answers [][]float64, share []float64, strength float64) {
	n, way := len(r.examples), len(r.classes)
	r.left = make([]float64, n*way)
	if n == 1 {
		return // of which no others are left
	}
	for own, count := range r.classes {
		members := make([]int, 0, count)
		for i, e := range r.examples {
			if e.class == own {
				members = append(members, i)
			}
		}
		h := inversePart(l, members)
		for a, i := range members {
			for b, j := range members[:a+1] {
				h[a][b] -= share[i] * share[j] * float64(n) / strength
			}
		}
		change := 0.0
		if count > 1 {
			change = -strength * float64(way) / float64(n)
		}
		t := make([][]float64, count)
		for a := range t {
			t[a] = make([]float64, a+1)
			for b := range t[a] {
				t[a][b] = change * h[a][b]
			}
			t[a][a]++
		}
		factor(t)
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
				column[a] = answers[class][i]
			}
			solve(t, column)
			for a, i := range members {
				r.left[i*way+class] = r.target(own, class) - column[a]/diagonal[a]
			}
		}
	}
}

// inversePart is the lower half of the rows and columns named of (L·Lᵀ)⁻¹: the products
// of columns of L⁻¹.
func inversePart(l [][]float64, members []int) [][]float64 {
	n := len(l)
	part, columns := make([][]float64, len(members)), make([][]float64, len(members))
	for a, j := range members {
		column := make([]float64, n) // zero above its diagonal
		column[j] = 1 / l[j][j]
		for i := j + 1; i < n; i++ {
			var sum float64
			for k, v := range l[i][j:i] {
				sum += v * column[j+k]
			}
			column[i] = -sum / l[i][i]
		}
		columns[a], part[a] = column, make([]float64, a+1)
		for b, other := range columns[:a+1] {
			for i, v := range column[j:] {
				part[a][b] += v * other[j+i]
			}
		}
	}
	return part
}
