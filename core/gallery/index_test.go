package gallery

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/match"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/internal/kernel"
	"github.com/deepemd/deepemd/internal/require"
)

func about() Catalog {
	return Catalog{
		Network:    project.Network{Name: "random", SHA256: "abc", Embedder: method.Embedder{Kind: method.FCN, Pyramid: []int{2}}},
		Preprocess: project.Preprocess{Size: 32, Std: [3]float32{1, 1, 1}},
		Source:     "/pictures",
	}
}

// filled writes an index of the golden pictures in several commits.
func filled(t testing.TB, store Store, classes bool, each int) {
	t.Helper()
	want, sets := readGolden(t)
	w := require.Value(Create(store, about()))(t)
	for i, set := range sets {
		class := ""
		if classes {
			class = fmt.Sprint("class ", want.Labels[i])
		}
		require.NoError(t, w.Add(fmt.Sprintf("%d.png", i), class, set))
		if (i+1)%each == 0 {
			require.NoError(t, w.CommitAll())
		}
	}
	if err := w.Close(); err != nil || w.Len() != len(sets) {
		t.Fatalf("%d pictures written, error %v", w.Len(), err)
	}
}

// written returns the bytes of an index of the golden pictures.
func written(t testing.TB, classes bool) []byte {
	var s storage
	filled(t, &s, classes, 5)
	return s.Bytes
}

func opened(t testing.TB, file []byte) *Index {
	t.Helper()
	x := require.Value(Open(file))(t)
	return x
}

// golden holds the results of testdata/retrieval.py for one query, the first picture.
type golden struct {
	Labels                    []int
	Nodes, Channels           int
	FirstScores, FirstCosines []float64
	Pictures                  [][]float32
}

func readGolden(t testing.TB) (*golden, []*embed.Set) {
	t.Helper()
	raw := require.Value(os.ReadFile("testdata/retrieval.json"))(t)
	var g golden
	require.NoError(t, json.Unmarshal(raw, &g))
	var sets []*embed.Set
	for _, values := range g.Pictures {
		sets = append(sets, &embed.Set{N: g.Nodes, C: g.Channels, Data: values})
	}
	return &g, sets
}

func newMatcher() *match.Matcher { return new(match.Matcher) }

func memory(t testing.TB, sets []*embed.Set) *Memory {
	t.Helper()
	g := require.Value(NewMemory(sets, newMatcher()))(t)
	return g
}

func TestIndexRoundTrip(t *testing.T) {
	want, sets := readGolden(t)
	for _, classes := range []bool{true, false} {
		x := opened(t, written(t, classes))
		c := x.Catalog()
		if x.Len() != len(sets) || x.Size() != len(sets) || !x.Complete() || x.Name(7) != "7.png" || c.Network.Nodes != 6 || c.Network.Channels != 8 ||
			!reflect.DeepEqual(c.Network.Embedder, about().Network.Embedder) || c.Preprocess != about().Preprocess || c.Source != "/pictures" {
			t.Errorf("%d pictures, catalog %+v", x.Len(), c)
		}
		if class := x.Class(5); classes && class != fmt.Sprint("class ", want.Labels[5]) || !classes && class != "" {
			t.Errorf("class %q", class)
		}
		mem := memory(t, sets)
		var scratch Scratch
		for i, set := range sets {
			got := require.Value(x.Nodes(i, &scratch))(t)
			if left := apart(got.Data, set.Data); !(left <= 0.2) {
				t.Errorf("picture %d: %.2f of its nodes is lost", i, left)
			}
			feature, exact := make([]float32, 8), make([]float32, 8)
			x.Feature(feature, i)
			mem.Feature(exact, i)
			for k, v := range exact {
				if !(math.Abs(float64(feature[k]-v)) <= 0.5/127+1e-6) {
					t.Errorf("picture %d: feature %v, want %v", i, feature, exact)
				}
			}
		}
	}
}

// Indexes of several sizes share a scratch.
func TestScratchOfAnotherIndex(t *testing.T) {
	var scratch Scratch
	for _, size := range [][2]int{{6, 8}, {6, 12}, {3, 12}} {
		var s storage
		set := clustered(1, size[0], size[1], 1)[0]
		w := require.Value(Create(&s, about()))(t)
		require.NoError(t, errors.Join(w.Add("a.png", "", set), w.Close()))
		got := require.Value(opened(t, s.Bytes).Nodes(0, &scratch))(t)
		if got.N != size[0] || got.C != size[1] || !(apart(got.Data, set.Data) <= 0.2) {
			t.Errorf("%d nodes of %d channels come back as %d of %d", size[0], size[1], got.N, got.C)
		}
	}
}

// TestLargestPictures checks an index of pictures with as many nodes or channels as it can have. The
// first has as many centroids too.
func TestLargestPictures(t *testing.T) {
	for size, centroids := range map[[2]int]int{{maxNodes, 2}: maxCentroids, {1, maxChannels}: 1} {
		var s storage
		w := require.Value(Create(&s, about()))(t)
		sets := clustered(maxCentroids*nodesEach/maxNodes, size[0], size[1], 1)
		for i, set := range sets {
			require.NoError(t, w.Add(fmt.Sprint(i), "", set))
		}
		require.NoError(t, w.Close())
		x := opened(t, s.Bytes)
		got := require.Value(x.Nodes(1, new(Scratch)))(t)
		if n := len(x.book.centroids) / size[1]; n != centroids || !(apart(got.Data, sets[1].Data) <= 0.2) {
			t.Errorf("%v nodes and channels: %d centroids, want %d; %.2f of the nodes is lost", size, n, centroids, apart(got.Data, sets[1].Data))
		}
	}
}

// apart returns the relative squared error of a.
func apart(a, b []float32) float64 {
	var lost, all float64
	for i, v := range b {
		lost += float64(a[i]-v) * float64(a[i]-v)
		all += float64(v) * float64(v)
	}
	return lost / all
}

// TestIndexSearch compares an index with a gallery in memory of the decoded nodes, for any number
// of threads.
func TestIndexSearch(t *testing.T) {
	_, sets := readGolden(t)
	x := opened(t, written(t, true))
	kept := make([]*embed.Set, len(sets))
	for i := range sets {
		set := require.Value(x.Nodes(i, new(Scratch)))(t)
		kept[i] = set
	}
	for _, candidates := range []int{0, 1, 5, All} {
		search := func(g Gallery, threads, limit int) []Hit {
			s := Searcher{Gallery: g, Matcher: newMatcher, Candidates: candidates, Threads: threads}
			var hits []Hit
			for range 2 {
				var err error
				if hits, _, err = s.Search(sets[3], limit); err != nil {
					t.Fatal(err)
				}
			}
			return hits
		}
		one := search(x, 1, 100)
		if want := map[int]int{0: 24, 1: 1, 5: 5, All: 24}[candidates]; len(one) != want || one[0].Picture != 3 {
			t.Errorf("%d candidates: %d pictures found, first %+v", candidates, len(one), one[0])
		}
		if many := search(x, 7, 100); !reflect.DeepEqual(many, one) {
			t.Errorf("%d candidates: seven threads find otherwise than one", candidates)
		}
		if few := search(x, 2, 3); !reflect.DeepEqual(few, one[:min(3, len(one))]) {
			t.Errorf("%d candidates: the first three are %v, want %v", candidates, few, one)
		}
		exact := search(memory(t, kept), 2, 100)
		scores := map[int]Hit{}
		for _, h := range exact {
			scores[h.Picture] = h
		}
		for _, h := range one {
			e, ok := scores[h.Picture]
			if candidates == All && (!ok || math.Abs(h.Score-e.Score) > 1e-9) {
				t.Errorf("%+v, in memory %+v", h, e)
			}
			if ok && candidates == 0 && math.Abs(h.Cosine-e.Cosine) > 0.05 { // the features in memory are of nodes that lost something
				t.Errorf("%+v, in memory %+v", h, e)
			}
		}
	}
	s := Searcher{Gallery: x, Matcher: func() *match.Matcher { return &match.Matcher{Weighting: match.KMeans{K: 2}} }, Candidates: All}
	if hits, _, err := s.Search(kept[3], 1); err != nil || hits[0].Picture != 3 || !(math.Abs(hits[0].Score-12.5) <= 1e-2) {
		t.Errorf("k-means: %v, error %v", hits, err)
	}
}

// TestCosines compares the cosines that threads compute in parts with cosines of whole pictures,
// within the rounding error, for blocks of several sizes.
func TestCosines(t *testing.T) {
	sets := randomSets(3*leastPart+100, 2, 5)
	var file Buffer
	w := require.Value(Create(&file, about()))(t)
	for i, set := range sets {
		require.NoError(t, w.Add(fmt.Sprint(i), "", set))
		if i == 500 || i == 2*leastPart+7 {
			require.NoError(t, w.CommitAll())
		}
	}
	require.NoError(t, w.Close())
	query := make([]float32, 5)
	require.NoError(t, Global(query, sets[7]))
	for kind, g := range map[string]Gallery{"memory": memory(t, sets), "index": opened(t, file.Bytes)} {
		for _, threads := range []int{-1, 0, 1, 3, 50} {
			got, feature := make([]float32, len(sets)), make([]float32, 5)
			g.Cosines(got, query, threads)
			for i, v := range got {
				if g.Feature(feature, i); !(math.Abs(float64(v)-kernel.Dot(query, feature)) <= 1e-3) {
					t.Fatalf("%s, %d threads: picture %d has cosine %v, want %v", kind, threads, i, v, kernel.Dot(query, feature))
				}
			}
		}
		got := make([]float32, len(sets))
		if g.Cosines(got, make([]float32, 5), 1); slices.Max(got) != 0 || slices.Min(got) != 0 {
			t.Errorf("%s: a query of zeros resembles something", kind)
		}
	}
}

func TestSearchErrors(t *testing.T) {
	raw := written(t, true)
	x := opened(t, raw)
	_, sets := readGolden(t)
	s := Searcher{Gallery: x, Matcher: newMatcher, Candidates: All}
	for name, test := range map[string]struct {
		query *embed.Set
		want  error
	}{
		"channels": {&embed.Set{N: 1, C: 3, Data: []float32{1, 2, 3}}, match.ErrChannels},
		"empty":    {&embed.Set{}, embed.ErrSet},
		"NaN":      {&embed.Set{N: 1, C: 8, Data: []float32{1, 2, 3, 4, 5, 6, 7, float32(math.NaN())}}, match.ErrNotFinite},
	} {
		if _, _, err := s.Search(test.query, 5); !errors.Is(err, test.want) {
			t.Errorf("%s: error %v, want %v", name, err, test.want)
		}
	}
	b, k := x.at(7)
	b.records[k*x.book.record(6)+7] ^= 1
	if _, _, err := s.Search(sets[0], 5); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "7.png") {
		t.Errorf("damaged nodes: error %v", err)
	}
}

func TestIndexWithoutPictures(t *testing.T) {
	var s storage
	require.Value(Create(&s, about()))(t)
	x := opened(t, s.Bytes)
	if x.Channels() != 0 || x.Summarized() {
		t.Errorf("%d channels, summarized %v, want neither", x.Channels(), x.Summarized())
	}
}

func TestOpenErrors(t *testing.T) {
	whole := written(t, true)
	for n := range whole {
		want := ErrDamaged
		if n < len(magic) {
			want = ErrForeign
		}
		if _, err := Open(whole[:n]); !errors.Is(err, want) {
			t.Fatalf("%d of %d bytes: error %v, want %v", n, len(whole), err, want)
		}
	}
	for at := range whole {
		raw := bytes.Clone(whole)
		raw[at] ^= 0x10
		x, err := Open(raw)
		for i := 0; err == nil && i < x.Len(); i++ {
			_, err = x.Nodes(i, new(Scratch))
		}
		fill := at%headSize != 0 && whole[at] == 0 && err == nil
		if want := map[bool]error{true: ErrForeign, false: ErrDamaged}[at < len(magic)]; !fill && !errors.Is(err, want) && !errors.Is(err, ErrVersion) {
			t.Fatalf("byte %d of %d changed: error %v", at, len(whole), err)
		}
	}
	for _, more := range []int{-1, 1} { // centroids than the head has
		raw := bytes.Clone(whole)
		h, _, _, _, err := parseBlock(raw[headSize:])
		require.NoError(t, err)
		h.count += more
		copy(raw[headSize:], h.encode())
		if _, err := Open(raw); !errors.Is(err, ErrDamaged) {
			t.Errorf("a head of %d centroids: error %v", h.count, err)
		}
	}
	newer := bytes.Clone(whole)
	newer[8] = 3
	older := append([]byte(magic), 1, 0, 0, 0)
	older = append(older, whole...)
	for name, test := range map[string]struct {
		raw  []byte
		want error
	}{
		"newer": {newer, ErrVersion}, "older": {older, ErrVersion}, "foreign": {[]byte("PK\x03\x04 a zip archive"), ErrForeign}, "empty": {nil, ErrForeign},
	} {
		if _, err := Open(test.raw); !errors.Is(err, test.want) {
			t.Errorf("%s: error %v, want %v", name, err, test.want)
		}
	}
	if x, err := Open(append(bytes.Clone(whole), "half a block"...)); err != nil || x.Len() != 24 {
		t.Errorf("bytes behind the end: %v", err)
	}
}

// The first block is the head, and no other is.
func TestMisplacedHeads(t *testing.T) {
	whole := written(t, false)
	begin := require.Value(parsePreamble(whole))(t)
	_, _, _, others, err := parseBlock(whole[headSize:])
	require.NoError(t, err)
	head := whole[headSize : len(whole)-len(others)]
	for name, blocks := range map[string][]byte{"none": others, "two": slices.Concat(head, head, others), "last": slices.Concat(others, head)} {
		begin.end = int64(headSize + len(blocks))
		if _, err := Open(append(begin.encode(), blocks...)); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// A head of other sizes than a writer makes is damaged, even if its length agrees with them.
func TestForgedHeads(t *testing.T) {
	for size, want := range map[[3]int]error{
		{1, 1, 1}: nil, {maxNodes, 2, maxCentroids}: nil, {1, maxChannels, 1}: nil,
		{0, 8, 2}: ErrDamaged, {maxNodes + 1, 2, 2}: ErrDamaged, {4, 0, 2}: ErrDamaged, {4, maxChannels + 1, 1}: ErrDamaged,
		{4, 8, 0}: ErrDamaged, {4, 2, maxCentroids + 1}: ErrDamaged,
	} {
		c, centroids := about(), size[2]
		c.Network.Nodes, c.Network.Channels = size[0], size[1]
		head := require.Value(encodeHead(c, &codebook{centroids: make([]float32, centroids*size[1])}))(t)
		if _, _, err := parseHead(head, centroids); !errors.Is(err, want) {
			t.Errorf("%d nodes of %d channels, %d centroids: error %v, want %v", size[0], size[1], centroids, err, want)
		}
	}
}

// TestManyPicturesInNoBytes has products of 32 bits that are 0.
func TestManyPicturesInNoBytes(t *testing.T) {
	x := &Index{catalog: &Catalog{Network: project.Network{Nodes: 32, Channels: 16}}, book: &codebook{channels: 16}}
	if _, err := x.parsePictures(maxPictures, nil, nil); !errors.Is(err, ErrDamaged) {
		t.Errorf("error %v", err)
	}
}

// TestForgedPictures checks that Open rejects scales that are not finite and texts with decreasing
// ends, even with correct CRCs and sizes.
func TestForgedPictures(t *testing.T) {
	// The scales, CRCs, ends of names and ends of classes of a block of 5, whose names have 25 bytes.
	const names, classes = 2 * 5, 3 * 5
	for forgery, numbers := range map[string]map[int]uint32{
		"a scale of NaN":                {1: math.Float32bits(float32(math.NaN()))},
		"a scale of +Inf":               {1: math.Float32bits(float32(math.Inf(1)))},
		"a scale of -Inf":               {1: math.Float32bits(float32(math.Inf(-1)))},
		"names with decreasing ends":    {names + 1: 3, classes + 4: 25},
		"classes with decreasing ends":  {classes: 1},
		"texts longer than their block": {classes + 4: 1},
	} {
		raw := written(t, false)
		at := headSize
		for kind := kindHead; kind != kindPictures; {
			h, _, _, rest, err := parseBlock(raw[at:])
			require.NoError(t, err)
			if kind = h.kind; kind == kindPictures {
				light := raw[at+headSize:][:h.light]
				for k, v := range numbers {
					binary.LittleEndian.PutUint32(light[h.count*kernel.Pad(8)+4*k:], v)
				}
				h.sum = checksum(light)
				copy(raw[at:], h.encode())
				break
			}
			at = len(raw) - len(rest)
		}
		if _, err := Open(raw); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: error %v", forgery, err)
		}
	}
}
