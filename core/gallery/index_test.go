package gallery

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/match"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/internal/bombs"
)

func about() Catalogue {
	return Catalogue{
		Network:    project.Network{Name: "random", SHA256: "abc", Embedder: method.Embedder{Kind: method.FCN, Pyramid: []int{2}}},
		Preprocess: project.Preprocess{Size: 32, Std: [3]float32{1, 1, 1}},
		Source:     "/pictures",
	}
}

// written returns the bytes of an index of the golden pictures.
func written(t testing.TB, classes bool) []byte {
	t.Helper()
	want, sets := readGolden(t)
	var file bytes.Buffer
	w, err := NewWriter(&file, about())
	if err != nil {
		t.Fatal(err)
	}
	for i, set := range sets {
		class := ""
		if classes {
			class = fmt.Sprint("class ", want.Labels[i])
		}
		if err := w.Add(fmt.Sprintf("%d.png", i), class, set); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil || w.Len() != len(sets) {
		t.Fatalf("%d pictures written, error %v", w.Len(), err)
	}
	return file.Bytes()
}

// golden is what testdata/retrieval.py computes of one query, the first picture.
type golden struct {
	Labels                    []int
	Nodes, Channels           int
	FirstScores, FirstCosines []float64
	Pictures                  [][]float32
}

func readGolden(t testing.TB) (*golden, []*embed.Set) {
	t.Helper()
	raw, err := os.ReadFile("testdata/retrieval.json")
	if err != nil {
		t.Fatal(err)
	}
	var g golden
	if err := json.Unmarshal(raw, &g); err != nil {
		t.Fatal(err)
	}
	var sets []*embed.Set
	for _, values := range g.Pictures {
		sets = append(sets, &embed.Set{N: g.Nodes, C: g.Channels, Data: values})
	}
	return &g, sets
}

func newMatcher() *match.Matcher { return new(match.Matcher) }

func memory(t testing.TB, sets []*embed.Set) *Memory {
	t.Helper()
	g, err := NewMemory(sets, newMatcher())
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// opened opens the index that bytes are.
func opened(raw []byte) (*Index, error) { return Open(bytes.NewReader(raw), int64(len(raw))) }

func TestIndexRoundTrip(t *testing.T) {
	want, sets := readGolden(t)
	for _, classes := range []bool{true, false} {
		x, err := opened(written(t, classes))
		if err != nil {
			t.Fatal(err)
		}
		c := x.Catalogue()
		if x.Len() != len(sets) || len(c.Names) != len(sets) || c.Names[7] != "7.png" || c.Network.Nodes != 6 || c.Network.Channels != 8 ||
			!reflect.DeepEqual(c.Network.Embedder, about().Network.Embedder) || c.Preprocess != about().Preprocess || c.Source != "/pictures" {
			t.Errorf("catalogue %+v", c)
		}
		if class := c.Class(5); classes && class != fmt.Sprint("class ", want.Labels[5]) || !classes && (class != "" || c.Classes != nil) {
			t.Errorf("class %q", class)
		}
		var scratch Scratch
		for i, set := range sets {
			got, err := x.Nodes(i, &scratch)
			if err != nil {
				t.Fatal(err)
			}
			most := 0.
			for _, v := range set.Data {
				most = max(most, math.Abs(float64(v)))
			}
			for k, v := range set.Data { // a half float's precision
				if d := math.Abs(float64(got.Data[k] - v)); d > math.Abs(float64(v))/2048+most/(1<<24) {
					t.Errorf("picture %d, value %d is %v, was %v", i, k, got.Data[k], v)
				}
			}
		}
		globals, channels := x.Globals()
		mem, _ := memory(t, sets).Globals()
		if channels != 8 || !reflect.DeepEqual(globals, mem) {
			t.Errorf("%d channels, or other global features than in memory", channels)
		}
	}
}

// An index finds what memory finds, whatever the threads; scores differ by what
// half floats lose.
func TestIndexSearch(t *testing.T) {
	_, sets := readGolden(t)
	x, err := opened(written(t, true))
	if err != nil {
		t.Fatal(err)
	}
	for _, candidates := range []int{0, 1, 5, All} {
		search := func(g Gallery, threads, limit int) []Hit {
			s := Searcher{Gallery: g, Matcher: newMatcher, Candidates: candidates, Threads: threads}
			var hits []Hit
			for range 2 { // the second with the memory of the first
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
		for k, h := range search(memory(t, sets), 2, 100) {
			if h.Picture != one[k].Picture || math.Abs(h.Score-one[k].Score) > 5e-3 || h.Cosine != one[k].Cosine {
				t.Errorf("%d candidates, place %d: %+v in memory, %+v in the index", candidates, k, h, one[k])
			}
		}
	}
	// Where the weighting merges nodes, it does so here too.
	s := Searcher{Gallery: x, Matcher: func() *match.Matcher { return &match.Matcher{Weighting: match.KMeans{K: 2}} }, Candidates: All}
	if hits, _, err := s.Search(sets[3], 1); err != nil || hits[0].Picture != 3 || math.Abs(hits[0].Score-12.5) > 1e-2 {
		t.Errorf("k-means: %v, error %v", hits, err)
	}
}

func TestSearchErrors(t *testing.T) {
	raw := written(t, true)
	x, err := opened(raw)
	if err != nil {
		t.Fatal(err)
	}
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
	raw[preambleSize+5*x.shape.record()+7] ^= 1 // a bit of picture 5's nodes
	if s.Gallery, err = opened(raw); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.Search(sets[0], 5); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "5.png") {
		t.Errorf("damaged nodes: error %v", err)
	}
}

func TestOpenErrors(t *testing.T) {
	whole := written(t, true)
	x, err := opened(whole)
	if err != nil {
		t.Fatal(err)
	}
	// Cut off anywhere, it is damaged; a prefix of the magic is nothing of ours.
	for n := range whole {
		want := ErrDamaged
		if n < len(magic) {
			want = ErrForeign
		}
		if _, err := opened(whole[:n]); !errors.Is(err, want) {
			t.Fatalf("%d of %d bytes: error %v, want %v", n, len(whole), err, want)
		}
	}
	// So it is where a byte beyond the nodes is another.
	for at := int(x.shape.globals()); at < len(whole); at++ {
		raw := bytes.Clone(whole)
		raw[at] ^= 0x10
		if _, err := opened(raw); !errors.Is(err, ErrDamaged) {
			t.Fatalf("byte %d of %d changed: error %v", at, len(whole), err)
		}
	}
	newer := bytes.Clone(whole)
	newer[8] = 2
	longer := append(bytes.Clone(whole), 0)
	for name, test := range map[string]struct {
		raw  []byte
		want error
	}{
		"newer": {newer, ErrVersion}, "longer": {longer, ErrDamaged}, "foreign": {[]byte("PK\x03\x04 a zip archive"), ErrForeign}, "empty": {nil, ErrForeign},
	} {
		if _, err := opened(test.raw); !errors.Is(err, test.want) {
			t.Errorf("%s: error %v, want %v", name, err, test.want)
		}
	}
	for n := range whole { // who says that a file is longer than it is
		if _, err := Open(bytes.NewReader(whole[:n]), int64(len(whole))); !errors.Is(err, ErrDamaged) {
			t.Fatalf("%d of %d bytes: error %v", n, len(whole), err)
		}
	}
	broken := errors.New("disk broken")
	if _, err := Open(unreadable{broken}, int64(len(whole))); !errors.Is(err, broken) {
		t.Errorf("a broken disk: error %v", err)
	}
}

func TestWriterErrors(t *testing.T) {
	_, sets := readGolden(t)
	w, err := NewWriter(io.Discard, about())
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err == nil || !strings.Contains(err.Error(), "no pictures") {
		t.Errorf("an empty index: error %v", err)
	}
	if err := w.Add("a.png", "", sets[0]); err != nil {
		t.Fatal(err)
	}
	for want, set := range map[string]*embed.Set{
		"b.png: 1 nodes of 3 channels, a.png has 6 of 8": {N: 1, C: 3, Data: []float32{1, 2, 3}},
		"b.png: embed: not a set":                        {},
		"b.png: features are not finite":                 {N: 6, C: 8, Data: append(make([]float32, 47), float32(math.NaN()))},
	} {
		if err := w.Add("b.png", "", set); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one that says %q", err, want)
		}
	}
	if w.Len() != 1 {
		t.Errorf("%d pictures after one was added and others refused", w.Len())
	}
	full := errors.New("disk full")
	if _, err := NewWriter(failing{full}, about()); !errors.Is(err, full) {
		t.Errorf("a full disk: error %v", err)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

type unreadable struct{ err error }

func (u unreadable) ReadAt([]byte, int64) (int, error) { return 0, u.err }

// Values of any size keep their eleven bits.
func TestNodesOfAnySize(t *testing.T) {
	for _, size := range []float64{1e-38, 1e-30, 1e-3, 1, 65504, 1e6, 3e38} {
		values := []float32{float32(size), float32(-size / 3), 0, float32(size / 1000)}
		raw, got := make([]byte, 4+2*len(values)), make([]float32, len(values))
		encodeNodes(raw, values)
		decodeNodes(got, raw)
		for k, v := range values {
			if d := math.Abs(float64(got[k]) - float64(v)); d > math.Abs(float64(v))/2048+size/(1<<25) {
				t.Errorf("%v becomes %v", v, got[k])
			}
		}
	}
	raw, zero := make([]byte, 8), []float32{0, 0}
	encodeNodes(raw, zero)
	decodeNodes(zero, raw)
	if zero[0] != 0 || zero[1] != 0 {
		t.Errorf("zeros become %v", zero)
	}
}

// Whatever a file holds, it is opened whole or refused.
func FuzzOpen(f *testing.F) {
	whole := written(f, true)
	f.Add(whole[len(whole)-trailerSize:], whole[len(whole)-trailerSize-300:len(whole)-trailerSize])
	f.Fuzz(func(t *testing.T, end, catalogue []byte) {
		s := shape{24, 6, 8}
		var c *Catalogue
		var err error
		bombs.Budget(t, 1<<20, 512, len(catalogue), func() { c, err = parseCatalogue(catalogue, s) })
		if err == nil && (len(c.Names) != 24 || c.Network.Nodes != 6) {
			t.Errorf("catalogue %+v", c)
		}
		if len(end) >= 8 { // sums are no protection from who computes them
			end = bytes.Clone(end[:min(len(end), trailerSize-len(magic)-4)])
			end = append(binary.LittleEndian.AppendUint32(end, checksum(end)), magic...)
		}
		for _, size := range []int64{0, int64(len(whole)), math.MaxInt64} {
			if got, err := parseTrailer(end, size); err == nil && got.catalogue()+got.catalogueSize+trailerSize != size {
				t.Errorf("a file of %d bytes holds %+v", size, got)
			}
		}
	})
}

// FuzzIndex opens whole files, of any numbers in their trailer and with sums that are
// right, and reads the nodes of every picture.
func FuzzIndex(f *testing.F) {
	whole := written(f, true)
	body := whole[preambleSize : len(whole)-trailerSize]
	last, err := parseTrailer(whole[len(whole)-trailerSize:], int64(len(whole)))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(body, uint32(last.pictures), uint32(last.nodes), uint32(last.channels), uint64(last.catalogueSize))
	f.Add(body, uint32(math.MaxUint32), uint32(1<<16), uint32(1<<14), uint64(math.MaxUint64))
	f.Add(body[:40], uint32(1), uint32(1), uint32(1), uint64(26))
	f.Fuzz(func(t *testing.T, body []byte, pictures, nodes, channels uint32, catalogueSize uint64) {
		file := append(preamble(), body...)
		made := trailer{shape: shape{int(pictures), int(nodes), int(channels)}, catalogueSize: int64(catalogueSize)}
		sign(&made, body)
		file = append(file, made.encode()...)
		var x *Index
		var err error
		bombs.Budget(t, 1<<20, 512, len(file), func() {
			if x, err = Open(bytes.NewReader(file), int64(len(file))); err != nil {
				return
			}
			var scratch Scratch
			for i := range x.Len() {
				if set, err := x.Nodes(i, &scratch); err == nil && (set.N != int(nodes) || set.C != int(channels)) {
					t.Errorf("picture %d has %d nodes of %d channels, want %d of %d", i, set.N, set.C, nodes, channels)
				}
				_ = x.Catalogue().Class(i)
			}
		})
		if err != nil && !errors.Is(err, ErrDamaged) {
			t.Errorf("error of no kind: %v", err)
		}
		if err == nil && x.Len() != int(pictures) {
			t.Errorf("%d pictures, want %d", x.Len(), pictures)
		}
	})
}

// sign puts the sums of a file's parts into its trailer, where the parts lie in its body.
func sign(t *trailer, body []byte) {
	part := func(at, size int64) uint32 {
		at -= preambleSize
		if at < 0 || size < 0 || at > int64(len(body)) || size > int64(len(body))-at {
			return 0
		}
		return checksum(body[at : at+size])
	}
	t.globalsSum = part(t.shape.globals(), 4*int64(t.pictures)*int64(t.channels))
	t.sumsSum = part(t.shape.sums(), 4*int64(t.pictures))
	t.catalogueSum = part(t.shape.catalogue(), t.catalogueSize)
}
