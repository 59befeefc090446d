package gallery

import (
	"container/heap"
	"math"
	"sync"
	"sync/atomic"
)

// leaders are the highest scores so far, at most a limit of them: what a candidate has to
// reach to be found. Several goroutines may use them at a time.
type leaders struct {
	limit  int
	lowest atomic.Uint64 // the bits of the lowest of them; of −∞ while there are fewer

	mu     sync.Mutex
	scores lowestFirst
}

func newLeaders(limit int) *leaders {
	l := &leaders{limit: limit}
	l.lowest.Store(math.Float64bits(math.Inf(-1)))
	return l
}

// toReach is the lowest score that can still be among the best. It only rises.
func (l *leaders) toReach() float64 { return math.Float64frombits(l.lowest.Load()) }

// add counts a score.
func (l *leaders) add(score float64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case len(l.scores) < l.limit:
		heap.Push(&l.scores, score)
	case score > l.scores[0]:
		l.scores[0] = score
		heap.Fix(&l.scores, 0)
	}
	if len(l.scores) == l.limit {
		l.lowest.Store(math.Float64bits(l.scores[0]))
	}
}

// lowestFirst is a heap of scores.
type lowestFirst []float64

// Len implements heap.Interface.
func (s lowestFirst) Len() int { return len(s) }

// Less implements heap.Interface.
func (s lowestFirst) Less(a, b int) bool { return s[a] < s[b] }

// Swap implements heap.Interface.
func (s lowestFirst) Swap(a, b int) { s[a], s[b] = s[b], s[a] }

// Push implements heap.Interface.
func (s *lowestFirst) Push(v any) { *s = append(*s, v.(float64)) }

// Pop implements heap.Interface.
func (s *lowestFirst) Pop() any {
	last := (*s)[len(*s)-1]
	*s = (*s)[:len(*s)-1]
	return last
}
