package indexfile

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/gallery"
	"github.com/deepemd/deepemd/core/match"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/internal/require"
)

// about says how the index of the tests was made.
func about() gallery.Catalogue {
	return gallery.Catalogue{
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
	if err != nil {
		t.Fatal(err)
	}
	var m match.Matcher
	var scratch gallery.Scratch
	p, err := f.Prepared(0, &m, &scratch)
	if err != nil || p.N() != 2 || p.C() != 3 || f.Name(0) != "a.png" {
		t.Errorf("%+v, error %v", f.Catalogue(), err)
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
