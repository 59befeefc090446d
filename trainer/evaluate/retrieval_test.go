package evaluate

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/gallery"
	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/match"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/network"
	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/trainer/data"
)

// golden has the values that core/gallery/testdata/retrieval.py computes.
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
			if !(math.Abs(got[k]-v) <= 1e-9) {
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
	for n, kept := range map[int]float64{gallery.All: 1, 0: -1} {
		config.Candidates = []int{n}
		if r := require.Value(RunRetrieval(t.Context(), g, want.Labels, config))(t); !(math.Abs(r.Rows[0].Kept-kept) <= 1e-9) {
			t.Errorf("only %d candidates: the share of the best matches is %v, want %v", n, r.Rows[0].Kept, kept)
		}
	}
}

func TestEvaluateErrors(t *testing.T) {
	want, sets := readGolden(t)
	g := memory(t, sets)
	config := Retrieval{Matcher: newMatcher, Candidates: []int{2}, Ks: []int{1}, Threads: 2}
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := RunRetrieval(canceled, g, want.Labels, config); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: error %v", err)
	}
	if _, err := RunRetrieval(t.Context(), g, want.Labels[1:], config); err == nil || !strings.Contains(err.Error(), "23 labels for 24 images") {
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
	config.Progress = func(work func(Progress) error) error {
		return work(func(done, total int) { seen = append(seen, done*100+total) })
	}
	if _, err := RunRetrieval(t.Context(), g, want.Labels, config); err != nil || len(seen) != 23 || seen[22] != 2323 {
		t.Errorf("progress %v, error %v", seen, err)
	}
}

// places makes a ranking of a string: x for right ones.
func places(s string) []bool {
	var relevant []bool
	for _, c := range s {
		relevant = append(relevant, c == 'x')
	}
	return relevant
}

// The values are computed by hand from the definitions. The first rows are from Musgrave et al.,
// figure 3: a single correct result among ten has the same R-Precision at the first and at the
// tenth place, but not the same MAP@R.
func TestMeasure(t *testing.T) {
	for _, test := range []struct {
		ranking         string
		total           int
		recall          []float64
		precision, mapr float64
	}{
		{"x.........", 10, []float64{1, 1, 1}, 0.1, 0.1},
		{".........x", 10, []float64{0, 0, 0}, 0.1, 0.01},
		{"xx........", 10, []float64{1, 1, 1}, 0.2, 0.2},
		{"xxxxxxxxxx", 10, []float64{1, 1, 1}, 1, 1},
		{"x.x.", 2, []float64{1, 1, 1}, 0.5, 0.5}, // the third place is beyond R
		{".xx.", 2, []float64{0, 1, 1}, 0.5, 0.25},
		{".x.x", 3, []float64{0, 1, 1}, 1. / 3, 1. / 6},
		{"...x", 1, []float64{0, 0, 1}, 0, 0},
		{"x.xx.", 4, []float64{1, 1, 1}, 0.75, (1 + 2./3 + 3./4) / 4},
		{"....", 2, []float64{0, 0, 0}, 0, 0},
	} {
		got := Measure(places(test.ranking), test.total, []int{1, 2, 4})
		if !reflect.DeepEqual(got.Recall, test.recall) || !(math.Abs(got.RPrecision-test.precision) <= 1e-12) || !(math.Abs(got.MAPR-test.mapr) <= 1e-12) {
			t.Errorf("%s, %d to find: %+v, want recall %v, R-Precision %v, MAP@R %v", test.ranking, test.total, got, test.recall, test.precision, test.mapr)
		}
	}
}

func TestMeasurePanics(t *testing.T) {
	for _, test := range []struct {
		ranking string
		total   int
	}{{"x", 2}, {"x", 0}, {"", 1}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%q with %d to find: no panic", test.ranking, test.total)
				}
			}()
			Measure(places(test.ranking), test.total, nil)
		}()
	}
}

// TestBoundsOfRealPictures: among real images, too, a search finds the same whether bounds
// leave matches out or not, and they do.
func TestBoundsOfRealPictures(t *testing.T) {
	const classes, each, limit = 20, 10, 5
	set, err := data.OpenSplit("../../../shared/datasets/cifar100.zip", "")
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("no shared data: %v", err)
	} else if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	file := require.Value(weights.Decode(network.ResNet12PhotoFile, network.ResNet12PhotoWeights()))(t)
	network, err := backbone.New(file, backbone.Options{})
	require.NoError(t, err)
	var names []string
	for _, class := range set.Classes()[:classes] {
		for _, p := range set.Pictures(class)[:each] {
			names = append(names, p.Name)
		}
	}
	features, err := Extract(t.Context(), names, set.Image, Extraction{
		Encoder: network, Preprocess: imaging.Preprocess{Size: 32, Mean: file.Meta.Mean, Std: file.Meta.Std},
	})
	require.NoError(t, err)
	var buffer gallery.Buffer
	w, err := gallery.Create(&buffer, gallery.Catalog{Network: project.Network{Embedder: method.Embedder{Kind: method.FCN}}})
	require.NoError(t, err)
	var sets []*embed.Set
	for _, name := range names {
		sets = append(sets, features[name])
		require.NoError(t, w.Add(name, "", features[name]))
	}
	require.NoError(t, w.Close())
	index := require.Value(gallery.Open(buffer.Bytes))(t)
	for kind, g := range map[string]gallery.Gallery{"memory": memory(t, sets), "index": index} {
		solved, candidates := 0, 0
		for i := 0; i < len(sets); i += 7 {
			s := gallery.Searcher{Gallery: g, Matcher: newMatcher, Candidates: 100}
			all, _, err := s.Search(sets[i], s.Candidates) // nothing can be left out
			require.NoError(t, err)
			few, timing, err := s.Search(sets[i], limit)
			require.NoError(t, err)
			if !slices.Equal(few, all[:limit]) {
				t.Errorf("%s, picture %d: %v, want %v", kind, i, few, all[:limit])
			}
			solved, candidates = solved+timing.Solved, candidates+len(all)
		}
		if solved == candidates {
			t.Errorf("%s: all of %d matches were solved", kind, candidates)
		}
		t.Logf("%s: %d of %d matches solved", kind, solved, candidates)
	}
}
