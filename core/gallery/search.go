package gallery

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/match"
)

// ErrAbsent says that a gallery has no such picture, for errors.Is.
var ErrAbsent = errors.New("not a picture of the gallery")

// All is the number of candidates that stands for the whole gallery.
const All = -1

// Searcher answers queries to a gallery. It is not safe for concurrent use.
type Searcher struct {
	// Gallery is searched.
	Gallery Gallery
	// Matcher makes matchers, all alike; one for each thread. nil makes default matchers.
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
	Solved   int // candidates whose match was solved: the bounds of the others were too low
}

// Search returns at most limit pictures, the best first: the candidates by the
// score of their match, of equal scores the more similar global feature first. It
// returns no more pictures than candidates, unless these are 0.
//
// It solves no match that cannot be among the best so many, as match.Pairing.Bound says;
// what it returns is the same.
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
	near, err := s.cosines(query)
	if err != nil {
		return nil, timing, err
	}
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
	hits, err := s.rerank(query, order, near, limit, &timing)
	return hits, timing, err
}

// Rerank returns at most limit of the pictures given, the best first: by the score of
// their match, of equal scores the more similar global feature first, then the one that
// was given first. Another store may have chosen them; Candidates does not count.
//
// Besides the errors of Search there is ErrAbsent, for a number that no picture has and for a
// picture that was deleted.
func (s *Searcher) Rerank(query *embed.Set, pictures []int, limit int) ([]Hit, Timing, error) {
	var timing Timing
	began := time.Now()
	if err := query.Check(); err != nil {
		return nil, timing, err
	}
	if len(pictures) == 0 {
		return nil, timing, nil
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

// cosines are those of the query's global feature with all pictures'.
func (s *Searcher) cosines(query *embed.Set) ([]float32, error) {
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

// rerank returns the best of candidates, which are in the order of their cosines.
func (s *Searcher) rerank(query *embed.Set, order []int32, near []float32, limit int, timing *Timing) ([]Hit, error) {
	began := time.Now()
	hits, err := s.match(query, order, limit)
	if err != nil {
		return nil, err
	}
	timing.Solved = len(hits)
	for k := range hits {
		hits[k].Cosine = float64(near[hits[k].Picture])
	}
	slices.SortStableFunc(hits, func(a, b Hit) int { return cmp.Compare(b.Score, a.Score) })
	timing.Matching = time.Since(began)
	return hits[:min(len(hits), limit)], nil
}

// take is the number of pictures that a thread takes at a time: few, so that none
// waits for another at the end.
const take = 16

// match scores those of the pictures that can be among the best limit, in their order, on
// all threads.
func (s *Searcher) match(query *embed.Set, pictures []int32, limit int) ([]Hit, error) {
	threads := min(s.threads(), max(1, len(pictures)))
	for len(s.rankers) < threads {
		r := &ranker{matcher: new(match.Matcher)}
		if s.Matcher != nil {
			r.matcher = s.Matcher()
		}
		s.rankers = append(s.rankers, r)
	}
	w := &race{pictures: pictures, hits: make([]Hit, len(pictures)), best: newLeaders(max(limit, 1))}
	errs := make([]error, threads)
	var work sync.WaitGroup
	for t, r := range s.rankers[:threads] {
		work.Go(func() { errs[t] = r.rank(s.Gallery, query, w) })
	}
	work.Wait()
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	return slices.DeleteFunc(w.hits, func(h Hit) bool { return math.IsInf(h.Score, -1) }), nil
}

func (s *Searcher) threads() int {
	if s.Threads > 0 {
		return s.Threads
	}
	return runtime.GOMAXPROCS(0)
}

// leastPart is the least number of values that is worth a thread's start.
const leastPart = 1024

// inParts calls work for consecutive parts of n values, each on a thread of its
// own, of at most so many, and returns when all are done.
func inParts(n, threads int, work func(from, to int)) {
	each := max(leastPart, (n+threads-1)/threads)
	if n <= each {
		work(0, n)
		return
	}
	var group sync.WaitGroup
	for from := 0; from < n; from += each {
		group.Go(func() { work(from, min(from+each, n)) })
	}
	group.Wait()
}

// Nearest returns the numbers of at most limit pictures by their cosines, or of All, the most
// similar first, of equal ones the lower number first. Pictures with −∞ are left out.
func Nearest(cosines []float32, limit int) []int32 {
	var order []int32
	shorten := func() {
		slices.SortFunc(order, func(a, b int32) int {
			return cmp.Or(cmp.Compare(cosines[b], cosines[a]), cmp.Compare(a, b))
		})
		if limit != All {
			order = order[:min(limit, len(order))]
		}
	}
	least := float32(math.Inf(-1)) // later pictures must exceed it
	for i, v := range cosines {
		if v <= least {
			continue
		}
		order = append(order, int32(i))
		if limit != All && len(order) == 2*limit {
			shorten()
			least = cosines[order[limit-1]]
		}
	}
	shorten()
	return order
}
