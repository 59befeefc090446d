package gallery

import (
	"fmt"
	"math"
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
