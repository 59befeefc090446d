package solver

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
)

// walk returns an error unless t is a spanning tree of all nodes that satisfies the invariants of
// the type.
func (t *tree) walk(cost []int64, m, k, stride int) error {
	n := m + k
	root := -1
	for x, nd := range t.nodes[:n] {
		if nd.parent < 0 {
			if root >= 0 {
				return fmt.Errorf("nodes %d and %d are both roots", root, x)
			}
			root = x
		}
		if int(t.nodes[nd.next].prev) != x {
			return fmt.Errorf("node %d is not before the node after it", x)
		}
	}
	if root < 0 {
		return fmt.Errorf("no root")
	}
	seen := make([]bool, n)
	path := []int32{}
	for x, count := int32(root), 0; count < n; x, count = t.nodes[x].next, count+1 {
		if seen[x] {
			return fmt.Errorf("node %d comes twice in preorder", x)
		}
		seen[x] = true
		nd := t.nodes[x]
		if int(nd.depth) > len(path) {
			return fmt.Errorf("node %d at depth %d follows one at depth %d", x, nd.depth, len(path)-1)
		}
		path = append(path[:nd.depth], x)
		if nd.parent < 0 {
			continue
		}
		if nd.depth == 0 || path[nd.depth-1] != nd.parent {
			return fmt.Errorf("node %d is not in preorder below its parent %d", x, nd.parent)
		}
		i, j := int(x), int(nd.parent)
		if i >= m {
			i, j = j, i
		}
		if i >= m || j < m {
			return fmt.Errorf("arc between %d and %d does not go from a row to a column", i, j)
		}
		if r := cost[i*stride+j-m] + t.pot[i] - t.pot[j]; r != 0 {
			return fmt.Errorf("arc (%d, %d) of the basis has reduced cost %d", i, j, r)
		}
		if t.flow[x] < 0 || t.flow[x] == 0 && int(x) >= m {
			return fmt.Errorf("flow %d on the arc of node %d: not strongly feasible", t.flow[x], x)
		}
	}
	return nil
}

// balanceOf returns the net flow of each node on the tree's arcs: the supply of rows, minus the
// demand of columns.
func (t *tree) balanceOf(m, k int) []int64 {
	net := make([]int64, m+k)
	for x, nd := range t.nodes[:m+k] {
		if nd.parent < 0 {
			continue
		}
		f := t.flow[x]
		if x >= m {
			f = -f
		}
		net[x] += f
		net[nd.parent] -= f
	}
	return net
}

// TestTreeInvariants checks the whole tree after the start and after each pivot. Most problems are
// degenerate.
func TestTreeInvariants(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	var s Simplex
	for trial := range 300 {
		m, k := 1+r.IntN(12), 1+r.IntN(12)
		weights := 1 + r.IntN(3)
		p := &Problem{Rows: m, Cols: k, Cost: make([]float64, m*k), Supply: make([]float64, m), Demand: make([]float64, k)}
		for i := range p.Cost {
			p.Cost[i] = float64(r.IntN(1 + trial%9))
		}
		for range 3 * (m + k) {
			w := float64(r.IntN(weights + 1))
			p.Supply[r.IntN(m)] += w
			p.Demand[r.IntN(k)] += w
		}
		p.Supply[0]++
		p.Demand[0]++
		if m == k && trial%2 == 0 {
			for i := range m { // an assignment: no degree of freedom but ties
				p.Supply[i], p.Demand[i] = 1, 1
			}
		}
		checkPivots(t, &s, p)
	}
}

func checkPivots(t *testing.T, s *Simplex, p *Problem) {
	t.Helper()
	require.Value(s.loadWeights(p))(t)
	require.Value(s.loadCosts(p))(t)
	m, k := len(s.rows), len(s.cols)
	want := append([]int64(nil), s.weight...)
	s.start.build(&s.tree, s.cost, s.weight, m, k, s.stride)
	tree := &s.tree
	for pivots := 0; ; pivots++ {
		if err := tree.walk(s.cost, m, k, s.stride); err != nil {
			t.Fatalf("%+v after %d pivots: %v", p, pivots, err)
		}
		for x, got := range tree.balanceOf(m, k) {
			if x >= m {
				got = -got
			}
			if got != want[x] {
				t.Fatalf("%+v after %d pivots: node %d ships %d of %d", p, pivots, x, got, want[x])
			}
		}
		if pivots > 100*m*k {
			t.Fatalf("%+v: %d pivots and no end", p, pivots)
		}
		low, row, col := int64(0), 0, 0
		for i := range m {
			for j := range k {
				if c := s.cost[i*s.stride+j] + tree.pot[i] - tree.pot[m+j]; c < low {
					low, row, col = c, i, m+j
				}
			}
		}
		if low == 0 {
			return
		}
		tree.pivot(int32(row), int32(col), low)
	}
}

// sweeps lists the sweeps that this machine can run but does not select.
var sweeps = map[string]func(list []candidate, cost, v, u []int64, row, m int32) (n int){}

// TestSweepsAgree compares all sweeps of this machine with sweepGeneric.
func TestSweepsAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	sweeps["selected"] = sweep
	for range 200 {
		rows, stride := 1+r.IntN(13), sweepLanes*(1+r.IntN(6))
		cost, v, u := make([]int64, rows*stride), make([]int64, stride), make([]int64, rows)
		for _, s := range [][]int64{cost, v, u} {
			for i := range s {
				s[i] = r.Int64N(1<<59) - 1<<58
			}
		}
		got, want := make([]candidate, rows*stride+sweepLanes), make([]candidate, rows*stride+sweepLanes)
		m := sweepGeneric(want, cost, v, u, 3, 40)
		for name, sweep := range sweeps {
			if n := sweep(got, cost, v, u, 3, 40); !slices.Equal(got[:n], want[:m]) {
				t.Fatalf("%s: %d arcs listed, want %d, or others", name, n, m)
			}
		}
	}
}
