package solver

// pricing finds arcs of negative reduced cost.
type pricing struct {
	list []candidate
}

// Block rows per sweep
var Block = 1 << 30

func (s *Simplex) optimise(m, k int) (pivots int) {
	t := &s.tree
	pot := t.pot
	colPot := pot[m:][:k]
	s.pricing.list = resize(s.pricing.list, m*k+1)
	list := s.pricing.list
	n := 0
	row, clean := 0, 0
	for clean < m {
		for b := 0; (b < Block || n == 0) && clean < m; b++ {
			n += sweep(list[n:], s.cost[row*k:][:k], colPot, pot[row], int32(row), int32(m))
			row++
			if row == m {
				row = 0
			}
			clean++
		}
		for {
			var best int
			var low int64
			n, best, low = filter(list[:n], pot)
			if n == 0 {
				break
			}
			t.pivot(list[best].row, list[best].col, m, low)
			pivots++
			clean = 0
		}
	}
	return pivots
}

func filter(list []candidate, pot []int64) (n, at int, best int64) {
	for _, c := range list {
		r := c.cost + pot[c.row] - pot[c.col]
		list[n] = c
		if r < best {
			at = n
		}
		best = min(r, best)
		if r < 0 {
			n++
		}
	}
	return n, at, best
}

func sweep(list []candidate, cost, v []int64, u int64, i, m int32) (n int) {
	list = list[:len(cost)+1]
	v = v[:len(cost)]
	for j, c := range cost {
		list[n] = candidate{c, i, m + int32(j)}
		if c+u < v[j] {
			n++
		}
	}
	return n
}
