package recognize

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/sbinet/npyio"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/gallery"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/internal/arrays"
	"github.com/deepemd/deepemd/internal/require"
)

// sixPictures returns an index of six images. Number 2 is deleted; half have a class.
func sixPictures(t testing.TB) *gallery.Index {
	t.Helper()
	return indexOf(t, "ö/0.png", "ö/1.png", "ö/2.png", "ö/3.png", "ö/4.png", "ö/5.png")
}

// indexOf returns an index of images with the given names. Number 2 is deleted; half have a class.
func indexOf(t testing.TB, names ...string) *gallery.Index {
	t.Helper()
	var file gallery.Buffer
	w, err := gallery.Create(&file, gallery.Catalog{
		Network: project.Network{Name: "random", SHA256: "abc", Embedder: method.Embedder{Kind: method.FCN}}, Source: "/pictures",
	})
	require.NoError(t, err)
	for i, name := range names {
		class := ""
		if i%2 == 1 {
			class = "odd"
		}
		set := &embed.Set{N: 2, C: 3, Data: []float32{float32(i), 2, 3, 3, float32(-i), 1}}
		require.NoError(t, w.Add(name, class, set))
	}
	require.NoError(t, w.Close())
	x, err := gallery.Open(file.Bytes)
	if err == nil {
		err = gallery.Extend(&file, x, *x.Catalog()).Delete(x, 2)
	}
	require.NoError(t, err)
	x = require.Value(gallery.Open(file.Bytes))(t)
	return x
}

// left are the numbers of the images that were not deleted.
var left = []int64{0, 1, 3, 4, 5}

// TestWriteVectors reads the exported files with another library.
func TestWriteVectors(t *testing.T) {
	x, folder := sixPictures(t), filepath.Join(t.TempDir(), "new")
	var seen []int
	require.NoError(t, writeVectors(t.Context(), folder, x, func(done, total int) { seen = append(seen, done, total) }))
	if !slices.Equal(seen, []int{5, 5}) {
		t.Errorf("progress %v", seen)
	}
	want := make([]float32, 3)
	t.Run("npyio", func(t *testing.T) {
		var ids []int64
		var values []float32
		for name, into := range map[string]any{idsFile: &ids, vectorsFile: &values} {
			file := require.Value(os.Open(filepath.Join(folder, name)))(t)
			defer file.Close()
			require.NoError(t, npyio.Read(file, into))
		}
		if !slices.Equal(ids, left) || len(values) != 3*len(left) {
			t.Fatalf("ids %v, %d values", ids, len(values))
		}
		for k, i := range ids {
			if x.Feature(want, int(i)); !slices.Equal(values[3*k:][:3], want) {
				t.Errorf("row %d is %v, want %v", k, values[3*k:][:3], want)
			}
		}
	})
	t.Run("list", func(t *testing.T) {
		array, list, err := arrays.ReadListed(filepath.Join(folder, vectorsFile))
		require.NoError(t, err)
		if !slices.Equal(array.Shape(), []int{5, 3}) || list.Network != "random" || list.Data != "/pictures" || list.Names[2] != "ö/3.png" ||
			!slices.Equal(list.Classes, []string{"", "odd", "odd", "", "odd"}) {
			t.Errorf("an array of %v with the list %+v", array.Shape(), list)
		}
		names := listOf(indexOf(t, "lat\xe9in.png", "b.png", "removed.png"), []int{0}).Names
		if !slices.Equal(names, []string{`lat\xe9in.png`}) {
			t.Errorf("a name that is not UTF-8 is %q", names)
		}
	})
}

// TestNumPyReads: NumPy itself reads the arrays.
func TestNumPyReads(t *testing.T) {
	python := "/usr/bin/python3" // Debian's, with its packages
	if err := exec.Command(python, "-c", "import numpy").Run(); err != nil {
		t.Skipf("no NumPy for %s (Debian: python3-numpy): %v", python, err)
	}
	x, folder := sixPictures(t), t.TempDir()
	require.NoError(t, writeVectors(t.Context(), folder, x, func(int, int) {}))
	const script = `
import json, numpy, sys
v, i = numpy.load("vectors.npy", allow_pickle=False), numpy.load("ids.npy", allow_pickle=False)
json.dump([str(v.dtype), str(i.dtype), v.tolist(), i.tolist()], sys.stdout)`
	read := exec.Command(python, "-c", script)
	read.Dir = folder
	out := require.Value(read.Output())(t)
	var got [4]any
	require.NoError(t, json.Unmarshal(out, &got))
	if got[0] != "float32" || got[1] != "int64" || fmt.Sprint(got[3]) != fmt.Sprint(left) {
		t.Errorf("NumPy has %s", out)
	}
	want := make([]float32, 3)
	for k, row := range got[2].([]any) {
		x.Feature(want, int(left[k]))
		for c, v := range row.([]any) {
			if !(math.Abs(v.(float64)-float64(want[c])) <= 1e-7) {
				t.Errorf("row %d is %v, want %v", k, row, want)
			}
		}
	}
}

// TestExportStops: a canceled export keeps the files of the previous one.
func TestExportStops(t *testing.T) {
	x := sixPictures(t)
	ctx, stop := context.WithCancel(t.Context())
	stop()
	folder := t.TempDir()
	before := filepath.Join(folder, vectorsFile)
	require.NoError(t, os.WriteFile(before, []byte("as it was"), 0o666))
	if err := writeVectors(ctx, folder, x, func(int, int) {}); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: error %v", err)
	}
	files, err := os.ReadDir(folder)
	if raw, readErr := os.ReadFile(before); err != nil || readErr != nil || len(files) != 1 || string(raw) != "as it was" {
		t.Errorf("left %v, errors %v, %v", files, err, readErr)
	}
}
