package gallery

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/match"
)

func TestSearchAgreesWithPython(t *testing.T) {
	want, sets := readGolden(t)
	s := Searcher{Gallery: memory(t, sets[1:]), Matcher: newMatcher, Candidates: All, Threads: 3}
	hits, _, err := s.Search(sets[0], 100)
	if err != nil || len(hits) != len(want.FirstScores) {
		t.Fatalf("%d pictures found, error %v", len(hits), err)
	}
	for k, h := range hits {
		if math.Abs(h.Score-want.FirstScores[h.Picture]) > 1e-5 || math.Abs(h.Cosine-want.FirstCosines[h.Picture]) > 1e-6 {
			t.Errorf("%+v, Python has %v and %v", h, want.FirstScores[h.Picture], want.FirstCosines[h.Picture])
		}
		if k > 0 && h.Score > hits[k-1].Score {
			t.Errorf("place %d is better than the one before", k)
		}
	}
}

func TestNewMemoryErrors(t *testing.T) {
	_, sets := readGolden(t)
	other := &embed.Set{N: 1, C: 3, Data: []float32{1, 2, 3}}
	bad := &embed.Set{N: 1, C: 8, Data: []float32{1, 2, 3, 4, 5, 6, 7, float32(math.Inf(1))}}
	for name, test := range map[string]struct {
		set  *embed.Set
		want error
	}{"channels": {other, match.ErrChannels}, "infinite": {bad, match.ErrNotFinite}, "empty": {&embed.Set{}, embed.ErrSet}} {
		if _, err := NewMemory([]*embed.Set{sets[0], test.set}, newMatcher()); !errors.Is(err, test.want) || !strings.Contains(err.Error(), "picture 1") {
			t.Errorf("%s: error %v, want %v", name, err, test.want)
		}
		if _, err := NewMemory([]*embed.Set{test.set}, newMatcher()); name != "channels" && !errors.Is(err, test.want) {
			t.Errorf("%s, first: error %v, want %v", name, err, test.want)
		}
	}
}
