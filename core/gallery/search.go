package gallery

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/match"
)

// ErrAbsent reports a picture that is not in the gallery.
var ErrAbsent = errors.New("not a picture of the gallery")

// All as a number of candidates or results means the whole gallery, like every negative number.
const All = -1

// Searcher answers queries to a gallery. It is not safe for concurrent use.
type Searcher struct {
	Gallery Gallery
	// Matcher makes a matcher for each thread, all with the same settings; nil means default
	// matchers.
	Matcher func() *match.Matcher
	// Candidates is the number of pictures to match, the nearest by global descriptors, such as 200.
	// All matches every picture. With 0, pictures are ranked by their cosines, and Score is 0.
	Candidates int
	// Threads is the maximum number of goroutines; 0 means all cores.
	Threads int

	rankers []*ranker
}

// Hit is a search result.
type Hit struct {
	Picture int     // number in the gallery
	Score   float64 // of the match, a logit; 0 without matching
	Cosine  float64 // of the global descriptors, -1 to 1
}

// Timing measures the parts of a search.
type Timing struct {
	Choosing time.Duration // candidates by global descriptors
	Matching time.Duration
	Solved   int // solved matches; bounds excluded the other candidates
}

// Search returns at most limit pictures (or All), best first: the candidates by the score of their match,
// with equal scores by cosine. It returns at most Candidates pictures, unless that is 0.
//
// It skips matches that cannot be among the best according to match.Pairing.Bound. This does not
// change the result.
//
// It returns an error for a query that cannot be matched (see match.Prepare) or has other channels
// than the gallery, for a picture that cannot be read, and errors of matching.
func (s *Searcher) Search(query *embed.Set, limit int) ([]Hit, Timing, error) {
	var timing Timing
	began := time.Now()
	if s.Gallery.Len() == 0 {
		return nil, timing, query.Check()
	}
	near, err := s.cosines(query)
	if err != nil {
		return nil, timing, err
	}
	order := Nearest(near, cmp.Or(s.Candidates, limit))
	timing.Choosing = time.Since(began)
	if s.Candidates == 0 {
		hits := make([]Hit, len(order))
		for k, i := range order {
			hits[k] = Hit{Picture: int(i), Cosine: bounded(near[i])}
		}
		return hits, timing, nil
	}
	hits, err := s.rerank(query, order, near, limit, &timing)
	return hits, timing, err
}

// Rerank returns at most limit (or All) of the given pictures, best first: by the score of their
// match, with equal scores by cosine, then in the given order. The pictures may come from another
// vector database; Candidates is ignored.
//
// Its errors are the same as Search's, and ErrAbsent for a number without a picture or a deleted
// picture.
func (s *Searcher) Rerank(query *embed.Set, pictures []int, limit int) ([]Hit, Timing, error) {
	var timing Timing
	began := time.Now()
	if len(pictures) == 0 {
		return nil, timing, query.Check()
	}
	for _, i := range pictures {
		if i < 0 || i >= s.Gallery.Len() {
			return nil, timing, fmt.Errorf("gallery: picture %d of %d: %w", i, s.Gallery.Len(), ErrAbsent)
		}
	}
	near, err := s.cosines(query)
	if err != nil {
		return nil, timing, err
	}
	order := make([]int32, len(pictures))
	for k, i := range pictures {
		if math.IsInf(float64(near[i]), -1) {
			return nil, timing, fmt.Errorf("gallery: picture %d was deleted: %w", i, ErrAbsent)
		}
		order[k] = int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int { return cmp.Compare(near[b], near[a]) })
	timing.Choosing = time.Since(began)
	hits, err := s.rerank(query, order, near, limit, &timing)
	return hits, timing, err
}

// cosines returns the cosines of the query's global descriptor with all pictures.
func (s *Searcher) cosines(query *embed.Set) ([]float32, error) {
	if err := query.Check(); err != nil {
		return nil, err
	}
	channels := s.Gallery.Channels()
	if query.C != channels {
		return nil, fmt.Errorf("gallery: the query has %d channels, the gallery has %d: %w: embed both with the same weights", query.C, channels, match.ErrChannels)
	}
	whole := *query
	switch {
	case !s.Gallery.Summarized():
		whole.Summary = nil
	case query.Summary == nil:
		return nil, fmt.Errorf("gallery: query: %w", errSummaries)
	}
	feature := make([]float32, channels)
	if err := Global(feature, &whole); err != nil {
		return nil, fmt.Errorf("gallery: query: %w", err)
	}
	near := make([]float32, s.Gallery.Len())
	s.Gallery.Cosines(near, feature, s.threads())
	return near, nil
}

// take is the number of pictures that a thread takes at a time: few, so that threads finish
// together.
const take = 16

// rerank returns the best of candidates, which are ordered by cosine. It scores those that can be among
// the best on all threads.
func (s *Searcher) rerank(query *embed.Set, order []int32, near []float32, limit int, timing *Timing) ([]Hit, error) {
	began := time.Now()
	if limit < 0 {
		limit = len(order)
	}
	threads := min(s.threads(), len(order))
	for len(s.rankers) < threads {
		r := &ranker{matcher: new(match.Matcher)}
		if s.Matcher != nil {
			r.matcher = s.Matcher()
		}
		s.rankers = append(s.rankers, r)
	}
	w := &race{pictures: order, hits: make([]Hit, len(order)), best: &topScores{limit: max(limit, 1)}}
	w.best.lowest.Store(math.Float64bits(math.Inf(-1)))
	errs := make([]error, threads)
	onThreads(threads, func(t int) { errs[t] = s.rankers[t].rank(s.Gallery, query, w) })
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	hits := slices.DeleteFunc(w.hits, func(h Hit) bool { return math.IsInf(h.Score, -1) })
	timing.Solved = len(hits)
	for k := range hits {
		hits[k].Cosine = bounded(near[hits[k].Picture])
	}
	slices.SortStableFunc(hits, func(a, b Hit) int { return cmp.Compare(b.Score, a.Score) })
	timing.Matching = time.Since(began)
	return hits[:min(len(hits), limit)], nil
}

// bounded returns a cosine without the rounding error beyond ±1.
func bounded(cosine float32) float64 { return max(-1, min(1, float64(cosine))) }

func (s *Searcher) threads() int { return cmp.Or(max(s.Threads, 0), runtime.GOMAXPROCS(0)) }

// leastPart is the least number of values per thread.
const leastPart = 1024

// inParts calls work for consecutive parts of n values on at most the given number of threads, but at least one, and
// waits for all.
func inParts(n, threads int, work func(from, to int)) {
	threads = max(1, threads)
	each := max(leastPart, (n+threads-1)/threads)
	if n <= each {
		work(0, n)
		return
	}
	onThreads((n+each-1)/each, func(k int) { work(k*each, min((k+1)*each, n)) })
}

// onThreads calls work(0) to work(n-1), each on its own goroutine, and panics with the first of their
// panics. Among them are memory faults, as in a mapped file that was cut off.
func onThreads(n int, work func(k int)) {
	panics := make([]any, n)
	var group sync.WaitGroup
	for k := range n {
		group.Go(func() {
			debug.SetPanicOnFault(true)
			defer func() { panics[k] = recover() }()
			work(k)
		})
	}
	group.Wait()
	for _, p := range panics {
		if p != nil {
			panic(p)
		}
	}
}

// Nearest returns the indices of the limit (or All) highest cosines, highest first, equal ones in
// order. It leaves out −∞.
func Nearest(cosines []float32, limit int) []int32 {
	var order []int32
	if limit < 0 {
		limit = len(cosines)
	}
	shorten := func() {
		slices.SortFunc(order, func(a, b int32) int {
			return cmp.Or(cmp.Compare(cosines[b], cosines[a]), cmp.Compare(a, b))
		})
		order = order[:min(limit, len(order))]
	}
	least := float32(math.Inf(-1)) // later pictures must exceed it
	for i, v := range cosines {
		if v <= least {
			continue
		}
		order = append(order, int32(i))
		if len(order) == 2*limit {
			shorten()
			least = cosines[order[limit-1]]
		}
	}
	shorten()
	return order
}
