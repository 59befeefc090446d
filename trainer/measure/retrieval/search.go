package retrieval

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/match"
)

// All is the number of candidates that stands for the whole gallery.
const All = -1

// Searcher answers queries to a gallery. It is not safe for concurrent use.
type Searcher struct {
	// Gallery is searched.
	Gallery Gallery
	// Matcher makes matchers, all alike; one for each thread.
	Matcher func() *match.Matcher
	// Candidates is how many pictures, the nearest by cosine of the global features,
	// are ranked by their match: All, or 0 for none, which leaves the order of the
	// cosines.
	Candidates int
	// Threads bounds the goroutines; 0 for all cores.
	Threads int

	rankers []*ranker
}

// Hit is a picture that was found.
type Hit struct {
	Picture int     // number in the gallery
	Score   float64 // of the match, a logit; 0 where there were no candidates
	Cosine  float64 // of the global features
}

// Timing is the time that the parts of a search took.
type Timing struct {
	Choosing time.Duration // candidates by global features
	Matching time.Duration
}

// ranker is what one goroutine matches with.
type ranker struct {
	matcher *match.Matcher
	scratch Scratch
	query   match.Prepared
}

// Search returns at most limit pictures, the best first: the candidates by the
// score of their match, of equals the more similar global feature. There are never
// more than candidates, unless these are 0.
//
// It returns an error for a query that cannot be matched (see match.Prepare) or has
// other channels than the gallery, for a gallery's picture that cannot be read, and
// those of matching.
func (s *Searcher) Search(query *embed.Set, limit int) ([]Hit, Timing, error) {
	var timing Timing
	began := time.Now()
	globals, channels := s.Gallery.Globals()
	if err := query.Check(); err != nil {
		return nil, timing, err
	}
	if query.C != channels {
		return nil, timing, fmt.Errorf("retrieval: the query has %d channels, the gallery has %d: %w: embed both with the same weights", query.C, channels, match.ErrChannels)
	}
	feature := make([]float32, channels)
	if err := Global(feature, query); err != nil {
		return nil, timing, fmt.Errorf("retrieval: query: %w", err)
	}
	near := make([]float32, s.Gallery.Len())
	cosines(near, feature, globals, s.threads())
	order := byCosine(near)
	if s.Candidates != All && s.Candidates > 0 {
		order = order[:min(len(order), s.Candidates)]
	}
	timing.Choosing = time.Since(began)
	if s.Candidates == 0 {
		order = order[:min(len(order), limit)]
		hits := make([]Hit, len(order))
		for k, i := range order {
			hits[k] = Hit{Picture: int(i), Cosine: float64(near[i])}
		}
		return hits, timing, nil
	}
	began = time.Now()
	hits := make([]Hit, len(order))
	if err := s.match(hits, query, order); err != nil {
		return nil, timing, err
	}
	for k, i := range order {
		hits[k].Cosine = float64(near[i])
	}
	slices.SortStableFunc(hits, func(a, b Hit) int { return cmp.Compare(b.Score, a.Score) })
	timing.Matching = time.Since(began)
	return hits[:min(len(hits), limit)], timing, nil
}

// match scores pictures of the gallery, on all threads.
func (s *Searcher) match(hits []Hit, query *embed.Set, pictures []int32) error {
	for len(s.rankers) < s.threads() {
		s.rankers = append(s.rankers, &ranker{matcher: s.Matcher()})
	}
	next, mu := 0, sync.Mutex{}
	take := func() (from, to int) { // some at a time, so that no thread waits for another
		const few = 16
		mu.Lock()
		defer mu.Unlock()
		from = next
		next = min(next+few, len(pictures))
		return from, next
	}
	var work errgroup.Group
	for _, r := range s.rankers[:min(len(s.rankers), max(1, len(pictures)))] {
		work.Go(func() error {
			if err := r.matcher.Reset(&r.query, query); err != nil {
				return fmt.Errorf("retrieval: query: %w", err)
			}
			for from, to := take(); from < to; from, to = take() {
				for k := from; k < to; k++ {
					score, err := r.score(s.Gallery, int(pictures[k]))
					if err != nil {
						return err
					}
					hits[k] = Hit{Picture: int(pictures[k]), Score: score}
				}
			}
			return nil
		})
	}
	return work.Wait()
}

// score matches the query with a picture of the gallery.
func (r *ranker) score(g Gallery, picture int) (float64, error) {
	support, err := g.Prepared(picture, r.matcher, &r.scratch)
	if err != nil {
		return 0, err
	}
	return r.matcher.ScorePrepared(&r.query, support)
}

func (s *Searcher) threads() int {
	if s.Threads > 0 {
		return s.Threads
	}
	return runtime.GOMAXPROCS(0)
}
