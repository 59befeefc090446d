package evaluate

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/gallery"
	"github.com/deepemd/deepemd/core/match"
	"github.com/deepemd/deepemd/internal/require"
)

// golden is what core/gallery/testdata/retrieval.py computes.
type golden struct {
	Labels          []int
	Nodes, Channels int
	Ks              []int
	Rows            []struct {
		Candidates             int
		Recall                 []float64
		RPrecision, MAPR, Kept float64
	}
	Pictures [][]float32
}

func readGolden(t testing.TB) (*golden, []*embed.Set) {
	t.Helper()
	raw := require.Value(os.ReadFile("../../core/gallery/testdata/retrieval.json"))(t)
	var g golden
	require.NoError(t, json.Unmarshal(raw, &g))
	var sets []*embed.Set
	for _, values := range g.Pictures {
		sets = append(sets, &embed.Set{N: g.Nodes, C: g.Channels, Data: values})
	}
	return &g, sets
}

func newMatcher() *match.Matcher { return new(match.Matcher) }

func memory(t testing.TB, sets []*embed.Set) *gallery.Memory {
	t.Helper()
	g := require.Value(gallery.NewMemory(sets, newMatcher()))(t)
	return g
}

func TestEvaluateAgreesWithPython(t *testing.T) {
	want, sets := readGolden(t)
	g := memory(t, sets)
	config := Retrieval{Matcher: newMatcher, Ks: want.Ks, Threads: 1}
	for _, row := range want.Rows {
		config.Candidates = append(config.Candidates, row.Candidates)
	}
	config.Candidates[len(config.Candidates)-1] = gallery.All
	one := require.Value(RunRetrieval(t.Context(), g, want.Labels, config))(t)
	if one.Queries != 23 || one.Lone != 1 {
		t.Errorf("%d queries, %d lone, want 23 and 1", one.Queries, one.Lone)
	}
	for i, row := range one.Rows {
		w := want.Rows[i]
		got := append(append([]float64{}, row.Recall...), row.RPrecision, row.MAPR, row.Kept)
		for k, v := range append(append([]float64{}, w.Recall...), w.RPrecision, w.MAPR, w.Kept) {
			if math.Abs(got[k]-v) > 1e-9 {
				t.Errorf("%d candidates: %v, Python has %v in place %d", w.Candidates, got, v, k)
			}
		}
	}
	config.Threads = 5
	many := require.Value(RunRetrieval(t.Context(), g, want.Labels, config))(t)
	for _, r := range []*RetrievalResult{one, many} {
		for i := range r.Rows {
			r.Rows[i].Matching = 0 // no two times are the same
		}
	}
	if !reflect.DeepEqual(many, one) {
		t.Error("five threads give another result than one")
	}
}

func TestEvaluateErrors(t *testing.T) {
	want, sets := readGolden(t)
	g := memory(t, sets)
	config := Retrieval{Matcher: newMatcher, Candidates: []int{2}, Ks: []int{1}, Threads: 2}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := RunRetrieval(cancelled, g, want.Labels, config); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: error %v", err)
	}
	if _, err := RunRetrieval(t.Context(), g, want.Labels[1:], config); err == nil || !strings.Contains(err.Error(), "23 labels for 24 pictures") {
		t.Errorf("too few labels: error %v", err)
	}
	lonely := make([]int, len(sets))
	for i := range lonely {
		lonely[i] = i
	}
	if _, err := RunRetrieval(t.Context(), g, lonely, config); err == nil || !strings.Contains(err.Error(), "nothing to find") {
		t.Errorf("all alone: error %v", err)
	}
	var seen []int
	config.Progress = func(done, total int) { seen = append(seen, done*100+total) }
	if _, err := RunRetrieval(t.Context(), g, want.Labels, config); err != nil || len(seen) != 23 || seen[22] != 2323 {
		t.Errorf("progress %v, error %v", seen, err)
	}
}
