package solver

// tree is a spanning tree of the nodes — rows 0…m−1, columns m…m+k−1 — whose arcs are the basis.
// The arc of a node connects it with its parent, and is directed from the row to the column.
// Preorder is a doubly linked list (Ahuja, Magnanti and Orlin, section 11.3, "thread"). A subtree
// is a contiguous part of the list, so moving it takes time proportional to its size.
//
// Invariants for the arc (i, j) of every node except the root:
//
//	cost_ij + pot_i − pot_j = 0
//	flow ≥ 0, and if flow = 0 the child is the row: every node can send some
//	flow to the root (a strongly feasible tree, Cunningham 1976)
type tree struct {
	nodes []node
	flow  []int64 // on the node's arc
	pot   []int64
}

type node struct {
	parent int32 // −1 for the root
	next   int32 // in preorder, cyclic
	prev   int32
	depth  int32
}

func (t *tree) root() (x int32) {
	for t.nodes[x].parent >= 0 {
		x = t.nodes[x].parent
	}
	return x
}

// pivot brings arc (x, y) of row x and column y with reduced cost rc < 0 into the basis. The
// leaving arc is the last blocking arc of the cycle, from its apex in the direction of the new arc.
// This keeps the tree strongly feasible, so no basis occurs twice (Cunningham 1976).
func (t *tree) pivot(x, y int32, rc int64) {
	nodes, flow := t.nodes, t.flow

	// Climb from both nodes to the apex. The new flow goes up from y and down to x. It reduces the
	// arcs of columns on y's side and of rows on x's side, which are every other arc.
	const unbounded = 1<<63 - 1
	stepX, stepY := int64(unbounded), int64(unbounded)
	outX, outY := x, y
	a, b := x, y
	if ahead := nodes[x].depth - nodes[y].depth; ahead > 0 {
		for {
			if f := flow[a]; f < stepX {
				stepX, outX = f, a
			}
			a = nodes[a].parent
			if ahead -= 2; ahead < 0 {
				break
			}
			a = nodes[a].parent
		}
	} else {
		for {
			if f := flow[b]; f <= stepY {
				stepY, outY = f, b
			}
			b = nodes[b].parent
			if ahead += 2; ahead > 0 {
				break
			}
			b = nodes[b].parent
		}
		if a != b {
			if f := flow[a]; f < stepX {
				stepX, outX = f, a
			}
			a, b = nodes[a].parent, nodes[b].parent
		}
	}
	for a != b {
		if f := flow[b]; f <= stepY {
			stepY, outY = f, b
		}
		a, b = nodes[a].parent, nodes[b].parent
		if a == b {
			break
		}
		if f := flow[a]; f < stepX {
			stepX, outX = f, a
		}
		a, b = nodes[a].parent, nodes[b].parent
	}
	apex := a
	step := min(stepX, stepY)
	if step != 0 {
		t.ship(x, apex, -step)
		t.ship(y, apex, -step)
	}
	if stepX < stepY {
		t.rehang(x, y, outX, step, -rc)
	} else {
		t.rehang(y, x, outY, step, rc)
	}
}

// ship adds step to the flow on the arcs of x, its grandparent and so on up to the apex, and
// subtracts it from the arcs between.
func (t *tree) ship(x, apex int32, step int64) {
	for x != apex {
		t.flow[x] += step
		step = -step
		x = t.nodes[x].parent
	}
}

// rehang removes the arc of node out, makes q the root of the subtree below it, attaches q to p by
// an arc with the given flow, and adds shift to the potentials of the subtree.
func (t *tree) rehang(q, p, out int32, flow, shift int64) {
	nodes := t.nodes
	// The stem is the path from q up to out. The rest of a stem node's subtree follows its
	// predecessor's in the new preorder.
	stem, above := q, p
	lift := nodes[p].depth + 1 - nodes[q].depth
	before := nodes[q].prev
	last, after := t.raise(q, nodes[q].depth, lift, shift)
	for {
		up := nodes[stem].parent
		nodes[stem].parent = above
		flow, t.flow[stem] = t.flow[stem], flow
		if stem == out {
			break
		}
		above, stem = stem, up
		lift += 2

		level := nodes[stem].depth
		first := nodes[stem].prev
		x := stem
		for {
			nodes[x].depth += lift
			t.pot[x] += shift
			if x == before {
				break
			}
			x = nodes[x].next
		}
		nodes[last].next, nodes[stem].prev = stem, last
		last = before
		if nodes[after].depth > level {
			nodes[before].next, nodes[after].prev = after, before
			last, after = t.raise(after, level, lift, shift)
		}
		before = first
	}
	nodes[before].next, nodes[after].prev = after, before
	next := nodes[p].next
	nodes[p].next, nodes[q].prev = q, p
	nodes[last].next, nodes[next].prev = next, last
}

// raise adds lift to the depth and shift to the potential of x and of the following nodes below
// level. It returns the last of these and the next node.
func (t *tree) raise(x, level, lift int32, shift int64) (last, after int32) {
	nodes := t.nodes
	for {
		nodes[x].depth += lift
		t.pot[x] += shift
		last, x = x, nodes[x].next
		if nodes[x].depth <= level {
			return last, x
		}
	}
}
