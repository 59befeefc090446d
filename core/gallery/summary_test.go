package gallery

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/match"
	"github.com/deepemd/deepemd/internal/require"
)

// summarized returns three pictures whose nodes and summaries point in different directions.
func summarized() []*embed.Set {
	return []*embed.Set{
		{N: 1, C: 3, Data: []float32{1, 0, 2}, Summary: []float32{0, 5, 0}},
		{N: 1, C: 3, Data: []float32{0, 1, 2}, Summary: []float32{3, 0, 0}},
		{N: 1, C: 3, Data: []float32{0, 3, 1}, Summary: []float32{1, 0, 1}},
	}
}

// TestSummariesChooseCandidates checks that summaries choose the candidates, in memory and in an
// index.
func TestSummariesChooseCandidates(t *testing.T) {
	sets := summarized()
	var file storage
	w := require.Value(Create(&file, about()))(t)
	for i, set := range sets {
		require.NoError(t, w.Add(fmt.Sprint("picture ", i), "", set))
	}
	require.NoError(t, w.Close())
	index := opened(t, file.Bytes)
	query := &embed.Set{N: 1, C: 3, Data: []float32{1, 0, 2}, Summary: []float32{1, 0, 0}}
	for name, g := range map[string]Gallery{"memory": memory(t, sets), "index": index} {
		s := Searcher{Gallery: g, Matcher: newMatcher}
		hits, _, err := s.Search(query, 3)
		require.NoError(t, err)
		var order []int
		for _, h := range hits {
			order = append(order, h.Picture)
		}
		if want := []int{1, 2, 0}; !slices.Equal(order, want) || !(math.Abs(hits[0].Cosine-1) <= 1e-4) {
			t.Errorf("%s: found %v with a cosine of %v, want %v with 1", name, order, hits[0].Cosine, want)
		}
		bare := *query
		bare.Summary = nil
		if _, _, err := s.Search(&bare, 3); !errors.Is(err, errSummaries) {
			t.Errorf("%s: a query without a summary: error %v", name, err)
		}
	}
}

// TestSummariesOrNone checks that pictures with and without summaries cannot be mixed, but a
// gallery without summaries accepts any query.
func TestSummariesOrNone(t *testing.T) {
	sets := summarized()
	for _, set := range sets[1:] {
		set.Summary = nil
	}
	if _, err := NewMemory(sets, newMatcher()); !errors.Is(err, errSummaries) {
		t.Errorf("memory: error %v", err)
	}
	w := require.Value(Create(new(storage), about()))(t)
	if err := errors.Join(w.Add("a", "", sets[0]), w.Add("b", "", sets[1])); !errors.Is(err, errSummaries) {
		t.Errorf("index: error %v", err)
	}
	s := Searcher{Gallery: memory(t, sets[1:]), Matcher: newMatcher}
	hits, _, err := s.Search(sets[0], 1)
	if err != nil || hits[0].Picture != 0 {
		t.Errorf("the means of nodes: %v, error %v", hits, err)
	}
	sets[0].Summary = []float32{1, 2}
	if err := sets[0].Check(); !errors.Is(err, embed.ErrSet) {
		t.Errorf("a summary of two values: error %v", err)
	}
}

// TestSummariesWithDamagedNodes checks that a summary does not hide NaN nodes, which would damage the
// whole index.
func TestSummariesWithDamagedNodes(t *testing.T) {
	sets := summarized()
	sets[1].Data = slices.Clone(sets[1].Data)
	sets[1].Data[2] = float32(math.NaN())
	w := require.Value(Create(new(storage), about()))(t)
	require.NoError(t, w.Add("a", "", sets[0]))
	if err := w.Add("b", "", sets[1]); !errors.Is(err, match.ErrNotFinite) {
		t.Errorf("error %v", err)
	}
}
