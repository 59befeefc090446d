package solver

// Basis remembers the optimal basis of a problem, for SolveFrom. The zero value
// remembers nothing.
type Basis struct {
	rows, cols int
	arcs       []arc // a spanning tree's, leaves first
}

// arc goes from a row to a column, both counted from 0.
type arc struct{ row, col int32 }

// SolveFrom is Solve for a problem that resembles the one in b: the next frame of a
// film, prototypes that have learned a little. It starts from the flow of the old
// basis, as far as the new weights allow, and leaves the new basis in b. A basis of
// another problem only costs time; one of another shape is not used.
func (s *Simplex) SolveFrom(p *Problem, b *Basis) (Solution, error) {
	s.start.from = b
	solution, err := s.Solve(p)
	s.start.from = nil
	if err == nil {
		s.keep(b)
	}
	return solution, err
}

// keep writes the basis to b. The arcs of the root come last: only once every other
// column is used up can a row that has all that is left of the root be used up too.
func (s *Simplex) keep(b *Basis) {
	b.rows, b.cols = len(s.rows), len(s.cols)
	b.arcs = b.arcs[:0]
	nodes := s.tree.nodes
	root := int32(0)
	for nodes[root].parent >= 0 {
		root = nodes[root].parent
	}
	for x := nodes[root].prev; x != root; x = nodes[x].prev {
		if nodes[x].parent != root {
			b.arcs = append(b.arcs, s.arcOf(x))
		}
	}
	for x := nodes[root].prev; x != root; x = nodes[x].prev {
		if nodes[x].parent == root {
			b.arcs = append(b.arcs, s.arcOf(x))
		}
	}
}

// arcOf returns the arc of node x to its parent.
func (s *Simplex) arcOf(x int32) arc {
	m := int32(len(s.rows))
	p := s.tree.nodes[x].parent
	if x >= m {
		return arc{p, x - m}
	}
	return arc{x, p - m}
}

// follow ships along the arcs of an old basis, leaves first. With the old weights
// that is the old flow, every arc using up its leaf. Where new weights ask a leaf
// for more than its neighbour has, the neighbour is used up instead, and both the
// leaf and the neighbour's other leaves are left for the start proper.
func (st *start) follow(t *tree, weight []int64, m int) {
	for _, arc := range st.from.arcs {
		if st.used[arc.row] || st.closed[arc.col] {
			continue
		}
		st.used[arc.row] = st.settle(t, arc.row, arc.col, weight, m)
	}
	kept := 0
	for _, i := range st.rows {
		if !st.used[i] {
			st.rows[kept] = i
			kept++
		}
	}
	st.rows = st.rows[:kept]
}
