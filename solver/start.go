package solver

import "slices"

// start builds the first basis: a greedy flow that prefers cheap arcs.
//
// A centered cost compares an arc with the average arcs of its two nodes. A threshold rises in
// steps from the smallest centered cost. At each step every row ships along its cheapest arc to an
// open column as long as the cost is at most the threshold. The result is nearly the greedy flow in
// the order of costs, without sorting. It is 1% above the optimum for this project's problems (4%
// with plain costs or Vogel's regrets, 3% with Russell's costs, 9% with row minima).
type start struct {
	order  []int32 // exhausted nodes, in order
	rows   []int32 // not exhausted
	open   []int32 // columns not exhausted, counted from 0
	closed []bool  // [k]
	best   []int64 // [m] lowest cost of each row to an open column, if still open
	arg    []int32 // [m] that column

	from *Basis // of a similar problem, optional
	used []bool // [m], rows that restore exhausted
}

const (
	// thresholdSteps is the number of steps in which the threshold rises to zero, the cost of an
	// average arc. After thresholdRounds the threshold is infinite.
	thresholdSteps  = 8
	thresholdRounds = 12
)

// build makes t a strongly feasible spanning tree with a feasible flow. It exhausts the weights.
func (st *start) build(t *tree, cost, weight []int64, m, k, stride int) {
	n := m + k
	t.nodes = slices.Grow(t.nodes[:0], n)[:n]
	t.flow = slices.Grow(t.flow[:0], n)[:n]
	t.pot = slices.Grow(t.pot[:0], m+stride)[:m+stride]
	clear(t.pot[n:])
	st.reset(m, k)
	if st.from != nil && st.from.rows == m && st.from.cols == k {
		st.used = slices.Grow(st.used[:0], m)[:m]
		clear(st.used)
		st.restore(t, weight, m)
	}

	lowest := int64(0)
	for _, i := range st.rows {
		st.best[i], st.arg[i] = rowMin(cost[int(i)*stride:][:k])
		lowest = min(lowest, st.best[i])
	}
	threshold, step := lowest, -lowest/thresholdSteps+1
	for round := 0; len(st.rows) > 0 && len(st.rows)+len(st.open) > 1; round++ {
		threshold += step
		if round >= thresholdRounds {
			threshold = never
		}
		st.rows = slices.DeleteFunc(st.rows, func(i int32) bool { return st.ship(t, i, threshold, cost, weight, m, k, stride) })
	}

	// The remaining row or column is the root. Leaves were exhausted first, so the last nodes are
	// nearest to the root.
	root := int32(0)
	if len(st.rows) > 0 {
		root = st.rows[0]
	} else {
		root = st.open[0] + int32(m)
	}
	t.plant(root)
	for _, x := range slices.Backward(st.order) {
		t.addLeaf(x, cost, m, stride)
	}
}

// reset opens all rows and columns.
func (st *start) reset(m, k int) {
	st.order = slices.Grow(st.order[:0], m+k)
	st.rows = slices.Grow(st.rows[:0], m)[:m]
	st.open = slices.Grow(st.open[:0], k)[:k]
	st.closed = slices.Grow(st.closed[:0], k)[:k]
	st.best = slices.Grow(st.best[:0], m)[:m]
	st.arg = slices.Grow(st.arg[:0], m)[:m]
	clear(st.closed)
	for i := range st.rows {
		st.rows[i] = int32(i)
	}
	for j := range st.open {
		st.open[j] = int32(j)
	}
}

// ship sends the weight of row i along its cheapest open arcs that cost at most the threshold, and
// reports whether the row is exhausted. Of an arc's two nodes the one with less weight is
// exhausted, and with equal weights the column, so that no row ships zero flow upward and the tree
// is strongly feasible. The last column stays open for the remaining rows.
func (st *start) ship(t *tree, i int32, threshold int64, cost, weight []int64, m, k, stride int) bool {
	for st.best[i] <= threshold {
		at := st.arg[i]
		if st.closed[at] {
			st.best[i], st.arg[i] = rowMinOpen(cost[int(i)*stride:][:k], st.open)
			continue
		}
		if st.exhaust(t, i, at, weight, m) {
			return true
		}
	}
	return false
}

// exhaust sends as much as possible from row i to column at. It exhausts one of the two, and
// reports whether it is the row.
func (st *start) exhaust(t *tree, i, at int32, weight []int64, m int) bool {
	j := at + int32(m)
	a, b := weight[i], weight[j]
	if a < b || len(st.open) == 1 {
		t.nodes[i].parent = j
		t.flow[i] = a
		weight[j] = b - a
		st.order = append(st.order, i)
		return true
	}
	t.nodes[j].parent = i
	t.flow[j] = b
	weight[i] = a - b
	st.order = append(st.order, j)
	st.close(at)
	return false
}

// close removes column j from the open columns.
func (st *start) close(j int32) {
	st.closed[j] = true
	last := len(st.open) - 1
	st.open[slices.Index(st.open, j)] = st.open[last]
	st.open = st.open[:last]
}

// rowMin returns the lowest cost of a row and its column.
func rowMin(row []int64) (best int64, at int32) {
	best = row[0]
	for j, c := range row {
		if c < best {
			at = int32(j)
		}
		best = min(c, best)
	}
	return best, at
}

// rowMinOpen returns the lowest cost of a row to an open column, and the column.
func rowMinOpen(row []int64, open []int32) (best int64, at int32) {
	best = never
	for _, j := range open {
		c := row[j]
		if c < best {
			at = j
		}
		best = min(c, best)
	}
	return best, at
}

// plant makes root the only node of t.
func (t *tree) plant(root int32) {
	t.nodes[root] = node{parent: -1, next: root, prev: root}
	t.pot[root] = 0
	t.flow[root] = 0
}

// addLeaf adds leaf x, whose parent is already in the tree.
func (t *tree) addLeaf(x int32, cost []int64, m, stride int) {
	nodes := t.nodes
	p := nodes[x].parent
	nodes[x].depth = nodes[p].depth + 1
	nodes[x].prev = p
	nodes[x].next = nodes[p].next
	nodes[nodes[p].next].prev = x
	nodes[p].next = x
	t.priceLeaf(x, cost, m, stride)
}

// priceLeaf computes the potential of x from its parent's.
func (t *tree) priceLeaf(x int32, cost []int64, m, stride int) {
	p := t.nodes[x].parent
	if int(x) < m {
		t.pot[x] = t.pot[p] - cost[int(x)*stride+int(p)-m]
	} else {
		t.pot[x] = t.pot[p] + cost[int(p)*stride+int(x)-m]
	}
}

// Basis is the optimal basis of a problem, for SolveFrom. The zero value is empty.
type Basis struct {
	rows, cols int
	arcs       []arc // of a spanning tree, leaves first
}

// arc connects a row with a column, both counted from 0.
type arc struct{ row, col int32 }

// SolveFrom is Solve for a problem similar to the one in b, such as the next frame of a video or
// prototypes after a learning step. It starts from the old basis, as far as the new weights allow,
// and writes the new basis to b. A basis of a different problem only costs time; a basis of another
// shape is ignored. Without a basis (nil) it is Solve.
func (s *Simplex) SolveFrom(p *Problem, b *Basis) (Solution, error) {
	if b == nil {
		return s.Solve(p)
	}
	s.start.from = b
	solution, err := s.Solve(p)
	s.start.from = nil
	if err == nil {
		s.saveBasis(b)
	}
	return solution, err
}

// saveBasis writes the basis to b. Arcs of the root come last: a row that takes the rest of the
// root can be exhausted only after all other columns.
func (s *Simplex) saveBasis(b *Basis) {
	b.rows, b.cols = len(s.rows), len(s.cols)
	b.arcs = b.arcs[:0]
	nodes, root := s.tree.nodes, s.tree.root()
	for _, ofRoot := range []bool{false, true} {
		for x := nodes[root].prev; x != root; x = nodes[x].prev {
			if (nodes[x].parent == root) == ofRoot {
				b.arcs = append(b.arcs, s.arcOf(x))
			}
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

// restore ships along the arcs of an old basis, leaves first. With the old weights this is the old
// flow, because each arc exhausts its leaf. If a new weight of a leaf exceeds its neighbor's, the
// neighbor is exhausted instead; build then handles the leaf and the neighbor's other leaves.
func (st *start) restore(t *tree, weight []int64, m int) {
	for _, arc := range st.from.arcs {
		if st.used[arc.row] || st.closed[arc.col] {
			continue
		}
		st.used[arc.row] = st.exhaust(t, arc.row, arc.col, weight, m)
	}
	st.rows = slices.DeleteFunc(st.rows, func(i int32) bool { return st.used[i] })
}
