package gallery

import (
	"cmp"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

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
	// Candidates is the number of pictures, nearest by the cosine of global
	// features, that their match ranks: All, or 0 to keep the order of the cosines.
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

// ranker is the working memory of one goroutine.
type ranker struct {
	matcher *match.Matcher
	scratch Scratch
	query   match.Prepared
}

// Search returns at most limit pictures, the best first: the candidates by the
// score of their match, of equal scores the more similar global feature first. It
// returns no more pictures than candidates, unless these are 0.
//
// It returns an error for a query that cannot be matched (see match.Prepare) or has
// other channels than the gallery, for a gallery's picture that cannot be read, and
// those of matching.
func (s *Searcher) Search(query *embed.Set, limit int) ([]Hit, Timing, error) {
	var timing Timing
	began := time.Now()
	if err := query.Check(); err != nil {
		return nil, timing, err
	}
	if s.Gallery.Len() == 0 {
		return nil, timing, nil
	}
	channels := s.Gallery.Channels()
	if query.C != channels {
		return nil, timing, fmt.Errorf("gallery: the query has %d channels, the gallery has %d: %w: embed both with the same weights", query.C, channels, match.ErrChannels)
	}
	whole := *query
	switch {
	case !s.Gallery.Summarized():
		whole.Summary = nil
	case query.Summary == nil:
		return nil, timing, fmt.Errorf("gallery: query: %w", errSummaries)
	}
	feature := make([]float32, channels)
	if err := Global(feature, &whole); err != nil {
		return nil, timing, fmt.Errorf("gallery: query: %w", err)
	}
	near := make([]float32, s.Gallery.Len())
	s.Gallery.Cosines(near, feature, s.threads())
	most := s.Candidates
	if most == 0 {
		most = limit
	}
	order := Nearest(near, most)
	timing.Choosing = time.Since(began)
	if s.Candidates == 0 {
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

// take is the number of pictures that a thread takes at a time: few, so that none
// waits for another at the end.
const take = 16

// match scores pictures of the gallery, on all threads.
func (s *Searcher) match(hits []Hit, query *embed.Set, pictures []int32) error {
	threads := min(s.threads(), max(1, len(pictures)))
	for len(s.rankers) < threads {
		s.rankers = append(s.rankers, &ranker{matcher: s.Matcher()})
	}
	var next atomic.Int64
	errs := make([]error, threads)
	var work sync.WaitGroup
	for t, r := range s.rankers[:threads] {
		work.Go(func() { errs[t] = r.rank(s.Gallery, hits, query, pictures, &next) })
	}
	work.Wait()
	return errors.Join(errs...)
}

// rank matches the query with pictures, from next on some at a time, until no
// picture is left.
func (r *ranker) rank(g Gallery, hits []Hit, query *embed.Set, pictures []int32, next *atomic.Int64) error {
	if err := r.matcher.Reset(&r.query, query); err != nil {
		return fmt.Errorf("gallery: query: %w", err)
	}
	for {
		to := int(next.Add(take))
		from := min(to-take, len(pictures))
		if from == len(pictures) {
			return nil
		}
		for k := from; k < min(to, len(pictures)); k++ {
			i := int(pictures[k])
			support, err := g.Prepared(i, r.matcher, &r.scratch)
			if err != nil {
				return err
			}
			score, err := r.matcher.ScorePrepared(&r.query, support)
			if err != nil {
				return fmt.Errorf("picture %d: %w", i, err)
			}
			hits[k] = Hit{Picture: i, Score: score}
		}
	}
}

func (s *Searcher) threads() int {
	if s.Threads > 0 {
		return s.Threads
	}
	return runtime.GOMAXPROCS(0)
}
