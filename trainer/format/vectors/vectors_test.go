package vectors

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/sbinet/npyio"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/gallery"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/trainer/format/arrays"
)

// index is one of six pictures, of which number 2 was deleted; half have a class.
func index(t testing.TB) *gallery.Index {
	t.Helper()
	var file gallery.Buffer
	w, err := gallery.Create(&file, gallery.Catalogue{
		Network: project.Network{Name: "random", SHA256: "abc", Embedder: method.Embedder{Kind: method.FCN}}, Source: "/pictures",
	})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 6 {
		class := ""
		if i%2 == 1 {
			class = "odd"
		}
		set := &embed.Set{N: 2, C: 3, Data: []float32{float32(i), 2, 3, 3, float32(-i), 1}}
		if err := w.Add(fmt.Sprintf("ö/%d.png", i), class, set); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	x, err := gallery.Open(file.Bytes)
	if err == nil {
		err = gallery.Extend(&file, x, *x.Catalogue()).Delete(x, 2)
	}
	if err != nil {
		t.Fatal(err)
	}
	if x, err = gallery.Open(file.Bytes); err != nil {
		t.Fatal(err)
	}
	return x
}

// left are the numbers of the pictures that were not deleted.
var left = []int64{0, 1, 3, 4, 5}

// TestFolder: other readers find in the files what the index has.
func TestFolder(t *testing.T) {
	x, folder := index(t), filepath.Join(t.TempDir(), "new")
	var seen []int
	if err := Folder(t.Context(), folder, x, func(done, total int) { seen = append(seen, done, total) }); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(seen, []int{10, 10}) {
		t.Errorf("progress %v", seen)
	}
	want := make([]float32, 3)
	t.Run("parquet", func(t *testing.T) {
		raw, err := os.ReadFile(filepath.Join(folder, ParquetFile))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.HasPrefix(raw, []byte("PAR1")) || !bytes.HasSuffix(raw, []byte("PAR1")) {
			t.Errorf("it begins with %q and ends with %q", raw[:4], raw[len(raw)-4:])
		}
		file, err := parquet.OpenFile(bytes.NewReader(raw), int64(len(raw)))
		if err != nil {
			t.Fatal(err)
		}
		for key, want := range map[string]string{"deepemd.network": "random", "deepemd.sha256": "abc", "deepemd.source": "/pictures"} {
			if got, ok := file.Lookup(key); !ok || got != want {
				t.Errorf("%s is %q", key, got)
			}
		}
		rows, err := parquet.Read[row](bytes.NewReader(raw), int64(len(raw)))
		if err != nil || len(rows) != len(left) {
			t.Fatalf("%d rows, error %v", len(rows), err)
		}
		for k, r := range rows {
			i := left[k]
			x.Feature(want, int(i))
			classless := r.Class == nil
			if r.ID != i || r.Name != fmt.Sprintf("ö/%d.png", i) || classless != (i%2 == 0) || !classless && *r.Class != "odd" || !slices.Equal(r.Vector, want) {
				t.Errorf("row %d is %+v", k, r)
			}
		}
	})
	t.Run("npyio", func(t *testing.T) {
		var ids []int64
		var values []float32
		for name, into := range map[string]any{IDsFile: &ids, ArrayFile: &values} {
			file, err := os.Open(filepath.Join(folder, name))
			if err != nil {
				t.Fatal(err)
			}
			defer file.Close()
			if err := npyio.Read(file, into); err != nil {
				t.Fatal(err)
			}
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
		array, list, err := arrays.ReadListed(filepath.Join(folder, ArrayFile))
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(array.Shape(), []int{5, 3}) || list.Network != "random" || list.Data != "/pictures" || list.Names[2] != "ö/3.png" ||
			!slices.Equal(list.Classes, []string{"", "odd", "odd", "", "odd"}) {
			t.Errorf("an array of %v with the list %+v", array.Shape(), list)
		}
	})
}

// TestNumPyReads: NumPy itself reads the arrays.
func TestNumPyReads(t *testing.T) {
	python := "/usr/bin/python3" // Debian's, for which it has packages
	if err := exec.Command(python, "-c", "import numpy").Run(); err != nil {
		t.Skipf("no NumPy for %s (Debian: python3-numpy): %v", python, err)
	}
	x, folder := index(t), t.TempDir()
	if err := Folder(t.Context(), folder, x, nil); err != nil {
		t.Fatal(err)
	}
	const script = `
import json, numpy, sys
v, i = numpy.load("vectors.npy", allow_pickle=False), numpy.load("ids.npy", allow_pickle=False)
json.dump([str(v.dtype), str(i.dtype), v.tolist(), i.tolist()], sys.stdout)`
	read := exec.Command(python, "-c", script)
	read.Dir = folder
	out, err := read.Output()
	if err != nil {
		t.Fatal(err)
	}
	var got [4]any
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatal(err)
	}
	if got[0] != "float32" || got[1] != "int64" || fmt.Sprint(got[3]) != fmt.Sprint(left) {
		t.Errorf("NumPy has %s", out)
	}
	want := make([]float32, 3)
	for k, row := range got[2].([]any) {
		x.Feature(want, int(left[k]))
		for c, v := range row.([]any) {
			if math.Abs(v.(float64)-float64(want[c])) > 1e-7 {
				t.Errorf("row %d is %v, want %v", k, row, want)
			}
		}
	}
}

// TestHyparquetReads: a reader of Parquet that shares nothing with our writer's library
// finds the same rows. npm installs it.
func TestHyparquetReads(t *testing.T) {
	if os.Getenv("DEEPEMD_PACKAGES") == "" {
		t.Skip("npm installs hyparquet for this test: set DEEPEMD_PACKAGES=1, or run make test-all")
	}
	folder := t.TempDir()
	install := exec.Command("npm", "install", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund", "--silent",
		"hyparquet@1.31.5", "hyparquet-compressors@1.1.2")
	if out, err := install.CombinedOutput(); err != nil {
		t.Fatalf("npm install: %v\n%s", err, out)
	}
	x := index(t)
	var file bytes.Buffer
	if err := Parquet(t.Context(), &file, x, nil); err != nil {
		t.Fatal(err)
	}
	const script = `
import { asyncBufferFromFile, parquetReadObjects } from "hyparquet";
import { compressors } from "hyparquet-compressors";
const rows = await parquetReadObjects({ file: await asyncBufferFromFile("x.parquet"), compressors });
console.log(JSON.stringify(rows.map((r) => ({ ...r, id: Number(r.id) }))));`
	for name, content := range map[string][]byte{"x.parquet": file.Bytes(), "read.mjs": []byte(script)} {
		if err := os.WriteFile(filepath.Join(folder, name), content, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	read := exec.Command("node", "read.mjs")
	read.Dir = folder
	out, err := read.CombinedOutput()
	if err != nil {
		t.Fatalf("node: %v\n%s", err, out)
	}
	var got []struct {
		ID     int64
		Name   string
		Class  *string
		Vector []float32
	}
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatal(err)
	}
	want := make([]float32, 3)
	for k, r := range got {
		x.Feature(want, int(left[k]))
		if r.ID != left[k] || r.Name != fmt.Sprintf("ö/%d.png", r.ID) || (r.Class == nil) != (r.ID%2 == 0) || !slices.Equal(r.Vector, want) {
			t.Errorf("row %d is %+v", k, r)
		}
	}
	if len(got) != len(left) {
		t.Errorf("%d rows", len(got))
	}
}

var errFull = errors.New("no space left")

// full is a writer without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

// TestExportStops: a disk that fills and a person who stops it end an export, and leave
// what was there.
func TestExportStops(t *testing.T) {
	x := index(t)
	if err := Parquet(t.Context(), full{}, x, nil); !errors.Is(err, errFull) {
		t.Errorf("a full disk: error %v", err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	folder := t.TempDir()
	before := filepath.Join(folder, ParquetFile)
	if err := os.WriteFile(before, []byte("as it was"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := Folder(ctx, folder, x, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: error %v", err)
	}
	files, err := os.ReadDir(folder)
	if raw, readErr := os.ReadFile(before); err != nil || readErr != nil || len(files) != 1 || string(raw) != "as it was" {
		t.Errorf("left %v, errors %v, %v", files, err, readErr)
	}
}

func TestParseCandidates(t *testing.T) {
	id := func(n int) Candidate { return Candidate{ID: n} }
	name := func(s string) Candidate { return Candidate{Name: s} }
	for text, want := range map[string][]Candidate{
		`[3, 0, "a/b.jpg", "7"]`:      {id(3), id(0), name("a/b.jpg"), name("7")},
		"  [1]\n":                     {id(1)},
		"4\n\n  17 \r\na b.jpg\n-1\n": {id(4), id(17), name("a b.jpg"), name("-1")},
		"9":                           {id(9)},
	} {
		if got, err := ParseCandidates([]byte(text)); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %v, error %v, want %v", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"":                     "no candidates",
		"[]":                   "no candidates",
		"[1, 2":                "unexpected end",
		"[1, null]":            "candidate 2 is null",
		"[1.5]":                "candidate 1 is 1.5",
		"[-1]":                 "candidate 1 is -1",
		"[99999999999]":        "candidate 1 is 99999999999",
		`[""]`:                 "candidate 1 is an empty name",
		`[{"id": 1}]`:          `candidate 1 is {"id": 1}`,
		`{"result": [1]}`:      "line 1 is a JSON object",
		"[1] and then nothing": "want ids or names",
	} {
		if got, err := ParseCandidates([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, error %v, want one that says %q", text, got, err, want)
		}
	}
}

func TestPictures(t *testing.T) {
	x := index(t)
	got, err := Pictures(x, []Candidate{{ID: 4}, {Name: "ö/3.png"}, {ID: 4}, {ID: 0}, {ID: 3}})
	if err != nil || !slices.Equal(got, []int{4, 3, 0}) {
		t.Errorf("%v, error %v", got, err)
	}
	for want, c := range map[string]Candidate{
		"no picture 6, ids end at 5":        {ID: 6},
		"picture 2 (ö/2.png) was taken out": {ID: 2},
		"no picture is called ö/2.png":      {Name: "ö/2.png"},
		"no picture is called none":         {Name: "none"},
	} {
		if _, err := Pictures(x, []Candidate{{ID: 1}, c}); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "--export") {
			t.Errorf("%v: error %v, want one that says %q", c, err, want)
		}
	}
}
