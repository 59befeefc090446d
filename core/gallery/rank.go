package gallery

import (
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/match"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/solver"
)

// race is the state that all goroutines of a search share.
type race struct {
	pictures []int32
	next     atomic.Int64 // index of the next picture to match
	hits     []Hit        // per picture; score −∞ if it cannot win
	best     *topScores
}

type ranker struct {
	matcher *match.Matcher
	scratch Scratch
	query   match.Prepared
}

// rank matches the query with pictures, a few at a time, until none is left.
func (r *ranker) rank(g Gallery, query *embed.Set, w *race) error {
	if err := r.matcher.Reset(&r.query, query); err != nil {
		return fmt.Errorf("gallery: query: %w", err)
	}
	r.query.Pack() // the pictures of an index are not packed
	for {
		to := int(w.next.Add(take))
		from := min(to-take, len(w.pictures))
		if from == len(w.pictures) {
			return nil
		}
		for k := from; k < min(to, len(w.pictures)); k++ {
			i := int(w.pictures[k])
			support, err := g.Prepared(i, r.matcher, &r.scratch)
			if err != nil {
				return err
			}
			score, err := r.score(support, w.best)
			if err != nil {
				return fmt.Errorf("picture %d: %w", i, err)
			}
			w.hits[k] = Hit{Picture: i, Score: score}
		}
	}
}

// score returns the score of a match, or −∞ if the support cannot be among the best.
func (r *ranker) score(support *match.Prepared, best *topScores) (float64, error) {
	pairing, err := r.matcher.Pair(&r.query, support)
	if err != nil {
		return 0, err
	}
	reach := best.threshold()
	if !math.IsInf(reach, -1) && pairing.Bound() < reach-solver.Imbalance*method.Temperature { // flows may exceed the weights by as much
		return math.Inf(-1), nil
	}
	found, err := pairing.Solve()
	if err != nil {
		return 0, err
	}
	best.add(found.Score)
	return found.Score, nil
}

// topScores holds the limit highest scores so far. A candidate must exceed the lowest. It is safe for
// concurrent use.
type topScores struct {
	limit  int
	lowest atomic.Uint64 // bits of the lowest score, or of −∞ below limit scores

	mu     sync.Mutex
	scores []float64 // ascending
}

// threshold returns the lowest score that can still be among the best. It never falls.
func (l *topScores) threshold() float64 { return math.Float64frombits(l.lowest.Load()) }

func (l *topScores) add(score float64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	at, _ := slices.BinarySearch(l.scores, score)
	l.scores = slices.Insert(l.scores, at, score)
	if len(l.scores) > l.limit {
		l.scores = slices.Delete(l.scores, 0, 1)
	}
	if len(l.scores) == l.limit {
		l.lowest.Store(math.Float64bits(l.scores[0]))
	}
}
