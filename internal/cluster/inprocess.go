package cluster

import (
	"errors"
	"slices"
	"sync"
)

// ErrAborted is returned on all ranks after one has called Abort.
var ErrAborted = errors.New("another rank has aborted")

// InProcess returns the ranks of a group inside this process, each for one goroutine. Tests compare
// MPI with it. It sums in the order of the ranks.
func InProcess(size int) []Group {
	over := make(chan struct{})
	m := &rendezvous{size: size, over: over, abort: sync.OnceFunc(func() { close(over) })}
	groups := make([]Group, size)
	for rank := range groups {
		groups[rank] = &goroutine{rank, m}
	}
	return groups
}

// rendezvous exchanges values among the ranks of one group in a series of meetings.
type rendezvous struct {
	size  int
	over  <-chan struct{} // closed by abort, for all groups of the same ranks
	abort func()

	mu  sync.Mutex
	now *meeting // nil before the first rank arrives
}

type meeting struct {
	parts   []any
	arrived int
	done    chan struct{} // closed when all have arrived
}

// exchange contributes a part, which must not change afterwards, and returns the parts of all ranks.
func (m *rendezvous) exchange(rank int, part any) ([]any, error) {
	m.mu.Lock()
	if m.now == nil {
		m.now = &meeting{parts: make([]any, m.size), done: make(chan struct{})}
	}
	r := m.now
	r.parts[rank] = part
	if r.arrived++; r.arrived == m.size {
		m.now = nil
		close(r.done)
	}
	m.mu.Unlock()
	select {
	case <-r.done:
		return r.parts, nil
	case <-m.over:
		return nil, ErrAborted
	}
}

// goroutine is one rank of a group within a process. Its exported methods implement Group, which
// documents them.
type goroutine struct {
	rank int
	*rendezvous
}

// gather returns copies of the values of all ranks, in order.
func gather[T any](g *goroutine, values []T) ([][]T, error) {
	parts, err := g.exchange(g.rank, slices.Clone(values))
	all := make([][]T, len(parts))
	for i, part := range parts {
		all[i] = part.([]T)
	}
	return all, err
}

func sum[T float32 | float64](g *goroutine, values []T) error {
	all, err := gather(g, values)
	if err != nil {
		return err
	}
	copy(values, all[0])
	for _, part := range all[1:] {
		for i, v := range part {
			values[i] += v
		}
	}
	return nil
}

// Rank implements [Group].
func (g *goroutine) Rank() int { return g.rank }

// Size implements [Group].
func (g *goroutine) Size() int { return g.size }

// SumFloat32 implements [Group].
func (g *goroutine) SumFloat32(values []float32) error { return sum(g, values) }

// SumFloat64 implements [Group].
func (g *goroutine) SumFloat64(values []float64) error { return sum(g, values) }

// Exchange implements [Group].
func (g *goroutine) Exchange(dst, src []byte) error {
	all, err := gather(g, src)
	n := len(src) / g.size
	for from, part := range all {
		copy(dst[from*n:], part[g.rank*n:][:n])
	}
	return err
}

// Join implements [Group].
func (g *goroutine) Join(dst, part []byte) error {
	all, err := gather(g, part)
	copy(dst, slices.Concat(all...))
	return err
}

// Broadcast implements [Group].
func (g *goroutine) Broadcast(values []byte) error {
	all, err := gather(g, values)
	if err == nil {
		copy(values, all[0])
	}
	return err
}

// Duplicate implements [Group].
func (g *goroutine) Duplicate() (Group, error) {
	parts, err := g.exchange(g.rank, &rendezvous{size: g.size, over: g.over, abort: g.abort})
	if err != nil {
		return nil, err
	}
	return &goroutine{g.rank, parts[0].(*rendezvous)}, nil
}

// Abort implements [Group].
func (g *goroutine) Abort() { g.abort() }
