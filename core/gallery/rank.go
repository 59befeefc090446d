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
)

// race is what the goroutines that match candidates share.
type race struct {
	pictures []int32
	next     atomic.Int64 // place of the picture that nobody has taken yet
	hits     []Hit        // of each picture; those that cannot win have a score of −∞
	best     *leaders
}

// ranker is the working memory of one goroutine.
type ranker struct {
	matcher *match.Matcher
	scratch Scratch
	query   match.Prepared
}

// rank matches the query with pictures, some at a time, until no picture is left.
func (r *ranker) rank(g Gallery, query *embed.Set, w *race) error {
	if err := r.matcher.Reset(&r.query, query); err != nil {
		return fmt.Errorf("gallery: query: %w", err)
	}
	r.query.Pack() // the pictures of an index are not
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

// rounding is more than a bound and a score can differ because their sums have another
// order, in parts of the temperature.
const rounding = 1e-9

// score matches the query with a support, −∞ where that cannot be among the best. Bounds
// are of exact flows: what other solvers find is not compared with them.
func (r *ranker) score(support *match.Prepared, best *leaders) (float64, error) {
	pairing, err := r.matcher.Pair(&r.query, support)
	if err != nil {
		return 0, err
	}
	if r.matcher.Solver == nil {
		reach := best.toReach()
		if !math.IsInf(reach, -1) && pairing.Bound() < reach-rounding*method.Temperature {
			return math.Inf(-1), nil
		}
	}
	found, err := pairing.Solve()
	if err != nil {
		return 0, err
	}
	best.add(found.Score)
	return found.Score, nil
}

// leaders are the highest scores so far, at most a limit of them: what a candidate has to
// reach to be found. Several goroutines may use them at a time.
type leaders struct {
	limit  int
	lowest atomic.Uint64 // the bits of the lowest of them; of −∞ while there are fewer

	mu     sync.Mutex
	scores []float64 // ascending
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
	at, _ := slices.BinarySearch(l.scores, score)
	l.scores = slices.Insert(l.scores, at, score)
	if len(l.scores) > l.limit {
		l.scores = slices.Delete(l.scores, 0, 1)
	}
	if len(l.scores) == l.limit {
		l.lowest.Store(math.Float64bits(l.scores[0]))
	}
}
