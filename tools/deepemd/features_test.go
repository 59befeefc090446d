package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/sbinet/npyio"

	"github.com/deepemd/deepemd/core/resnet"
	"github.com/deepemd/deepemd/core/tensor"
	"github.com/deepemd/deepemd/trainer/format/arrays"
)

// readNPY reads an array of float32.
func readNPY(t *testing.T, path string) *tensor.Tensor {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	array, err := arrays.ReadNPY(file)
	if err != nil {
		t.Fatal(err)
	}
	values, err := arrays.Tensor(array)
	if err != nil {
		t.Fatal(err)
	}
	return values
}

// writeNPY writes an array of float32.
func writeNPY(t *testing.T, path string, x *tensor.Tensor) {
	t.Helper()
	array, err := arrays.Dense(x)
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := arrays.WriteNPY(file, array); err != nil {
		t.Fatal(err)
	}
}

func writeText(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func readBytes(t *testing.T, path string) string {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func TestFeatures(t *testing.T) {
	dir, in, out := pictures(t, 3), write(t, nil), t.TempDir()
	f, p, b := filepath.Join(out, "f.npy"), filepath.Join(out, "p.npy"), filepath.Join(out, "b.npy")
	printed, err := run("features", "--data", dir, "--weights", in, "--out", f, "--pixels", p, "--batch", b, "--pyramid", "1")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(printed, "9 pictures, 5 nodes of 10 channels") {
		t.Errorf("printed %q", printed)
	}
	var list arrayList
	if err := json.Unmarshal([]byte(readBytes(t, listPath(f))), &list); err != nil {
		t.Fatal(err)
	}
	want := arrayList{
		Shape: []int{9, 5, 10}, Network: "random", Data: filepath.Base(dir), Size: 32, Pyramid: []int{1},
		Mean: [3]float32{0.5, 0.5, 0.5}, Std: [3]float32{0.25, 0.25, 0.25},
	}
	for _, class := range classNames {
		for i := range 3 {
			want.Names, want.Classes = append(want.Names, fmt.Sprintf("%s/%d.png", class, i)), append(want.Classes, class)
		}
	}
	if !reflect.DeepEqual(list, want) {
		t.Errorf("the list says %+v, want %+v", list, want)
	}

	// Another reader than ours.
	file, err := os.Open(p)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var pixels []uint8
	r, err := npyio.NewReader(file)
	if err == nil {
		err = r.Read(&pixels)
	}
	if err != nil || !slices.Equal(r.Header.Descr.Shape, []int{9, 32, 32, 3}) || r.Header.Descr.Type != "|u1" {
		t.Fatalf("pixels %+v, %v", r.Header, err)
	}

	// What the network saw gives the features again, by hand …
	batch, features := readNPY(t, b), readNPY(t, f)
	for i, v := range batch.Data {
		if want := (float32(pixels[i])/255 - 0.5) / 0.25; v != want {
			t.Fatalf("value %d of the batch is %g, want %g", i, v, want)
		}
	}
	net, err := resnet.New(decode(t, in), resnet.Options{})
	if err != nil {
		t.Fatal(err)
	}
	again, err := net.Forward(batch)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 9 {
		if d := again.Row(i)[7] - features.Row(i)[10+7]; d > 1e-4 || d < -1e-4 { // after the pyramid's node
			t.Errorf("picture %d: a feature is %g, and %g from the batch", i, features.Row(i)[10+7], again.Row(i)[7])
		}
	}
	// … and by the command, in every form.
	n := filepath.Join(out, "n.npy")
	writeNPY(t, n, planes(batch))
	for _, array := range []string{p, b, n} {
		g := filepath.Join(out, "g.npy")
		if _, err := run("features", "--in", array, "--weights", in, "--out", g, "--pyramid", "1"); err != nil {
			t.Errorf("%s: %v", array, err)
			continue
		}
		if readBytes(t, g) != readBytes(t, f) {
			t.Errorf("%s gives other features than its pictures", filepath.Base(array))
		}
		var back arrayList
		if err := json.Unmarshal([]byte(readBytes(t, listPath(g))), &back); err != nil {
			t.Fatal(err)
		}
		if array == n { // which has no list
			if want := []string{"0", "1", "2", "3", "4", "5", "6", "7", "8"}; !slices.Equal(back.Names, want) || back.Classes != nil {
				t.Errorf("without a list: %+v", back)
			}
		} else if !reflect.DeepEqual(back, want) {
			t.Errorf("%s: the list says %+v, want %+v", filepath.Base(array), back, want)
		}
	}
}

// TestFeaturesNotes: pictures that are not normalised, or otherwise, give features
// that nothing else would tell from good ones.
func TestFeaturesNotes(t *testing.T) {
	in, dir := write(t, nil), t.TempDir()
	x, out := filepath.Join(dir, "x.npy"), filepath.Join(dir, "f.npy")
	note := func() string {
		printed, err := run("features", "--in", x, "--weights", in, "--out", out)
		if err != nil {
			t.Fatal(err)
		}
		return printed
	}
	values := tensor.New(1, 32, 32, 3)
	writeNPY(t, x, values)
	if printed := note(); !strings.Contains(printed, "are its pictures normalised") {
		t.Errorf("printed %q", printed)
	}
	values.Data[5] = -1
	writeNPY(t, x, values)
	if printed := note(); strings.Contains(printed, "note") {
		t.Errorf("printed %q", printed)
	}
	writeText(t, listPath(x), `{"names": ["a"], "mean": [0, 0, 0], "std": [1, 1, 1]}`)
	if printed := note(); !strings.Contains(printed, "the weights go with [0.5 0.5 0.5]") {
		t.Errorf("printed %q", printed)
	}
}

func TestFeaturesRefuses(t *testing.T) {
	dir, out := pictures(t, 1), t.TempDir()
	f, x := filepath.Join(out, "f.npy"), filepath.Join(out, "x.npy")
	small, named := filepath.Join(out, "small.npy"), filepath.Join(out, "named.npy")
	writeNPY(t, x, tensor.New(2, 5))
	writeNPY(t, small, tensor.New(1, 8, 8, 3))
	writeNPY(t, named, tensor.New(2, 16, 16, 3))
	writeText(t, listPath(named), `{"names": ["a"]}`)
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--data", dir}, "--out is missing"},
		{[]string{"--out", f}, "--data is missing"},
		{[]string{"--data", dir, "--out", f + ".txt"}, "ends in .npy"},
		{[]string{"--data", dir, "--out", f, "--pixels", "p"}, "--pixels p: want a file that ends in .npy"},
		{[]string{"--data", dir, "--out", f, "--batch", f}, "--out and --batch name the same file"},
		{[]string{"--data", dir, "--out", f, "--set", "val"}, "--set goes with --split"},
		{[]string{"--data", dir, "--out", filepath.Join(dir, "no", "f.npy")}, "--out: "},
		{[]string{"--data", dir, "--in", x, "--out", f}, "--data does not go with --in"},
		{[]string{"--in", x, "--size", "32", "--out", f}, "--size does not go with --in"},
		{[]string{"--in", x, "--out", x}, "--in and --out name the same file"},
		{[]string{"--in", x, "--out", f}, "x.npy: an array of shape [2 5], want pictures"},
		{[]string{"--in", small, "--out", f}, "pictures of 8×8 pixels"},
		{[]string{"--in", named, "--out", f}, "1 names and 0 classes for an array of shape"},
		{[]string{"--in", filepath.Join(out, "gone.npy"), "--out", f}, "is the path right?"},
	} {
		if _, err := run(append([]string{"features"}, c.args...)...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v gives %v, want %q", c.args, err, c.want)
		}
	}
	if _, err := os.Stat(f); err == nil {
		t.Error("a refused command wrote its file")
	}
}

// TestEvalFeatures: stored features give the logits that their pictures give, of
// episodes that are drawn and of listed ones.
func TestEvalFeatures(t *testing.T) {
	dir, in, out := pictures(t, 6), write(t, nil), t.TempDir()
	f, split := filepath.Join(out, "f.npy"), filepath.Join(out, "split.json")
	writeText(t, split, `{"train": ["along"], "test": ["chess", "across"]}`)
	episodes := filepath.Join(out, "episodes.json")
	writeText(t, episodes, `{"episodes_1shot": [{"support": ["else/across/0.webp", "chess/0.png"], "query": ["across/1.png", "chess/1.png"]}]}`)
	if _, err := run("features", "--data", dir, "--split", split, "--weights", in, "--out", f); err != nil {
		t.Fatal(err)
	}
	drawn := []string{"--way", "2", "--shot", "2", "--query", "3", "--episodes", "7", "--seed", "3"}
	for name, c := range map[string]struct{ pictures, features []string }{
		"drawn":            {append(drawn, "--split", split), drawn},
		"drawn of a split": {append(drawn, "--split", split), append(drawn, "--split", split)},
		"listed":           {[]string{"--episodes", episodes}, []string{"--episodes", episodes}},
	} {
		l, m := filepath.Join(out, "l.npy"), filepath.Join(out, "m.npy")
		if _, err := run(append(slices.Concat([]string{"eval", "--data", dir, "--weights", in, "--logits", l}), c.pictures...)...); err != nil {
			t.Fatal(err)
		}
		printed, err := run(append([]string{"eval", "--features", f, "--logits", m}, c.features...)...)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if readBytes(t, l) != readBytes(t, m) {
			t.Errorf("%s: features give other logits than their pictures", name)
		}
		if !strings.Contains(printed, "features of f.npy, prototype") {
			t.Errorf("%s: printed %q", name, printed)
		}
	}
	stdout, err := run(append([]string{"eval", "--features", f, "--json"}, drawn...)...)
	if err != nil {
		t.Fatal(err)
	}
	var e evaluation
	if err := json.Unmarshal([]byte(stdout), &e); err != nil || e.Features != "f.npy" || e.Network != "random" || e.Size != 32 || e.Data != filepath.Base(dir) {
		t.Errorf("%s, %v", stdout, err)
	}
}

// TestEvalFeaturesOfOthers: an array with no more than names and classes beside it.
func TestEvalFeaturesOfOthers(t *testing.T) {
	f := filepath.Join(t.TempDir(), "f.npy")
	features := tensor.New(6, 2, 3)
	for i := range 6 { // two classes, told apart by which channel stands out
		for node := range 2 {
			features.Row(i)[3*node+i%2] = float32(1 + i + node)
		}
	}
	writeNPY(t, f, features)
	args := []string{"eval", "--features", f, "--way", "2", "--query", "2", "--episodes", "4"}
	lists := map[string]string{
		`{"names": ["a"], "classes": ["x"]}`:                                                   "does the list belong to it?",
		`{"names": ["a", "b", "c", "d", "e", "f"]}`:                                            "no classes",
		`{"names": ["a", "a", "c", "d", "e", "f"], "classes": ["x", "y", "x", "y", "x", "y"]}`: "a is named twice",
		`["a"]`: "not a list of pictures",
		``:      "not a list of pictures",
		`{"names": ["a", "b", "c", "d", "e", "f"], "classes": ["x", "y", "x", "y", "x", ""]}`: "without a name or a class",
	}
	if _, err := run(args...); err == nil || !strings.Contains(err.Error(), `it says what the rows of`) {
		t.Errorf("no list: error %v", err)
	}
	for _, list := range slices.Sorted(maps.Keys(lists)) {
		writeText(t, listPath(f), list)
		if _, err := run(args...); err == nil || !strings.Contains(err.Error(), lists[list]) {
			t.Errorf("%s: error %v, want one that says %q", list, err, lists[list])
		}
	}
	writeText(t, listPath(f), `{"names": ["a", "b", "c", "d", "e", "f"], "classes": ["x", "y", "x", "y", "x", "y"], "note": "made elsewhere"}`)
	printed, err := run(args...)
	if err != nil || !strings.Contains(printed, "100.00% ± 0.00%  2-way 1-shot") {
		t.Errorf("printed %q, %v", printed, err)
	}
	for flag, value := range map[string]string{"data": "d", "weights": "w", "size": "32", "disturb": "all", "pyramid": "2"} {
		if _, err := run(append(args, "--"+flag, value)...); err == nil || !strings.Contains(err.Error(), "--"+flag+" does not go with --features") {
			t.Errorf("--%s: error %v", flag, err)
		}
	}
	writeNPY(t, f, tensor.New(6, 3))
	if _, err := run(args...); err == nil || !strings.Contains(err.Error(), "want [pictures nodes channels]") {
		t.Errorf("two axes: error %v", err)
	}
}
