package fewshot_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/core/match"
	"github.com/deepemd/deepemd/internal/require"
)

// extender is a classifier that can be extended.
type extender interface {
	fewshot.Classifier
	fewshot.Extender
}

// Adding examples one at a time gives the same scores as a single Fit.
func TestExtendIsFit(t *testing.T) {
	for name, fresh := range map[string]func() extender{
		"prototype":         func() extender { return new(fewshot.Prototype) },
		"balance":           func() extender { return &fewshot.Prototype{Balance: true} },
		"nearest":           func() extender { return new(fewshot.Nearest) },
		"mixture":           func() extender { return new(fewshot.Mixture) },
		"mixture, balanced": func() extender { return &fewshot.Mixture{Balance: true} },
	} {
		t.Run(name, func(t *testing.T) {
			a, b, c, query := examples(1, 20), examples(2, 3), examples(3, 2), examples(1, 21)[20]
			grown := fresh()
			classes := []fewshot.Class{{Support: a[:5:5]}, {Support: b[:2:2]}}
			require.NoError(t, grown.Fit(classes))
			// Extending a fork does not change the original.
			before := require.Value(grown.Scores(nil, c[1]))(t)
			fork := grown.Fork()
			for i, set := range []*embed.Set{b[2], c[0], c[1]} {
				require.NoError(t, fork.Traits().Extender.Extend(i%2*2, set))
			}
			other := require.Value(fork.Scores(nil, c[1]))(t)
			if after, err := grown.Scores(nil, c[1]); err != nil || !slices.Equal(after, before) || slices.Equal(other, before) {
				t.Errorf("a fork was extended: %v (%v), want %v; the fork says %v", after, err, before, other)
			}
			add := func(class int, set *embed.Set) {
				t.Helper()
				require.NoError(t, grown.Extend(class, set))
				if class == len(classes) {
					classes = append(classes, fewshot.Class{})
				}
				classes[class].Support = append(classes[class].Support, set)
				// The order of a head's sums depends on the order of the examples.
				want := scores(t, fresh(), classes, query)
				if got, err := grown.Scores(nil, query); err != nil || !slices.EqualFunc(got, want, near) {
					t.Fatalf("grown: %v (%v), fitted: %v", got, err, want)
				}
			}
			for _, set := range a[5:] {
				add(0, set)
			}
			add(2, c[0])
			add(1, b[2])
			add(2, c[1])
			if after, err := fork.Scores(nil, c[1]); err != nil || !slices.Equal(after, other) {
				t.Errorf("the original of a fork was extended: the fork says %v (%v), want %v", after, err, other)
			}
			require.NoError(t, fork.Traits().Extender.Extend(1, query))
			forked := []fewshot.Class{{Support: slices.Concat(a[:5], b[2:], c[1:])}, {Support: slices.Concat(b[:2], []*embed.Set{query})}, {Support: c[:1]}}
			if got, err := fork.Scores(nil, a[9]); err != nil || !slices.EqualFunc(got, scores(t, fresh(), forked, a[9]), near) {
				t.Errorf("the fork, extended after the original: %v (%v)", got, err)
			}
			// Two forks share no memory, although the original has room for more.
			twins := []fewshot.Classifier{grown.Fork(), grown.Fork()}
			for i, twin := range twins {
				require.NoError(t, twin.Traits().Extender.Extend(1, a[i]))
			}
			for i, twin := range twins {
				grew := slices.Clone(classes)
				grew[1].Support = slices.Concat(grew[1].Support, []*embed.Set{a[i]})
				if got, err := twin.Scores(nil, query); err != nil || !slices.EqualFunc(got, scores(t, fresh(), grew, query), near) {
					t.Errorf("fork %d of two: %v (%v)", i, got, err)
				}
			}
			want := require.Value(grown.Scores(nil, query))(t)

			bad := examples(1, 1)[0]
			bad.Data[5] = float32(math.NaN())
			narrow := &embed.Set{N: 4, C: 2, Data: make([]float32, 8)}
			for _, broken := range []struct {
				set *embed.Set
				is  error
			}{{bad, match.ErrNotFinite}, {narrow, fewshot.ErrMixed}, {nil, embed.ErrSet}} {
				if err := grown.Extend(0, broken.set); !errors.Is(err, broken.is) {
					t.Errorf("error %v, want %v", err, broken.is)
				}
			}
			if got, err := grown.Scores(nil, query); err != nil || !slices.Equal(got, want) {
				t.Errorf("after errors: %v (%v), want %v", got, err, want)
			}
			if err := fresh().Extend(0, a[0]); !errors.Is(err, fewshot.ErrEmpty) {
				t.Errorf("before Fit: error %v, want ErrEmpty", err)
			}
		})
	}
	var p fewshot.Prototype
	require.NoError(t, p.Fit([]fewshot.Class{{Support: examples(1, 1)}}))
	if err := p.Extend(0, &embed.Set{N: 2, C: 24, Data: make([]float32, 48)}); !errors.Is(err, fewshot.ErrMixed) {
		t.Errorf("another number of nodes: error %v, want ErrMixed", err)
	}
}
