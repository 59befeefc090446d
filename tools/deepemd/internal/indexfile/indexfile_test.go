package indexfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/gallery"
	"github.com/deepemd/deepemd/core/match"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/internal/atomicfile"
	"github.com/deepemd/deepemd/internal/require"
)

// about returns the catalog of the tests.
func about() gallery.Catalog {
	return gallery.Catalog{
		Network:    project.Network{Name: "random", SHA256: "abc", Embedder: method.Embedder{Kind: method.FCN}},
		Preprocess: project.Preprocess{Size: 32, Std: [3]float32{1, 1, 1}},
		Source:     "/pictures",
	}
}

// write writes an index of one picture, and returns its path and its bytes.
func write(t *testing.T) (path string, raw []byte) {
	t.Helper()
	var file gallery.Buffer
	w := require.Value(gallery.Create(&file, about()))(t)
	require.NoError(t, errors.Join(w.Add("a.png", "", &embed.Set{N: 2, C: 3, Data: []float32{1, 2, 3, 3, 2, 2}}), w.Close()))
	return place(t, file.Bytes), file.Bytes
}

// place writes a file.
func place(t *testing.T, raw []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.index")
	require.NoError(t, os.WriteFile(path, raw, 0o666))
	return path
}

func TestOpen(t *testing.T) {
	path, _ := write(t)
	f, err := Open(path)
	require.NoError(t, err)
	var m match.Matcher
	var scratch gallery.Scratch
	p, err := f.Prepared(0, &m, &scratch)
	if err != nil || p.N() != 2 || p.C() != 3 || f.Name(0) != "a.png" {
		t.Errorf("%+v, error %v", f.Catalog(), err)
	}
	require.NoError(t, f.Close())
}

func TestOpenErrors(t *testing.T) {
	_, raw := write(t)
	for name, test := range map[string]struct {
		path string
		is   error
		want string
	}{
		"a folder":  {t.TempDir(), gallery.ErrForeign, "name a file that `deepemd index` wrote"},
		"empty":     {place(t, nil), gallery.ErrForeign, "name a file that `deepemd index` wrote"},
		"foreign":   {place(t, []byte("PK\x03\x04 a zip archive")), gallery.ErrForeign, "name a file that `deepemd index` wrote"},
		"cut off":   {place(t, raw[:len(raw)-1]), gallery.ErrDamaged, "index the pictures again"},
		"not there": {filepath.Join(t.TempDir(), "none"), os.ErrNotExist, "is the path right?"},
	} {
		_, err := Open(test.path)
		if !errors.Is(err, test.is) || !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), test.path) {
			t.Errorf("%s: error %v, want one that says %q and names the path", name, err, test.want)
		}
	}
}

// TestGrow: an index grows while it is searched, and an interrupted one can continue.
func TestGrow(t *testing.T) {
	path := place(t, nil) // as a crash leaves it right after its creation
	g, err := OpenWriter(path, about())
	require.NoError(t, err)
	if f, err := Open(path); err != nil || f.Size() != 0 || f.Complete() {
		t.Errorf("an index just begun: error %v", err)
	} else if err := f.Close(); err != nil {
		t.Error(err)
	}
	begun := place(t, require.Value(os.ReadFile(path))(t)) // as a crash leaves it before the first picture
	for _, open := range []func() (*Writer, error){func() (*Writer, error) { return OpenWriter(begun, about()) }, func() (*Writer, error) { return GrowAny(begun) }} {
		if again, err := open(); err != nil || again.Len() != 0 {
			t.Fatalf("an index just begun cannot go on: %v", err)
		} else if err := again.Release(); err != nil {
			t.Error(err)
		}
	}
	var held *atomicfile.InUseError
	if _, err := OpenWriter(path, about()); !errors.As(err, &held) {
		t.Errorf("two at a time: error %v", err)
	}
	picture := func(v float32) *embed.Set { return &embed.Set{N: 1, C: 3, Data: []float32{v, 2, 3}} }
	require.NoError(t, errors.Join(g.Add("a.png", "", picture(1)), g.Close(), g.Release()))
	before, err := Open(path)
	require.NoError(t, err)
	defer before.Close()
	g = require.Value(OpenWriter(path, about()))(t)
	if !g.Has("a.png") {
		t.Error("the picture is forgotten")
	}
	require.NoError(t, errors.Join(g.Reopen(), g.Add("b.png", "", picture(9)), g.Commit()))
	after, err := Open(path)
	require.NoError(t, err)
	defer after.Close()
	if before.Size() != 1 || !before.Complete() || after.Size() != 2 || after.Complete() || after.Name(1) != "b.png" {
		t.Errorf("%d pictures before, %d after", before.Size(), after.Size())
	}
	if err := errors.Join(g.Add("c.png", "", picture(4)), g.Release()); err != nil { // cut short before Commit
		t.Fatal(err)
	}
	if g, err = GrowAny(path); err != nil || g.Len() != 2 || g.Has("c.png") {
		t.Fatalf("%v", err)
	}
	require.NoError(t, errors.Join(g.Delete(g.Index.Index, 0), g.Release()))
	last, err := Open(path)
	if err != nil || last.Size() != 1 || !last.Deleted(0) {
		t.Errorf("after a deletion: %v", err)
	}
	defer last.Close()
}

// TestGrowErrors: an index of other images, or made otherwise, is left alone, and a new
// one without images is removed.
func TestGrowErrors(t *testing.T) {
	path, raw := write(t)
	for want, spoil := range map[string]func(c *gallery.Catalog){
		"an index with other weights (random, SHA-256 abc…, not x…)": func(c *gallery.Catalog) { c.Network.SHA256 = "x" },
		"another embedder or input size":                             func(c *gallery.Catalog) { c.Preprocess.Size = 84 },
		"an index with another embedder":                             func(c *gallery.Catalog) { c.Network.Embedder.Kind = method.Grid },
		"an index of the other kind":                                 func(c *gallery.Catalog) { c.Sound = true },
	} {
		c := about()
		spoil(&c)
		if _, err := OpenWriter(path, c); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
			t.Errorf("error %v, want one that says %q", err, want)
		}
	}
	if _, err := OpenWriter(place(t, []byte("something else")), about()); !errors.Is(err, gallery.ErrForeign) {
		t.Errorf("a file of something else: error %v", err)
	}
	if _, err := OpenWriter(t.TempDir(), about()); err == nil || !strings.Contains(err.Error(), "not a file") {
		t.Errorf("a folder: error %v", err)
	}
	if _, err := GrowAny(filepath.Join(t.TempDir(), "none")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("none: error %v", err)
	}
	if now, err := os.ReadFile(path); err != nil || string(now) != string(raw) {
		t.Errorf("the index is another one, error %v", err)
	}
	fresh := filepath.Join(t.TempDir(), "fresh.index")
	g := require.Value(OpenWriter(fresh, about()))(t)
	require.NoError(t, g.Release())
	if left, err := os.ReadDir(filepath.Dir(fresh)); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, error %v", left, err)
	}
}

// TestCut: an index that is cut off while it is searched is an error, on any number of threads.
func TestCut(t *testing.T) {
	var buffer gallery.Buffer
	w := require.Value(gallery.Create(&buffer, about()))(t)
	set := &embed.Set{N: 2, C: 64, Data: make([]float32, 2*64)}
	for i := range 5000 {
		set.Data[i%100], set.Data[100] = float32(i), 1
		require.NoError(t, w.Add(strconv.Itoa(i), "", set))
	}
	require.NoError(t, w.Close())
	for _, threads := range []int{1, 4} {
		for _, candidates := range []int{0, gallery.All} {
			path := place(t, buffer.Bytes)
			f := require.Value(Open(path))(t)
			search := gallery.Searcher{Gallery: f, Threads: threads, Candidates: candidates}
			err := f.Guard(func() error {
				if _, _, err := search.Search(set, 3); err != nil {
					return err
				}
				require.NoError(t, os.Truncate(path, 4096))
				_, _, err := search.Search(set, 3)
				return err
			})
			if runtime.GOOS != "windows" && (!errors.Is(err, ErrCut) || !strings.Contains(err.Error(), path)) {
				t.Errorf("%d threads, %d candidates: error %v", threads, candidates, err)
			}
			require.NoError(t, f.Close())
		}
	}
	defer func() {
		if recover() != "another panic" {
			t.Error("another panic was caught")
		}
	}()
	_ = Guard(func() error { panic("another panic") })
}
