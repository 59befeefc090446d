package main

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/gallery"
	"github.com/deepemd/deepemd/core/match"
	"github.com/deepemd/deepemd/core/method"
)

// search returns the pictures that are most similar to the query.
func (k *session) search(query *embed.Set, weighting match.Weighting, limit, candidates int) (any, error) {
	if limit < 1 || candidates < 0 {
		return nil, badArgument("%d pictures of %d candidates: want one at least", limit, candidates)
	}
	out := searchAnswer{Found: []hit{}}
	if k.index == nil || k.index.Size() == 0 {
		return out, nil
	}
	s := gallery.Searcher{Gallery: k.index, Candidates: candidates, Threads: 1, Matcher: func() *match.Matcher { return &match.Matcher{Weighting: weighting} }}
	hits, timing, err := s.Search(query, limit)
	if err != nil {
		return nil, damagedPicture(err)
	}
	for _, h := range hits {
		f := hit{Name: k.index.Name(h.Picture), Cosine: h.Cosine}
		if candidates != 0 {
			f.Similarity = new(h.Score / method.Default().Temperature)
		}
		out.Found = append(out.Found, f)
	}
	if candidates != 0 {
		out.Matched = min(candidates, k.index.Size())
	}
	out.ChooseMS, out.MatchMS = milliseconds(timing.Choosing), milliseconds(timing.Matching)
	return out, nil
}

// damagedPicture adds the remedy to an error of reading one picture.
func damagedPicture(err error) error {
	if !errors.Is(err, gallery.ErrDamaged) {
		return err
	}
	why, _, _ := strings.Cut(err.Error(), ": "+gallery.ErrDamaged.Error())
	return coded{"bad-gallery", fmt.Errorf("the stored features of %s are damaged: remove that picture and add it again", why)}
}

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// explain matches the query with one picture of the gallery.
func (k *session) explain(name string, query *embed.Set, weighting match.Weighting) (any, error) {
	i, ok := k.number(name)
	if !ok {
		return nil, coded{"unknown-name", fmt.Errorf("there is no picture %q: was it removed?", name)}
	}
	m := &match.Matcher{Weighting: weighting}
	prepared, err := m.Prepare(query)
	if err != nil {
		return nil, err
	}
	support, err := k.index.Prepared(i, m, &k.scratch)
	if err != nil {
		return nil, damagedPicture(err)
	}
	found, err := m.MatchPrepared(prepared, support)
	if err != nil {
		return nil, err
	}
	return explained{found.Score / found.Temperature, found.QueryWeights, found.SupportWeights, found.Similarity, found.Flow}, nil
}

// weightingOf returns the weighting with the name that methods use.
func weightingOf(name string) (match.Weighting, error) {
	switch name {
	case "", method.CrossReference:
		return match.CrossReference{}, nil
	case method.Equal:
		return match.Equal{}, nil
	}
	return nil, badArgument("a gallery has no weighting %q: want %s or %s", name, method.CrossReference, method.Equal)
}
