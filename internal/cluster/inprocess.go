package cluster

import (
	"bytes"
	"errors"
	"sync"
)

// ErrAborted is returned on all ranks after one has called Abort.
var ErrAborted = errors.New("another rank has aborted")

// InProcess returns the ranks of a group inside this process, each for one goroutine. Tests compare
// MPI with it. It sums in the order of the ranks.
func InProcess(size int) []Group {
	shared := &life{over: make(chan struct{})}
	m := newRendezvous(size, shared)
	groups := make([]Group, size)
	for rank := range groups {
		groups[rank] = &goroutine{rank: rank, rendezvous: m, life: shared}
	}
	return groups
}

// life is shared by all groups of the same ranks, and ends them together.
type life struct {
	once sync.Once
	over chan struct{}
}

// rendezvous synchronizes the ranks of one group repeatedly.
type rendezvous struct {
	life *life

	mu      sync.Mutex
	parts   []any
	arrived int
	done    chan struct{} // closed after work
}

func newRendezvous(size int, l *life) *rendezvous {
	return &rendezvous{life: l, parts: make([]any, size), done: make(chan struct{})}
}

// exchange contributes a part, and returns after the last rank has called work with all parts.
func (m *rendezvous) exchange(rank int, part any, work func(parts []any)) error {
	m.mu.Lock()
	m.parts[rank] = part
	m.arrived++
	done := m.done
	if m.arrived == len(m.parts) {
		work(m.parts)
		m.parts, m.arrived, m.done = make([]any, len(m.parts)), 0, make(chan struct{})
		close(done)
	}
	m.mu.Unlock()
	select {
	case <-done:
		return nil
	case <-m.life.over:
		return ErrAborted
	}
}

// goroutine is one rank of a group within a process. Its exported methods implement Group, which
// documents them.
type goroutine struct {
	rank       int
	rendezvous *rendezvous
	life       *life
}

func (g *goroutine) Rank() int { return g.rank }

func (g *goroutine) Size() int { return len(g.rendezvous.parts) }

func (g *goroutine) SumFloat32(values []float32) error {
	return g.rendezvous.exchange(g.rank, values, sum[float32])
}

func (g *goroutine) SumFloat64(values []float64) error {
	return g.rendezvous.exchange(g.rank, values, sum[float64])
}

func sum[T float32 | float64](parts []any) {
	total := append([]T(nil), parts[0].([]T)...)
	for _, part := range parts[1:] {
		for i, v := range part.([]T) {
			total[i] += v
		}
	}
	for _, part := range parts {
		copy(part.([]T), total)
	}
}

// transfer is the data that a rank sends, and the buffer for received data.
type transfer struct{ dst, src []byte }

func (g *goroutine) Exchange(dst, src []byte) error {
	return g.rendezvous.exchange(g.rank, transfer{dst, src}, func(parts []any) {
		for to, receiver := range parts {
			for from, sender := range parts {
				given := sender.(transfer).src
				n := len(given) / len(parts)
				copy(receiver.(transfer).dst[from*n:][:n], given[to*n:])
			}
		}
	})
}

func (g *goroutine) Join(dst, part []byte) error {
	return g.rendezvous.exchange(g.rank, transfer{dst, part}, func(parts []any) {
		for _, receiver := range parts {
			to := receiver.(transfer).dst
			for _, sender := range parts {
				to = to[copy(to, sender.(transfer).src):]
			}
		}
	})
}

func (g *goroutine) Gather(part []byte) (all [][]byte, err error) {
	type gathering struct {
		part []byte
		all  *[][]byte
	}
	err = g.rendezvous.exchange(g.rank, gathering{part, &all}, func(parts []any) {
		for _, p := range parts {
			first := parts[0].(gathering).all
			*first = append(*first, bytes.Clone(p.(gathering).part))
		}
	})
	return all, err
}

func (g *goroutine) Broadcast(values []byte) error {
	return g.rendezvous.exchange(g.rank, values, func(parts []any) {
		for _, p := range parts[1:] {
			copy(p.([]byte), parts[0].([]byte))
		}
	})
}

func (g *goroutine) Barrier() error { return g.rendezvous.exchange(g.rank, nil, func([]any) {}) }

func (g *goroutine) Duplicate() (Group, error) {
	var other *rendezvous
	err := g.rendezvous.exchange(g.rank, &other, func(parts []any) {
		m := newRendezvous(len(parts), g.life)
		for _, p := range parts {
			*p.(**rendezvous) = m
		}
	})
	return &goroutine{rank: g.rank, rendezvous: other, life: g.life}, err
}

func (g *goroutine) Abort() { g.life.once.Do(func() { close(g.life.over) }) }
