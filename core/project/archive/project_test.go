package archive

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/internal/bombs"
	"github.com/deepemd/deepemd/internal/require"
)

// sample returns a two-class project and its contents.
func sample() (*project.Manifest, Contents) {
	m := &project.Manifest{
		Kind: project.KindImage, Name: "Cups & pens", Generator: "test",
		Created: time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC),
		Method: method.Method{
			Embedder: method.Embedder{Kind: "fcn", Pyramid: []int{2, 1}}, Classifier: "nearest", Weighting: "equal", Solver: "simplex",
			Temperature: 3, Strangers: method.Strangers{Name: true, Strictness: 0.25},
		},
		Extensions: map[string]json.RawMessage{"mirror": json.RawMessage("true")},
		Preprocess: &project.Preprocess{Size: 6, Mean: [3]float32{0.5, 0.4, 0.3}, Std: [3]float32{0.2, 0.2, 0.2}},
		Network:    &project.Network{Name: "net", SHA256: strings.Repeat("ab", 32), Embedder: method.Embedder{Kind: "fcn"}, Nodes: 2, Channels: 3},
		Classes: []project.Class{
			{ID: "class-1", Label: "cup", Examples: []project.Example{{ID: "example-3"}, {ID: "example-4"}}},
			{ID: "class-2", Label: "Füller", Hue: 3, Disabled: true, Examples: []project.Example{{ID: "example-9"}}},
			{ID: "class-5", Label: "none yet", Hue: 4},
		},
	}
	return m, Contents{
		Picture: func(i int) (*imaging.Image, error) {
			p := &imaging.Image{Width: 6, Height: 6, Pix: make([]uint8, 6*6*3)}
			for k := range p.Pix {
				p.Pix[k] = uint8(k*7 + i*31)
			}
			return p, nil
		},
		Embedding: func(i int) ([]float32, error) {
			return []float32{float32(i), -1.5, 0.1, math.SmallestNonzeroFloat32, float32(math.Pi), 1e30}, nil
		},
	}
}

func write(t testing.TB, m *project.Manifest, contents Contents) []byte {
	t.Helper()
	var buf bytes.Buffer
	require.NoError(t, Write(&buf, m, contents))
	return buf.Bytes()
}

func read(data []byte) (*File, error) { return Read(bytes.NewReader(data), int64(len(data))) }

func readAll(data []byte) (m project.Manifest, pictures []*imaging.Image, embeddings [][]float32, err error) {
	f, err := read(data)
	if err != nil {
		return m, nil, nil, err
	}
	for _, c := range f.Manifest.Classes {
		for _, e := range c.Examples {
			picture, err := f.Picture(e)
			if err != nil {
				return m, nil, nil, err
			}
			pictures = append(pictures, picture)
		}
	}
	embeddings, err = f.Embeddings()
	return f.Manifest, pictures, embeddings, err
}

func TestWhatIsWrittenIsRead(t *testing.T) {
	m, contents := sample()
	data := write(t, m, contents)
	got, pictures, embeddings, err := readAll(data)
	require.NoError(t, err)
	if !reflect.DeepEqual(*m, got) {
		t.Errorf("the manifest has changed: %+v, want %+v", got, *m)
	}
	if len(pictures) != 3 || len(embeddings) != 3 {
		t.Fatalf("%d pictures and %d embeddings, want 3", len(pictures), len(embeddings))
	}
	for i := range pictures {
		picture, _ := contents.Picture(i)
		embedding, _ := contents.Embedding(i)
		if !slices.Equal(pictures[i].Pix, picture.Pix) {
			t.Errorf("picture %d has changed", i)
		}
		if !slices.Equal(embeddings[i], embedding) {
			t.Errorf("embedding %d is %v, want %v", i, embeddings[i], embedding)
		}
	}
	again := write(t, m, contents)
	if !bytes.Equal(data, again) {
		t.Error("the same project written twice gives two files")
	}
}

// full fails after some bytes, like a full disk.
type full struct{ left int }

func (f *full) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, io.ErrShortWrite
	}
	return len(p), nil
}

// TestFullDisk checks that Write reports a failure wherever it comes.
func TestFullDisk(t *testing.T) {
	m, contents := sample()
	data := write(t, m, contents)
	for n := 0; n < len(data); n += 101 {
		if err := Write(&full{n}, m, contents); !errors.Is(err, io.ErrShortWrite) {
			t.Fatalf("failure after %d of %d bytes: %v", n, len(data), err)
		}
	}
}

// TestEmbeddingsEntry checks that the tensor's data is aligned to 8 bytes, as safetensors requires, and that
// a project without examples has none.
func TestEmbeddingsEntry(t *testing.T) {
	m, contents := sample()
	for range 8 {
		file := require.Value(read(write(t, m, contents)))(t)
		data := require.Value(file.read(embeddingsEntry, 1<<20))(t)
		if n := binary.LittleEndian.Uint64(data); n%8 != 0 || len(data) != 8+int(n)+3*m.Network.Nodes*3*4 {
			t.Errorf("a header of %d bytes in %d", n, len(data))
		}
		m.Network.Nodes *= 10 // more digits
		contents.Embedding = func(int) ([]float32, error) { return make([]float32, 3*m.Network.Nodes), nil }
		if m.Network.Nodes > method.MaxNodes {
			break
		}
	}
	m, contents = sample()
	m.Classes = nil
	if file := require.Value(read(write(t, m, contents)))(t); file.entries[embeddingsEntry] != nil {
		t.Error("embeddings of no examples")
	}
}

// TestTwoEntries checks that an archive with two entries of one name, where readers see one or the other, is
// damaged.
func TestTwoEntries(t *testing.T) {
	m, contents := sample()
	file := require.Value(read(write(t, m, contents)))(t)
	text := require.Value(file.read(manifestEntry, maxManifest))(t)
	var twice bytes.Buffer
	to := zip.NewWriter(&twice)
	require.NoError(t, errors.Join(add(to, manifestEntry, text), add(to, manifestEntry, text), to.Close()))
	if _, err := read(twice.Bytes()); !errors.Is(err, project.ErrDamaged) || !strings.Contains(err.Error(), "two entries") {
		t.Errorf("%v", err)
	}
}

// TestExact checks the ends of archives, with 32-bit numbers and with 64.
func TestExact(t *testing.T) {
	for _, entries := range []int{1, 1 << 16} {
		var file bytes.Buffer
		to := zip.NewWriter(&file)
		for range entries {
			require.Value(to.CreateHeader(&zip.FileHeader{}))(t)
		}
		require.NoError(t, errors.Join(add(to, "a long entry", make([]byte, 100)), to.Close()))
		data := file.Bytes()
		whole := func(data []byte) bool { return exact(bytes.NewReader(data), int64(len(data)), "") }
		if !whole(data) || whole(append([]byte("MZ"), data...)) || whole(append(bytes.Clone(data), 0)) {
			t.Errorf("%d entries: %v, with bytes in front %v, behind %v", entries, whole(data), whole(append([]byte("MZ"), data...)), whole(append(bytes.Clone(data), 0)))
		}
		// The signature of the end record; length and offset of the directory.
		for _, at := range map[int][]int{1: {-22, -10, -6}, 1 << 16: {-22, -42, -34, -58, -50}}[entries] {
			data[len(data)+at]++
			if whole(data) {
				t.Errorf("%d entries: byte %d changed", entries, at)
			}
			data[len(data)+at]--
		}
	}
}

// TestMuchWhite checks that pictures that compress well stay within the limit of Read.
func TestMuchWhite(t *testing.T) {
	white := &imaging.Image{Width: 448, Height: 448, Pix: bytes.Repeat([]byte{255}, 3*448*448)}
	contents := Contents{Picture: func(int) (*imaging.Image, error) { return white, nil }}
	var file bytes.Buffer
	to, pixels, left := zip.NewWriter(&file), 0, 0
	for i := range 50 {
		require.NoError(t, addPicture(to, project.Example{Picture: fmt.Sprint(i)}, contents, i, &left))
		pixels += 448 * 448
	}
	require.NoError(t, to.Close())
	if pixels > pixelsPerByte*file.Len() || file.Len() > pixels/10 {
		t.Errorf("%d pixels in %d bytes", pixels, file.Len())
	}
}

func TestWithoutEmbeddings(t *testing.T) {
	m, contents := sample()
	m.Network, contents.Embedding = nil, nil
	_, pictures, embeddings, err := readAll(write(t, m, contents))
	if err != nil || len(pictures) != 3 || embeddings != nil {
		t.Errorf("%d pictures, embeddings %v, %v; want 3 and none", len(pictures), embeddings, err)
	}
	m.Classes = nil
	if got, _, _, err := readAll(write(t, m, contents)); err != nil || got.Classes == nil || len(got.Classes) != 0 {
		t.Errorf("an empty project: %v", err)
	}
}

// repack rewrites the archive with another compression method and changed entries.
func repack(t *testing.T, data []byte, method uint16, change func(name string, content []byte) []byte) []byte {
	t.Helper()
	from := require.Value(zip.NewReader(bytes.NewReader(data), int64(len(data))))(t)
	var buf bytes.Buffer
	to := zip.NewWriter(&buf)
	for _, e := range from.File {
		r := require.Value(e.Open())(t)
		content := require.Value(io.ReadAll(r))(t)
		if content = change(e.Name, content); content == nil {
			continue
		}
		w := require.Value(to.CreateHeader(&zip.FileHeader{Name: e.Name, Method: method}))(t)
		require.Value(w.Write(content))(t)
	}
	require.NoError(t, to.Close())
	return buf.Bytes()
}

func TestArchivesOfOtherProgramsAreRead(t *testing.T) {
	m, contents := sample()
	packed := repack(t, write(t, m, contents), zip.Deflate, func(_ string, content []byte) []byte { return content })
	if got, pictures, _, err := readAll(packed); err != nil || len(pictures) != 3 || got.Name != m.Name {
		t.Errorf("%q, %d pictures, %v", got.Name, len(pictures), err)
	}
}

// Errors name the reason.
func TestRefused(t *testing.T) {
	m, contents := sample()
	good := write(t, m, contents)
	edit := func(old, new string) []byte {
		return repack(t, good, zip.Store, func(name string, content []byte) []byte {
			if name != manifestEntry {
				return content
			}
			if !bytes.Contains(content, []byte(old)) {
				t.Fatalf("the manifest has no %s", old)
			}
			return bytes.Replace(content, []byte(old), []byte(new), 1)
		})
	}
	without := func(missing string) []byte {
		return repack(t, good, zip.Store, func(name string, content []byte) []byte {
			if name == missing {
				return nil
			}
			return content
		})
	}
	replaced := func(entry, with string) []byte {
		return repack(t, good, zip.Store, func(name string, content []byte) []byte {
			if name == entry {
				return []byte(with)
			}
			return content
		})
	}
	for name, c := range map[string]struct {
		data []byte
		want error
		says string
	}{
		"nothing":              {nil, project.ErrForeign, "*.deepemd"},
		"text":                 {[]byte("this is a letter"), project.ErrForeign, "*.deepemd"},
		"another archive":      {without(manifestEntry), project.ErrForeign, "manifest.json"},
		"another format":       {edit(`"deepemd-project"`, `"doodles"`), project.ErrForeign, "doodles"},
		"newer":                {edit(`"version": 2`, `"version": 3, "classes": 7`), project.ErrNewer, "update"},
		"version 0":            {edit(`"version": 2`, `"version": 0`), project.ErrDamaged, "version 0"},
		"unknown kind":         {edit(`"image"`, `"smell"`), project.ErrNewer, "smell"},
		"not JSON":             {edit(`"kind"`, `kind`), project.ErrDamaged, "manifest.json"},
		"a type":               {edit(`"hue": 3`, `"hue": "red"`), project.ErrDamaged, "hue"},
		"class id twice":       {edit(`"class-2"`, `"class-1"`), project.ErrDamaged, "class-1"},
		"example id twice":     {edit(`"example-9"`, `"example-3"`), project.ErrDamaged, "example-3"},
		"strictness":           {edit(`0.25`, `1.5`), project.ErrDamaged, "1.5"},
		"embedder":             {edit(`"kind": "fcn"`, `"kind": "eye"`), project.ErrDamaged, "eye"},
		"preprocessing":        {edit(`"size": 6`, `"size": -6`), project.ErrDamaged, "preprocessing"},
		"picture missing":      {without("pictures/00002.png"), project.ErrDamaged, "pictures/00002.png"},
		"picture is none":      {replaced("pictures/00002.png", "no picture"), project.ErrDamaged, "pictures/00002.png"},
		"embeddings are none":  {replaced(embeddingsEntry, "no tensors at all"), project.ErrDamaged, embeddingsEntry},
		"embeddings too short": {edit(`"channels": 3`, `"channels": 4`), project.ErrDamaged, "shape"},
		"embeddings too long":  {edit(`"nodes": 2`, `"nodes": 0`), project.ErrDamaged, "0×3"},
		"cut off":              {good[:len(good)/2], project.ErrDamaged, "incomplete"},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, _, err := readAll(c.data)
			if !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("error %v, want %v that says %q", err, c.want, c.says)
			}
		})
	}
}

// After changing any byte, reading gives the written contents or an error.
func TestEveryByteIsGuarded(t *testing.T) {
	m, contents := sample()
	good := write(t, m, contents)
	wantManifest, wantPictures, wantEmbeddings, err := readAll(good)
	require.NoError(t, err)
	refused := 0
	for i := range good {
		bad := slices.Clone(good)
		bad[i] ^= 0x15
		manifest, pictures, embeddings, err := readAll(bad)
		if err != nil {
			refused++
			if !errors.Is(err, project.ErrDamaged) && !errors.Is(err, project.ErrForeign) {
				t.Errorf("byte %d: error %v", i, err)
			}
			continue
		}
		// Readers ignore an archive's dates; without an entry's name there are no embeddings.
		if !reflect.DeepEqual(manifest, wantManifest) || !reflect.DeepEqual(pictures, wantPictures) || embeddings != nil && !reflect.DeepEqual(embeddings, wantEmbeddings) {
			t.Errorf("byte %d of %d: changed unnoticed", i, len(good))
		}
	}
	if refused < len(good)*3/4 {
		t.Errorf("%d of %d changes were noticed", refused, len(good))
	}
}

func TestWriteRefuses(t *testing.T) {
	m, contents := sample()
	for says, spoil := range map[string]func(m *project.Manifest){
		"name has 1001 characters: want at most 1000": func(m *project.Manifest) { m.Name = strings.Repeat("z", method.MaxText+1) },
		"not UTF-8": func(m *project.Manifest) { m.Classes[0].Label = "cup \xff" },
		"duplicate": func(m *project.Manifest) { m.Classes[0].ID = m.Classes[1].ID },
		"store less in Extensions": func(m *project.Manifest) {
			m.Extensions = map[string]json.RawMessage{"media": []byte(`"` + strings.Repeat("x", maxManifest) + `"`)}
		},
		"not UTF-8: store valid JSON": func(m *project.Manifest) { m.Extensions["mirror"] = []byte("\"\xff\"") },
		"10001 classes: want at most": func(m *project.Manifest) { m.Classes = make([]project.Class, project.MaxClasses+1) },
	} {
		spoiled, contents := sample()
		spoil(spoiled)
		// There is no file yet: none is damaged.
		if err := Write(io.Discard, spoiled, contents); err == nil || !strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "damaged") {
			t.Errorf("error %v, want one that says %q", err, says)
		}
	}
	short := contents
	short.Embedding = func(int) ([]float32, error) { return []float32{1}, nil }
	if err := Write(io.Discard, m, short); err == nil || !strings.Contains(err.Error(), "want 2×3") {
		t.Errorf("a short embedding: %v", err)
	}
	endless := contents
	endless.Embedding = func(int) ([]float32, error) { return []float32{1, 2, 3, 4, 5, float32(math.NaN())}, nil }
	if err := Write(io.Discard, m, endless); err == nil || !strings.Contains(err.Error(), "not finite") {
		t.Errorf("an embedding with NaN: %v", err)
	}
	gone := contents
	gone.Picture = func(int) (*imaging.Image, error) { return nil, io.ErrUnexpectedEOF }
	if err := Write(io.Discard, m, gone); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("a picture that is gone: %v", err)
	}
	wide := contents
	wide.Picture = func(int) (*imaging.Image, error) {
		return &imaging.Image{Width: project.MaxSide + 1, Height: 1, Pix: make([]uint8, 3*(project.MaxSide+1))}, nil
	}
	if err := Write(io.Discard, m, wide); err == nil || !strings.Contains(err.Error(), "8193×1 pixels") {
		t.Errorf("a picture that no reader accepts: %v", err)
	}
	m.Network = nil
	if err := Write(io.Discard, m, contents); err == nil || !strings.Contains(err.Error(), "network") {
		t.Errorf("embeddings of nobody: %v", err)
	}
	m.Kind = "smell"
	if err := Write(io.Discard, m, contents); err == nil {
		t.Error("an unknown kind is written")
	}
}

func FuzzRead(f *testing.F) {
	m, contents := sample()
	f.Add(write(f, m, contents))
	m.Network, contents.Embedding, m.Classes = nil, nil, nil
	f.Add(write(f, m, contents))
	own := bombs.Entry{Name: "p.png", Content: bombs.PNG(64), Deflate: true}
	f.Add(bombs.Project(50, func(int) string { return "p.png" }, own))
	f.Add(bombs.Project(2, func(i int) string { return string("pq"[i]) + ".png" }, own, bombs.Entry{Name: "q.png", On: "p.png"}))
	f.Fuzz(func(t *testing.T, data []byte) {
		var (
			m          project.Manifest
			pictures   []*imaging.Image
			embeddings [][]float32
			err        error
		)
		// Deflate expands a thousandfold, and a reader makes several copies; any file may have
		// freePixels, with up to eleven bytes each while decoding.
		bombs.Budget(t, 512<<20, 8192, len(data), func() { m, pictures, embeddings, err = readAll(data) })
		if err != nil {
			return
		}
		if err := m.Validate(); err != nil {
			t.Fatalf("what was read is not valid: %v", err)
		}
		if len(pictures) != m.Examples() || embeddings != nil && len(embeddings) != len(pictures) {
			t.Fatalf("%d pictures and %d embeddings of %d examples", len(pictures), len(embeddings), m.Examples())
		}
	})
}

// testdata/colors.deepemd is an old file that must still open.
func TestFileOnceWritten(t *testing.T) {
	data := require.Value(os.ReadFile("testdata/colors.deepemd"))(t)
	m, pictures, embeddings, err := readAll(data)
	require.NoError(t, err)
	if m.Version != project.Version || m.Name != "Colours" || len(m.Classes) != 3 || !m.Classes[1].Disabled || m.Method.Classifier != "prototype" || m.Method.Strangers.Strictness != 0.4 || string(m.Extensions["mirror"]) != "true" {
		t.Errorf("manifest %+v", m)
	}
	if len(pictures) != 4 || len(embeddings) != 4 || len(embeddings[3]) != 4*32 {
		t.Fatalf("%d pictures, %d embeddings", len(pictures), len(embeddings))
	}
	if p := pictures[2]; p.Width != 32 || p.Pix[0] != 20 || p.Pix[1] != 30 || p.Pix[2] != 240 {
		t.Errorf("the third picture is %d wide and %v, want blue", p.Width, p.Pix[:3])
	}
	if embeddings[0][0] != 0.31960806 {
		t.Errorf("the first value is %v", embeddings[0][0])
	}
}

// Small project files that would take minutes or gigabytes are rejected with little memory.
func TestBombs(t *testing.T) {
	for _, c := range bombs.Projects() {
		t.Run(c.Name, func(t *testing.T) {
			var err error
			took := bombs.Allocated(func() { _, _, _, err = readAll(c.File) })
			if !errors.Is(err, project.ErrDamaged) || !strings.Contains(err.Error(), c.Says) {
				t.Errorf("error %v, want one that says %q", err, c.Says)
			}
			if took > c.Allocates {
				t.Errorf("%d bytes were allocated for a file of %d, more than %d", took, len(c.File), c.Allocates)
			}
		})
	}
}

// TestLargeFiles checks the limit of pixels for more than 64 MB, where 32 bits overflow.
func TestLargeFiles(t *testing.T) {
	m, contents := sample()
	data := write(t, m, contents)
	end, hole := data[len(data)-22:], uint32(65<<20)
	at := binary.LittleEndian.Uint32(end[16:])
	binary.LittleEndian.PutUint32(end[16:], at+hole)
	file := require.Value(os.Create(filepath.Join(t.TempDir(), "large.deepemd")))(t)
	defer file.Close()
	require.Value(file.WriteAt(data[:at], 0))(t)
	require.Value(file.WriteAt(data[at:], int64(at+hole)))(t) // the bytes between are not written
	f := require.Value(Read(file, int64(len(data))+int64(hole)))(t)
	require.Value(f.Picture(f.Manifest.Classes[0].Examples[0]))(t)
}

// A picture counts once, even if it is read several times.
func TestAskingAgainIsFree(t *testing.T) {
	file := require.Value(read(bombs.Project(1, func(int) string { return "p.png" }, bombs.Entry{Name: "p.png", Content: bombs.PNG(2000)})))(t)
	for range 20 {
		require.Value(file.Picture(file.Manifest.Classes[0].Examples[0]))(t)
	}
}

// A project with a non-finite embedding is rejected: its example would silently have no effect.
func TestEmbeddingsThatAreNoNumbers(t *testing.T) {
	m, contents := sample()
	good := write(t, m, contents)
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		data := repack(t, good, zip.Store, func(name string, content []byte) []byte {
			if name == embeddingsEntry {
				binary.LittleEndian.PutUint32(content[len(content)-8*4:], math.Float32bits(float32(bad)))
			}
			return content
		})
		_, _, _, err := readAll(data)
		if says := fmt.Sprint("value 10 of 18 is ", bad); !errors.Is(err, project.ErrDamaged) || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, want an error that says %q", err, says)
		}
	}
}

// A file that claims more examples than it has embeddings allocates no memory for them.
func TestEmbeddingsThatAreNotThere(t *testing.T) {
	m, contents := sample()
	data := repack(t, write(t, m, contents), 0, func(name string, content []byte) []byte {
		if name == embeddingsEntry {
			binary.LittleEndian.PutUint64(content, 1<<40)
		}
		return content
	})
	var err error
	took := bombs.Allocated(func() { _, _, _, err = readAll(data) })
	if !errors.Is(err, project.ErrDamaged) || took > 1<<20 {
		t.Errorf("%v, %d bytes allocated", err, took)
	}
}
