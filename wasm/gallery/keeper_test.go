package main

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/gallery"
	"github.com/deepemd/deepemd/internal/bombs"
)

// The shape of the embeddings in these tests.
const (
	nodes, channels = 4, 32
	catalog         = `"catalog": {"network": {"name": "made up", "sha256": "0123456789", "embedder": {"kind": "fcn"}, "nodes": 4, "channels": 32}}`
)

// disk is a file that a test may have fail.
type disk struct {
	gallery.Buffer
	full bool
}

func (d *disk) WriteAt(p []byte, at int64) (int, error) {
	if d.full {
		return 0, errFile
	}
	return d.Buffer.WriteAt(p, at)
}

// picture returns the embedding of picture i, as JavaScript hands it over.
func picture(i int) []byte {
	r := rand.New(rand.NewPCG(1, uint64(i)))
	var raw []byte
	for range nodes * channels {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(float32(r.NormFloat64())))
	}
	return raw
}

// asked asks something of a room as JavaScript does, and reads the answer.
func asked[T any](t *testing.T, r *sharedMemory, request string, values ...byte) (answer struct {
	Error reason
	Is    T
}) {
	t.Helper()
	text := []byte("{" + request + "}")
	begin := (len(text) + 3) / 4 * 4
	copy(r.arrange(begin+len(values)), text)
	copy(r.bytes[begin:], values)
	said := slices.Clone(r.answer(len(text)))
	for _, to := range []any{&answer, &answer.Is} {
		if err := json.Unmarshal(said, to); err != nil {
			t.Fatalf("%s answers %q: %v", request, said, err)
		}
	}
	return answer
}

// does sends a request that must succeed.
func does[T any](t *testing.T, r *sharedMemory, request string, values ...byte) T {
	t.Helper()
	answer := asked[T](t, r, request, values...)
	if answer.Error.Code != "" {
		t.Fatalf("%s: %+v", request, answer.Error)
	}
	return answer.Is
}

// filled returns a room with a gallery of pictures, and its file.
func filled(t *testing.T, pictures int) (*sharedMemory, *disk) {
	t.Helper()
	d := new(disk)
	r := &sharedMemory{keeper: session{file: d}}
	does[state](t, r, `"what": "open", `+catalog)
	does[state](t, r, `"what": "begin"`)
	for i := range pictures {
		does[state](t, r, fmt.Sprintf(`"what": "add", "name": "picture %d"`, i), picture(i)...)
	}
	does[state](t, r, `"what": "end"`)
	return r, d
}

func search(t *testing.T, r *sharedMemory, query, candidates int) searchAnswer {
	t.Helper()
	return does[searchAnswer](t, r, fmt.Sprintf(`"what": "search", "limit": 5, "candidates": %d`, candidates), picture(query)...)
}

func TestPicturesAreKeptAndFound(t *testing.T) {
	const count = 60
	r, d := filled(t, count)
	again := &sharedMemory{keeper: session{file: new(disk)}}
	if s := does[state](t, again, `"what": "open", `+catalog, d.Bytes...); s.Pictures != count || s.Bytes != len(d.Bytes) {
		t.Fatalf("%+v after %d pictures and %d bytes", s, count, len(d.Bytes))
	}
	for _, room := range []*sharedMemory{r, again} {
		for _, candidates := range []int{0, 20} {
			f := search(t, room, 17, candidates)
			if f.Matched != candidates || len(f.Found) != 5 || f.Found[0].Name != "picture 17" || f.Found[0].Cosine < 0.9 {
				t.Errorf("with %d candidates: %+v", candidates, f)
			}
			if s := f.Found[0].Similarity; (s == nil) != (candidates == 0) || s != nil && (*s < 0.8 || *s > 1) {
				t.Errorf("with %d candidates the similarity is %v", candidates, s)
			}
		}
	}
	match := does[explained](t, r, `"what": "explain", "name": "picture 3", "weighting": "equal"`, picture(3)...)
	if len(match.Flow) != nodes*nodes || match.Similarity < 0.8 || !(math.Abs(match.Query[0]-1) <= 1e-9) {
		t.Errorf("a picture matches itself so: %+v", match)
	}
}

func TestPicturesComeAndGo(t *testing.T) {
	r, _ := filled(t, 10)
	if s := does[state](t, r, `"what": "begin"`); s.Pictures != 10 {
		t.Errorf("%+v", s)
	}
	if s := does[state](t, r, `"what": "remove", "names": ["picture 4", "picture 4", "nobody"]`); s.Pictures != 9 {
		t.Errorf("%+v after one of ten has gone", s)
	}
	if s := does[state](t, r, `"what": "add", "name": "late"`, picture(99)...); s.Pictures != 9 || s.Waiting != 1 {
		t.Errorf("%+v with one that waits", s)
	}
	there := does[struct{ There []bool }](t, r, `"what": "has", "names": ["picture 4", "late", "picture 5"]`).There
	if !slices.Equal(there, []bool{false, true, true}) {
		t.Errorf("there: %v", there)
	}
	if answer := asked[state](t, r, `"what": "add", "name": "picture 5"`, picture(5)...); answer.Error.Code != "bad-argument" {
		t.Errorf("a name that is there: %+v", answer)
	}
	if s := does[state](t, r, `"what": "commit"`); s.Pictures != 10 || s.Waiting != 0 {
		t.Errorf("%+v after the commit", s)
	}
	does[state](t, r, `"what": "end"`)
	names := does[struct{ Names []string }](t, r, `"what": "names"`).Names
	if len(names) != 10 || slices.Contains(names, "picture 4") || names[9] != "late" {
		t.Errorf("names: %q", names)
	}
	for _, h := range search(t, r, 4, 10).Found {
		if h.Name == "picture 4" {
			t.Error("a picture that was removed is found")
		}
	}
}

// A compacted index has no bytes of removed pictures.
func TestCompact(t *testing.T) {
	r, d := filled(t, 40)
	does[state](t, r, `"what": "begin"`)
	for i := range 30 {
		does[state](t, r, fmt.Sprintf(`"what": "remove", "names": ["picture %d"]`, i))
	}
	s := does[state](t, r, `"what": "end"`)
	if s.Pictures != 10 || s.Deleted != 30 {
		t.Errorf("%+v", s)
	}
	size := does[struct{ Size int }](t, r, `"what": "compact"`).Size
	small := slices.Clone(r.keeper.compacted.Bytes)
	if len(small) != size || size > len(d.Bytes)/2 {
		t.Errorf("%d bytes, said to be %d, after %d", len(small), size, len(d.Bytes))
	}
	if s := does[state](t, r, `"what": "open", `+catalog, small...); s.Pictures != 10 || s.Deleted != 0 || s.Bytes != size {
		t.Errorf("%+v", s)
	}
	if f := search(t, r, 35, 10); f.Found[0].Name != "picture 35" {
		t.Errorf("found: %+v", f)
	}
	if answer := asked[state](t, new(sharedMemory), `"what": "compact"`); answer.Error.Code != "internal" {
		t.Errorf("before open: %+v", answer)
	}
}

// A gallery stores the features of every shape that an engine takes.
func TestWidestFeatures(t *testing.T) {
	r := &sharedMemory{keeper: session{file: new(disk)}}
	does[state](t, r, `"what": "open", `+strings.Replace(catalog, `"channels": 32`, `"channels": 8192`, 1))
}

// An unusable index is rejected with its name and the remedy, and the open gallery stays.
func TestIndexesAreRefused(t *testing.T) {
	r, d := filled(t, 30)
	file := d.Bytes
	changed := func(at int) []byte {
		b := slices.Clone(file)
		b[at] ^= 4
		return b
	}
	for name, c := range map[string]struct {
		file    []byte
		request string
		code    string
		says    string
	}{
		"another file":    {[]byte("PK\x03\x04 and so on"), catalog, "bad-gallery", "not an index"},
		"cut off":         {file[:len(file)-100], catalog, "bad-gallery", "cut off or damaged"},
		"a flipped bit":   {changed(40), catalog, "bad-gallery", "damaged"},
		"one in the head": {changed(200), catalog, "bad-gallery", "damaged"},
		"another version": {changed(8), catalog, "newer-gallery", "another version"},
		"another network": {file, strings.Replace(catalog, "0123", "3210", 1), "wrong-network", "made up"},
		"other parts":     {file, strings.Replace(catalog, "fcn", "grid", 1), "wrong-network", "engine uses"},
		"nothing":         {nil, `"catalog": {}`, "bad-argument", "engine.embed(picture) once, then open the gallery"},
		"too many nodes":  {nil, strings.Replace(catalog, `"nodes": 4`, `"nodes": 5000`, 1), "bad-argument", "5000 nodes of 32 channels: want 1 to 4096"},
		"channels":        {nil, strings.Replace(catalog, `"channels": 32`, `"channels": 8193`, 1), "bad-argument", "4 nodes of 8193 channels: want 1 to 4096 nodes of 1 to 8192 channels"},
	} {
		answer := asked[state](t, r, `"what": "open", `+c.request, c.file...)
		if answer.Error.Code != c.code || !strings.Contains(answer.Error.Message, c.says) {
			t.Errorf("%s: %+v", name, answer.Error)
		}
		if c.file != nil && !strings.Contains(answer.Error.Message, "remove the gallery (removeGallery) and add its pictures again") {
			t.Errorf("%s: %q has no remedy", name, answer.Error.Message)
		}
		if f := search(t, r, 3, 5); f.Found[0].Name != "picture 3" {
			t.Errorf("%s: then %+v is found", name, f)
		}
	}
}

// A picture that is damaged is named when a search needs it.
func TestDamagedPicturesAreNamed(t *testing.T) {
	_, d := filled(t, 3)
	d.Bytes[len(d.Bytes)-70] ^= 1
	r := new(sharedMemory)
	does[state](t, r, `"what": "open", `+catalog, d.Bytes...)
	answer := asked[searchAnswer](t, r, `"what": "search", "limit": 3, "candidates": 3`, picture(0)...)
	if answer.Error.Code != "bad-gallery" || !strings.Contains(answer.Error.Message, "picture 2 are damaged: remove that picture and add it again") {
		t.Errorf("%+v", answer.Error)
	}
}

// A write error leaves the file unchanged, and the gallery continues without writing.
func TestFullDisk(t *testing.T) {
	r, d := filled(t, 12)
	kept := slices.Clone(d.Bytes)
	does[state](t, r, `"what": "begin"`)
	does[state](t, r, `"what": "add", "name": "more"`, picture(50)...)
	d.full = true
	if answer := asked[state](t, r, `"what": "commit"`); answer.Error.Code != "file" {
		t.Fatalf("%+v", answer)
	}
	if !slices.Equal(kept, d.Bytes) {
		t.Error("the file has changed")
	}
	d.full = false
	if s := does[state](t, r, `"what": "end"`); s.Pictures != 13 {
		t.Errorf("%+v", s)
	}
	if f := search(t, r, 50, 5); f.Found[0].Name != "more" {
		t.Errorf("found: %+v", f)
	}
	again := new(sharedMemory)
	if s := does[state](t, again, `"what": "open", `+catalog, kept...); s.Pictures != 12 {
		t.Errorf("%+v of what was kept", s)
	}
}

// Invalid requests are answered, too.
func TestMisuse(t *testing.T) {
	r := new(sharedMemory)
	for request, want := range map[string]string{
		`"what": "search"`:           "before open",
		`"what": "open", "catalog":`: "unexpected end",
	} {
		if answer := asked[state](t, r, request); !strings.Contains(answer.Error.Message, want) && answer.Error.Code != "internal" {
			t.Errorf("%s: %+v, want %q", request, answer, want)
		}
	}
	r, _ = filled(t, 2)
	for request, want := range map[string]string{
		`"what": "sing"`: "unknown request \"sing\"",
		`"what": "add"`:  "0 bytes of features, want 512",
		`"what": "end"`:  "before begin",
		`"what": "explain", "name": "nobody", "weighting": ""`: "0 bytes of features",
	} {
		if answer := asked[state](t, r, request); !strings.Contains(answer.Error.Message, want) {
			t.Errorf("%s: %+v, want %q", request, answer, want)
		}
	}
	for request, want := range map[string]string{
		`"what": "search", "limit": 0`:                           "want one at least",
		`"what": "search", "limit": 1, "weighting": "mean"`:      `no weighting "mean"`,
		`"what": "explain", "name": "nobody"`:                    `no picture "nobody"`,
		`"what": "search", "limit": 1, "summarized": true`:       "want 640",
		`"what": "add", "name": "picture 7", "summarized": true`: "want 640",
	} {
		if answer := asked[state](t, r, request, picture(1)...); !strings.Contains(answer.Error.Message, want) {
			t.Errorf("%s: %+v, want %q", request, answer, want)
		}
	}
}

// FuzzAsk sends random requests: the answer is JSON, and the gallery stays the same unless the
// request changes it.
func FuzzAsk(f *testing.F) {
	f.Add([]byte(`"what": "open", `+catalog), []byte{})
	f.Add([]byte(`"what": "search", "limit": 3, "candidates": 2`), picture(1))
	f.Add([]byte(`"what": "explain", "name": "picture 1"`), picture(1))
	f.Add([]byte(`"what": "remove", "names": ["picture 1"]`), []byte{})
	f.Add([]byte(`"what": "add", "name": "x"`), picture(3))
	f.Fuzz(func(t *testing.T, text, values []byte) {
		r, _ := filled(t, 3)
		does[state](t, r, `"what": "begin"`)
		room := r.arrange((len(text)+2+3)/4*4 + len(values))
		copy(room, "{"+string(text)+"}")
		copy(room[len(room)-len(values):], values)
		bombs.Budget(t, 8<<20, 1<<10, len(text)+len(values), func() {
			if said := r.answer(len(text) + 2); !json.Valid(said) {
				t.Errorf("%q is answered by %q", text, said)
			}
		})
	})
}
