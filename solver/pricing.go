package solver

import "slices"

// pricing chooses the arc that enters the basis: by candidate lists (multiple
// pricing; Glover et al. 1974). A sweep over a block of rows lists all arcs with
// a negative reduced cost, and the best of the list enters until the list has
// none left; then the next block is swept. When all rows have been swept since
// the last pivot, the basis is optimal.
type pricing struct {
	list []candidate
}

// candidate is an arc that had a negative reduced cost when it was listed.
type candidate struct {
	cost     int64
	row, col int32 // nodes
}

const (
	// pricingBlock is how many rows a sweep takes: of 8 to 32, the fastest from
	// n = 9 to n = 100.
	pricingBlock = 13
	// sweepLanes divides the stride of the costs: the longest vector of a sweep.
	sweepLanes = 8
	// never is a cost above all reduced costs, which stay below 2⁶⁰ but for it.
	never = 1 << 61
)

// optimise pivots until the basis is optimal and returns the number of pivots.
func (s *Simplex) optimise(m, k int) (pivots int) {
	t := &s.tree
	most := min(m, pricingBlock)*s.stride + sweepLanes
	s.pricing.list = slices.Grow(s.pricing.list[:0], most)[:most]
	list := s.pricing.list
	columns := t.pot[m:][:s.stride]
	row, clean := 0, 0
	for clean < m {
		block := min(pricingBlock, m-row, m-clean)
		listed := sweep(list, s.cost[row*s.stride:], columns, t.pot[row:row+block], int32(row), int32(m))
		row += block
		if row == m {
			row = 0
		}
		clean += block
		for {
			var best int
			var reduced int64
			listed, best, reduced = filter(list[:listed], t.pot)
			if listed == 0 {
				break
			}
			t.pivot(list[best].row, list[best].col, reduced)
			pivots++
			clean = 0
		}
	}
	return pivots
}

// filter keeps the arcs whose reduced cost is negative now, and returns how many
// they are and the place and reduced cost of the lowest.
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

// sweepGeneric lists the arcs (i, j) with cost_ij + u_i < v_j: for rows row, row +
// 1 … with potentials u and costs [len(u), len(v)], and columns m, m + 1 … with
// potentials v. It returns how many there are. list has room for all and one
// vector more.
func sweepGeneric(list []candidate, cost, v, u []int64, row, m int32) (n int) {
	stride := len(v)
	for i, u := range u {
		cost := cost[i*stride:][:stride]
		for j := 0; j+4 <= len(cost); j += 4 {
			c, w := (*[4]int64)(cost[j:]), (*[4]int64)(v[j:])
			if (c[0]+u-w[0])|(c[1]+u-w[1])|(c[2]+u-w[2])|(c[3]+u-w[3]) < 0 {
				for e := range 4 {
					list[n] = candidate{c[e], row + int32(i), m + int32(j+e)}
					if c[e]+u < w[e] {
						n++
					}
				}
			}
		}
	}
	return n
}
