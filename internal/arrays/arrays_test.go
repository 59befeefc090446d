package arrays

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	dense "gorgonia.org/tensor"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/bombs"
	"github.com/deepemd/deepemd/internal/networktest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/tensor"
)

// TestDenseSharesMemory shows that both sides see what either writes.
func TestDenseSharesMemory(t *testing.T) {
	batch := networktest.Pictures(2, 5, 1)
	d := require.Value(Dense(batch))(t)
	if !slices.Equal(d.Shape(), batch.Shape) || &d.Float32s()[0] != &batch.Data[0] {
		t.Errorf("shape %v, want %v over the same memory", d.Shape(), batch.Shape)
	}
	if v, err := d.At(1, 2, 3, 1); err != nil || v != batch.Data[((1*5+2)*5+3)*3+1] {
		t.Errorf("element (1,2,3,1) is %v, %v", v, err)
	}
	back, err := Tensor(d)
	if err != nil || !back.HasShape(batch.Shape...) || &back.Data[0] != &batch.Data[0] {
		t.Errorf("came back as %v, %v", back, err)
	}
	second, err := d.Slice(dense.S(1)) // an image of the batch is row-major too
	require.NoError(t, err)
	if back, err = Tensor(second.(*dense.Dense)); err != nil || !back.HasShape(5, 5, 3) || &back.Data[0] != &batch.Row(1)[0] {
		t.Errorf("the second picture came back as %v, %v", back, err)
	}
	labels := []int{3, 1, 2}
	d = require.Value(Labels(labels))(t)
	if ints := d.Ints(); &ints[0] != &labels[0] {
		t.Errorf("labels came back as %v", ints)
	}
}

func TestDenseRefuses(t *testing.T) {
	if _, err := Dense(tensor.New(3, 0)); err == nil || !strings.Contains(err.Error(), "[3 0] has no values") {
		t.Errorf("no elements: error %v", err)
	}
	if _, err := Labels(nil); err == nil {
		t.Error("no labels: no error")
	}
	doubles := dense.New(dense.WithShape(2, 1), dense.WithBacking([]float64{1, 2}))
	if _, err := Tensor(doubles); err == nil || !strings.Contains(err.Error(), ".astype('float32')") {
		t.Errorf("doubles: error %v", err)
	}
	turned := dense.New(dense.WithShape(2, 3), dense.WithBacking(dense.Range(dense.Float32, 0, 6)))
	require.NoError(t, turned.T())
	if _, err := Tensor(turned); err == nil || !strings.Contains(err.Error(), "Materialize") {
		t.Errorf("turned: error %v", err)
	}
}

// TestBatchRoundTrip takes a batch and its labels through files.
func TestBatchRoundTrip(t *testing.T) {
	images, labels := networktest.Pictures(3, 4, 2), []int{2, -1, 0}
	d := require.Value(Dense(images))(t)
	classes, err := Labels(labels)
	require.NoError(t, err)
	var file bytes.Buffer
	require.NoError(t, errors.Join(WriteNPY(&file, d), WriteNPY(&file, classes)))
	if d, err = ReadNPY(&file); err != nil { // no further than the first array
		t.Fatal(err)
	}
	classes = require.Value(ReadNPY(&file))(t)
	back, err := Tensor(d)
	if err != nil || !reflect.DeepEqual(back, images) {
		t.Errorf("pictures came back as %v, %v", back.Shape, err)
	}
	if ints := classes.Int64s(); !slices.Equal(ints, []int64{2, -1, 0}) {
		t.Errorf("labels came back as %v", ints)
	}
}

func TestFeatures(t *testing.T) {
	set := func(n int, from float32) *embed.Set {
		s := &embed.Set{N: n, C: 3, Data: make([]float32, n*3)}
		for i := range s.Data {
			s.Data[i] = from + float32(i)
		}
		return s
	}
	features := map[string]*embed.Set{"wide": {N: 2, C: 4, Data: make([]float32, 8)}, "a": set(2, 0), "b": set(2, 10), "c": set(2, 20), "large": set(4, 0), "none": {N: 2, C: 3}}
	d := require.Value(Features(features, []string{"c", "a", "c"}))(t)
	if want := []float32{20, 21, 22, 23, 24, 25, 0, 1, 2, 3, 4, 5, 20, 21, 22, 23, 24, 25}; !slices.Equal(d.Shape(), []int{3, 2, 3}) || !slices.Equal(d.Float32s(), want) {
		t.Errorf("features %v %v", d.Shape(), d.Float32s())
	}
	sets := require.Value(Sets(d, []string{"x", "y", "z"}))(t)
	for name, want := range map[string]string{"x": "c", "y": "a", "z": "c"} {
		if got := sets[name]; got.Check() != nil || !reflect.DeepEqual(got, features[want]) {
			t.Errorf("%s is %+v, want those of %s", name, got, want)
		}
	}
	if &sets["y"].Data[0] != &d.Float32s()[6] {
		t.Error("the sets do not lie over the array")
	}
	for want, names := range map[string][]string{
		"no images":                  {},
		"d: no features":             {"a", "d"},
		"large: features of 4×3, a ": {"a", "large"},
		"wide: features of 2×4, a ":  {"a", "wide"},
		"none: ":                     {"none"},
	} {
		if _, err := Features(features, names); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v: error %v, want one that says %q", names, err, want)
		}
	}
	for want, names := range map[string][]string{
		"an array of shape [3 2 3] for 2 names": {"x", "y"},
		"x is named twice":                      {"x", "y", "x"},
	} {
		if _, err := Sets(d, names); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v: error %v, want one that says %q", names, err, want)
		}
	}
	if _, err := Sets(dense.New(dense.WithShape(1), dense.WithBacking([]float64{1})), []string{"x"}); err == nil {
		t.Error("doubles: no error")
	}
	for want, v := range map[string]float64{"y: a feature is +Inf": math.Inf(1), "y: a feature is NaN": math.NaN()} {
		d.Float32s()[7] = float32(v)
		if _, err := Sets(d, []string{"x", "y", "z"}); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("error %v, want one that says %q", err, want)
		}
	}
	nothing := dense.New(dense.WithShape(2, 2, 2), dense.WithBacking([]float32{1, 2, 3, 4, 0, 0, 0, 0}))
	if _, err := Sets(nothing, []string{"x", "y"}); !errors.Is(err, embed.ErrFlat) || !strings.HasPrefix(err.Error(), "y: ") {
		t.Errorf("a picture whose features are 0: error %v", err)
	}
}

// network returns weights that change may change.
func network(change func(*weights.File)) *weights.File {
	f := networktest.ResNet12([]int{4, 6, 8, 10}, 32, 1)
	f.Meta.Extra = map[string]string{"license": "MIT"}
	f.Tensors["temperature"] = tensor.Of([]float32{12.5})
	if change != nil {
		change(f)
	}
	return f
}

func TestWeightsRoundTrip(t *testing.T) {
	want := network(nil)
	check := func(t *testing.T, got *weights.File, err error, source string) {
		t.Helper()
		require.NoError(t, err)
		if got.Source != source || !reflect.DeepEqual(got.Meta, want.Meta) || !reflect.DeepEqual(got.Tensors, want.Tensors) {
			t.Errorf("came back as %s: %+v, %d tensors", got.Source, got.Meta, len(got.Tensors))
		}
	}
	t.Run("archive", func(t *testing.T) {
		var first, second bytes.Buffer
		require.NoError(t, errors.Join(WriteNPZ(&first, want), WriteNPZ(&second, want)))
		if !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Error("the same weights give other bytes the second time")
		}
		got, err := ReadNPZ("w.npz", first.Bytes())
		check(t, got, err, "w.npz")
	})
	t.Run("folder", func(t *testing.T) {
		for _, name := range []string{"new", "empty"} {
			folder := filepath.Join(t.TempDir(), name)
			if name == "empty" {
				require.NoError(t, os.Mkdir(folder, 0o777))
			}
			require.NoError(t, WriteFolder(folder+"/", want))
			require.NoError(t, os.WriteFile(filepath.Join(folder, ".hidden"), nil, 0o666))
			got, err := ReadFolder(folder)
			check(t, got, err, name)
			if err := WriteFolder(folder, want); err == nil || !strings.Contains(err.Error(), "is not empty: name a new folder") {
				t.Errorf("a second time: error %v", err)
			}
			if entries, err := os.ReadDir(filepath.Dir(folder)); err != nil || len(entries) != 1 {
				t.Errorf("left %v beside it, %v", entries, err)
			}
		}
	})
}

func TestWriteWeightsRefuses(t *testing.T) {
	for want, change := range map[string]func(*weights.File){
		"lacks std": func(f *weights.File) { f.Meta.Std = [3]float32{} },
		"its name cannot be a file name: rename it": func(f *weights.File) { f.Tensors["../up"] = tensor.New(1) },
		"tensor none: an array of s":                func(f *weights.File) { f.Tensors["none"] = tensor.New(0) },
	} {
		f := network(change)
		var out bytes.Buffer
		if err := WriteNPZ(&out, f); err == nil || !strings.Contains(err.Error(), want) || out.Len() > 0 {
			t.Errorf("%d bytes, error %v, want none and one that says %q", out.Len(), err, want)
		}
		folder := filepath.Join(t.TempDir(), "w")
		if err := WriteFolder(folder, f); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("folder: error %v, want one that says %q", err, want)
		}
		if entries, err := os.ReadDir(filepath.Dir(folder)); err != nil || len(entries) > 0 {
			t.Errorf("left %v behind, %v", entries, err)
		}
	}
	for _, name := range []string{"", ".", "..", "a/b", `a\b`, "\xff"} {
		f := network(func(f *weights.File) { f.Tensors[name] = tensor.New(1) })
		if err := WriteNPZ(new(bytes.Buffer), f); err == nil || !strings.Contains(err.Error(), "rename it") {
			t.Errorf("a tensor called %q: error %v", name, err)
		}
	}
	if err := WriteFolder(filepath.Join(t.TempDir(), "absent", "w"), network(nil)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("absent folder above: error %v", err)
	}
	occupied := filepath.Join(t.TempDir(), "w")
	require.NoError(t, os.WriteFile(occupied, nil, 0o666))
	if err := WriteFolder(occupied, network(nil)); err == nil {
		t.Error("a file in the folder's place: no error")
	}
}

// archive makes a zip archive of files, name by name.
func archive(t *testing.T, files map[string][]byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for name, content := range files {
		entry := require.Value(w.Create(name))(t)
		require.Value(entry.Write(content))(t)
	}
	require.NoError(t, w.Close())
	return out.Bytes()
}

func TestReadNPZ(t *testing.T) {
	one := file(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }", 0, 0, 0x80, 0x3f)
	counter := file(1, "{'descr': '<i8', 'fortran_order': False, 'shape': (), }", 1, 0, 0, 0, 0, 0, 0, 0)
	if f, err := ReadNPZ("w.npz", nil); err == nil {
		t.Errorf("a size of 0: %v", f)
	}
	read := func(files map[string][]byte) (*weights.File, error) {
		return ReadNPZ("w.npz", archive(t, files))
	}
	f, err := read(map[string][]byte{"a.npy": one, "bn1.num_batches_tracked.npy": counter})
	if err != nil || len(f.Tensors) != 1 || !reflect.DeepEqual(f.Tensors["a"], tensor.Of([]float32{1}, 1)) {
		t.Errorf("read %v, %v", f, err)
	}
	nan := bytes.Clone(one)
	copy(nan[len(nan)-4:], "\x00\x00\xc0\x7f")
	for want, files := range map[string]map[string][]byte{
		"w.npz: it contains no arrays":              {},
		"w.npz: a.npy: not a NumPy file":            {"a.npy": []byte("hello")},
		"w.npz: a.npy: value 0 of 1 is NaN":         {"a.npy": nan},
		"w.npz: a.npy: an array of int64":           {"a.npy": counter},
		"w.npz: notes.txt: neither an array":        {"a.npy": one, "notes.txt": nil},
		"w.npz: sub: neither an array":              {"sub/a.npy": one},
		"w.npz: metadata.json: not a JSON map":      {"a.npy": one, "metadata.json": []byte("[]")},
		"w.npz: metadata.json: metadata mean \"1\"": {"a.npy": one, "metadata.json": []byte(`{"mean": "1"}`)},
	} {
		if f, err := read(files); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("read %v, error %v, want one that says %q", f, err, want)
		}
	}
	var saved bytes.Buffer
	require.NoError(t, WriteNPZ(&saved, network(nil)))
	flipped := saved.Bytes()
	flipped[bytes.Index(flipped, []byte("\x93NUMPY"))+128] ^= 1
	if _, err := ReadNPZ("w.npz", flipped); !errors.Is(err, zip.ErrChecksum) {
		t.Errorf("a flipped bit: error %v, want one of the checksum", err)
	}
	if _, err := ReadFolder(filepath.Join(t.TempDir(), "absent")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("absent folder: error %v", err)
	}
}

// TestArrayBombs: small archives of large contents are refused before they are unpacked.
func TestArrayBombs(t *testing.T) {
	one := bombs.Entry{Name: "a.npy", Content: file(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }", 0, 0, 0x80, 0x3f)}
	large := bombs.Entry{Name: "b.npy", Content: file(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (134217728,), }", make([]byte, 8<<20)...), Deflate: true}
	spaces := bombs.Entry{Name: metadataFile, Content: bytes.Repeat([]byte(" "), 32<<20), Deflate: true}
	upon := []bombs.Entry{{Name: "a.npy", Content: file(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (262144,), }", make([]byte, 1<<20)...)}}
	for i := range 200 {
		upon = append(upon, bombs.Entry{Name: fmt.Sprint(i, Ending), On: "a.npy"})
	}
	for want, entries := range map[string][]bombs.Entry{
		"w.npz: b.npy: more than 134217728 values in the file":      {one, large},
		"w.npz: metadata.json: more than 4194304 bytes of metadata": {one, spaces},
		"w.npz: its entries overlap":                                upon,
	} {
		data := bombs.Archive(entries...)
		var err error
		took := bombs.Allocated(func() { _, err = ReadNPZ("w.npz", data) })
		if err == nil || !strings.HasPrefix(err.Error(), want) || took > 32<<20 {
			t.Errorf("error %v after %d bytes, want one that says %q", err, took, want)
		}
	}
}

// FuzzReadArrays reads the files of an archive or a folder.
func FuzzReadArrays(f *testing.F) {
	one := file(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }", 0, 0, 0x80, 0x3f)
	f.Add("encoder.w", one, []byte(`{"arch": "resnet12", "widths": "1,2,3,4", "input_size": "32", "mean": "0,0,0", "std": "1,1,1"}`))
	f.Add("bn1.num_batches_tracked", one, []byte("{}"))
	f.Fuzz(func(t *testing.T, name string, array, facts []byte) {
		files := fstest.MapFS{name + Ending: {Data: array}, metadataFile: {Data: facts}}
		var f *weights.File
		var err error
		bombs.Budget(t, 4<<20, 512, len(array)+len(facts), func() { f, err = readArrays("fuzz", files) })
		if err != nil || f.Meta.Validate() != nil || strings.Contains(name, `\`) { // which some systems take for a slash
			return
		}
		// Arrays that can be read can be written, and read back the same.
		var out bytes.Buffer
		if err := WriteNPZ(&out, f); err != nil {
			t.Fatalf("read, but does not write: %v", err)
		}
		again, err := ReadNPZ("fuzz", out.Bytes())
		if err != nil || !reflect.DeepEqual(again, f) {
			t.Fatalf("changed on the way: %+v, %v", again, err)
		}
	})
}

// TestReadPictures: without a list, images have numbers; a list that does not belong to the array is an error.
func TestReadPictures(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.npy")
	var array bytes.Buffer
	require.NoError(t, WriteNPY(&array, made(Pixels(make([]uint8, 2*27), 2, 3))))
	require.NoError(t, os.WriteFile(path, array.Bytes(), 0o600))
	pictures, list, err := ReadPictures(path)
	if err != nil || pictures.N != 2 || !slices.Equal(list.Names, []string{"0", "1"}) {
		t.Errorf("without a list: %+v, %v", list, err)
	}
	for text, want := range map[string]string{
		`{"names": ["x", "y"], "classes": ["cup", "pen"]}`: "",
		`{"names": ["x", "y"]}`:                            "",
		`{"names": ["x", "y"], "shape": [2, 3, 3, 3]}`:     "",
		`{"names": ["x", "y"], "shape": [2, 4, 4, 3]}`:     "the list of an array of shape [2 4 4 3]",
		`{"names": ["x"]}`:                                 "1 names and 0 classes",
		`["x", "y"]`:                                       "not a list of images",
		`{"names": ["x", "y"], "classes": ["cup"]}`:        "2 names and 1 classes",
	} {
		require.NoError(t, os.WriteFile(ListPath(path), []byte(text), 0o600))
		_, list, err := ReadPictures(path)
		switch {
		case want == "" && (err != nil || !slices.Equal(list.Names, []string{"x", "y"})):
			t.Errorf("%s: %+v, %v", text, list, err)
		case want != "" && (err == nil || !strings.HasPrefix(err.Error(), ListPath(path)) || !strings.Contains(err.Error(), want)):
			t.Errorf("%s: error %v, want one that says %q", text, err, want)
		}
	}
	require.NoError(t, os.WriteFile(path, array.Bytes()[:array.Len()-1], 0o600))
	if _, _, err := ReadPictures(path); err == nil || !strings.HasPrefix(err.Error(), path) || !strings.Contains(err.Error(), "is the file complete?") {
		t.Errorf("half an array: error %v", err)
	}
	require.NoError(t, errors.Join(os.Remove(ListPath(path)), os.Mkdir(ListPath(path), 0o700)))
	if err := (List{}).Write(path, made(Pixels(make([]uint8, 12), 1, 2))); err == nil {
		t.Error("an array without its list was written without an error")
	}
	// The list of an array that cannot be written stays.
	path = filepath.Join(t.TempDir(), "b.npy")
	require.NoError(t, errors.Join(os.Mkdir(path, 0o700), os.WriteFile(ListPath(path), []byte("old"), 0o600)))
	if err := (List{}).Write(path, made(Pixels(make([]uint8, 12), 1, 2))); err == nil {
		t.Error("a folder was replaced by an array")
	}
	if raw := require.Value(os.ReadFile(ListPath(path)))(t); string(raw) != "old" {
		t.Errorf("the list is %s", raw)
	}
}

// FuzzList reads arrays of images and of features with a list of any text.
func FuzzList(f *testing.F) {
	pictures := file(1, "{'descr': '|u1', 'fortran_order': False, 'shape': (1, 1, 2, 3), }", 1, 2, 3, 4, 5, 6)
	features := file(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 1, 2), }", 0, 0, 0x80, 0x3f, 0, 0, 0, 0x40)
	scalar := file(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (), }", 0, 0, 0x80, 0x3f)
	for _, array := range [][]byte{pictures, features, scalar} {
		for _, list := range []string{`{"names": ["a"], "classes": ["x"]}`, `{"names": ["a", "a"]}`, `{"classes": []}`, `{"size": -1, "std": [0]}`, `null`, `[]`, ``} {
			f.Add(array, []byte(list))
		}
	}
	path := filepath.Join(f.TempDir(), "a.npy")
	f.Fuzz(func(t *testing.T, array, list []byte) {
		for name, content := range map[string][]byte{path: array, ListPath(path): list} {
			require.NoError(t, os.WriteFile(name, content, 0o600))
		}
		bombs.Budget(t, 16<<20, 1024, len(array)+len(list), func() {
			if p, l, err := ReadPictures(path); err == nil && len(l.Names) != p.N {
				t.Errorf("%d names of %d pictures", len(l.Names), p.N)
			}
			d, l, err := ReadListed(path)
			if err != nil {
				return
			}
			sets, err := Sets(d, l.Names)
			if err == nil && len(sets) != len(l.Names) {
				t.Errorf("%d sets of %d names", len(sets), len(l.Names))
			}
			for name, set := range sets {
				if err := set.Check(); err != nil || set.Flat() || set.N*set.C != len(set.Data) {
					t.Errorf("%q: %d nodes of %d channels: %v", name, set.N, set.C, err)
				}
			}
		})
	})
}
