package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"deepemd/core/resnet"
	"deepemd/core/tensor"
	"deepemd/core/weights"
	"deepemd/trainer/data"
	"deepemd/trainer/exchange"
)

// sameTensors fails unless both files hold the same tensors, bit for bit.
func sameTensors(t *testing.T, got, want *weights.File, rename func(string) string) {
	t.Helper()
	if len(got.Tensors) != len(want.Tensors) {
		t.Errorf("%d tensors, want %d", len(got.Tensors), len(want.Tensors))
	}
	for name, w := range want.Tensors {
		g := got.Tensors[rename(name)]
		if g == nil || !slices.Equal(g.Shape, w.Shape) || !slices.Equal(g.Data, w.Data) {
			t.Errorf("%s is not what it was", rename(name))
		}
	}
}

func TestExportAndBack(t *testing.T) {
	in := write(t, nil)
	want := decode(t, in)
	dir := t.TempDir()
	for _, c := range []struct{ out, says string }{
		{"w.npz", "NumPy's arrays"}, {"arrays/", "NumPy's arrays"}, {"plain", "NumPy's arrays"}, {"w.safetensors", "safetensors, f32"},
	} {
		out := filepath.Join(dir, c.out)
		if strings.HasSuffix(c.out, "/") {
			out += "/"
		}
		printed, err := run("export", in, out)
		if err != nil {
			t.Errorf("%s: %v", c.out, err)
			continue
		}
		if !strings.Contains(printed, c.says) {
			t.Errorf("%s: %q does not say %s", c.out, printed, c.says)
		}
		back := filepath.Join(dir, strings.Trim(c.out, "/")+".back.safetensors")
		if _, err := run("import", strings.TrimSuffix(out, "/"), back, "--dtype", "f32"); err != nil {
			t.Errorf("%s: %v", c.out, err)
			continue
		}
		got := decode(t, back)
		sameTensors(t, got, want, func(name string) string { return name })
		if got.Meta.Mean != want.Meta.Mean || got.Meta.InputSize != want.Meta.InputSize {
			t.Errorf("%s: the facts are %+v, want %+v", c.out, got.Meta, want.Meta)
		}
	}
}

// TestExportHasTheReferencesNames compares the names with those that PyTorch
// itself reads from the reference's checkpoints.
func TestExportHasTheReferencesNames(t *testing.T) {
	in := write(t, nil)
	out := filepath.Join(t.TempDir(), "w.safetensors")
	if _, err := run("export", in, out, "--module", "--dtype", "f16"); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(raw[:1000], []byte(`"format":"pt"`)) {
		t.Error("the file does not say that its tensors are laid out as PyTorch's")
	}
	var names []string
	var header map[string]json.RawMessage
	if err := json.Unmarshal(raw[8:8+int(raw[0])+int(raw[1])<<8+int(raw[2])<<16], &header); err != nil {
		t.Fatal(err)
	}
	for name := range header {
		if name != "__metadata__" {
			names = append(names, name)
		}
	}
	for _, block := range []string{"1", "4"} {
		for _, part := range []string{"conv1.weight", "bn3.running_var", "downsample.0.weight", "downsample.1.bias"} {
			if name := "module.encoder.layer" + block + ".0." + part; !slices.Contains(names, name) {
				t.Errorf("no tensor %s", name)
			}
		}
	}
}

// TestNumPyReadsAnExport asks NumPy for what the archive holds.
func TestNumPyReadsAnExport(t *testing.T) {
	const python = "/usr/bin/python3"
	if err := exec.Command(python, "-c", "import numpy").Run(); err != nil {
		t.Skip("no NumPy here: install python3-numpy")
	}
	in := write(t, nil)
	out := filepath.Join(t.TempDir(), "w.npz")
	if _, err := run("export", in, out); err != nil {
		t.Fatal(err)
	}
	printed, err := exec.Command(python, "-c", `
import json, sys, numpy
a = numpy.load(sys.argv[1])
print(json.dumps({n: [list(a[n].shape), float(a[n].astype("f8").sum())] for n in a.files if n != "metadata.json"}))`, out).Output()
	if err != nil {
		t.Fatal(err)
	}
	var arrays map[string][2]any
	if err := json.Unmarshal(printed, &arrays); err != nil {
		t.Fatal(err)
	}
	for name, w := range decode(t, in).Tensors {
		sum := 0.0
		for _, v := range w.Data {
			sum += float64(v)
		}
		if got, ok := arrays[name]; !ok || len(got[0].([]any)) != len(w.Shape) || got[1].(float64)-sum > 1e-9 || sum-got[1].(float64) > 1e-9 {
			t.Errorf("%s is %v for NumPy, want shape %v and sum %g", name, got, w.Shape, sum)
		}
	}
}

func TestExportRefuses(t *testing.T) {
	in, dir := write(t, nil), t.TempDir()
	full := filepath.Join(dir, "full")
	if err := os.MkdirAll(filepath.Join(full, "x"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{in, filepath.Join(dir, "w.pth")}, "name a .safetensors file"},
		{[]string{in, filepath.Join(dir, "w.bin")}, "no form has the ending .bin"},
		{[]string{in, filepath.Join(dir, "w.npz"), "--dtype", "f16"}, "only a safetensors file"},
		{[]string{in, filepath.Join(dir, "w.onnx"), "--module"}, "leave it out"},
		{[]string{in, full}, "not empty"},
		{[]string{in}, "export takes two files"},
		{[]string{filepath.Join(dir, "absent.safetensors"), filepath.Join(dir, "w.onnx")}, "absent.safetensors"},
	} {
		if _, err := run(append([]string{"export"}, c.args...)...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v gives %v, want %q", c.args, err, c.want)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "w*")); len(left) > 0 {
		t.Errorf("refused exports left %v", left)
	}
}

func TestExportWritesONNX(t *testing.T) {
	out := filepath.Join(t.TempDir(), "w.onnx")
	printed, err := run("export", write(t, nil), out)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(out)
	if err != nil || !strings.Contains(printed, "ONNX, opset 13") || !bytes.Contains(raw, []byte("LeakyRelu")) {
		t.Errorf("%q, %d bytes, %v", printed, len(raw), err)
	}
}

// readNPY reads an array of float32.
func readNPY(t *testing.T, path string) *tensor.Tensor {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	array, err := exchange.ReadNPY(file)
	if err != nil {
		t.Fatal(err)
	}
	values, err := exchange.Tensor(array)
	if err != nil {
		t.Fatal(err)
	}
	return values
}

func TestFeatures(t *testing.T) {
	dir, in := pictures(t, 3), write(t, nil)
	out := filepath.Join(t.TempDir(), "f.npy")
	batch := filepath.Join(t.TempDir(), "b.npy")
	printed, err := run("features", "--data", dir, "--weights", in, "--out", out, "--batch", batch)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(printed, "9 pictures, 4 nodes of 10 channels") {
		t.Errorf("printed %q", printed)
	}
	array, err := exchange.Dense(readNPY(t, out))
	if err != nil {
		t.Fatal(err)
	}
	var list featureList
	raw, err := os.ReadFile(strings.TrimSuffix(out, ".npy") + ".json")
	if err != nil || json.Unmarshal(raw, &list) != nil {
		t.Fatalf("the list beside the array: %s, %v", raw, err)
	}
	sets, err := exchange.Sets(array, list.Names)
	if err != nil {
		t.Fatal(err)
	}
	set, err := data.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	// The network's input gives the features again.
	pixels := readNPY(t, batch)
	net, err := resnet.New(decode(t, in), resnet.Options{})
	if err != nil {
		t.Fatal(err)
	}
	again, err := net.Forward(pixels)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range array.Float32s() {
		if d := v - again.Data[i]; d > 1e-4 || d < -1e-4 {
			t.Fatalf("feature %d is %g, and %g from the batch", i, v, again.Data[i])
		}
	}
	for i, name := range list.Names {
		if !slices.ContainsFunc(set.Pictures(list.Classes[i]), func(p data.Picture) bool { return p.Name == name }) {
			t.Errorf("%s is not of class %s", name, list.Classes[i])
		}
		if sets[name].N != 4 || sets[name].C != 10 {
			t.Errorf("%s has %d nodes of %d channels", name, sets[name].N, sets[name].C)
		}
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--data", dir}, "--out is missing"},
		{[]string{"--out", out}, "--data is missing"},
		{[]string{"--data", dir, "--out", out + ".txt"}, "ends in .npy"},
		{[]string{"--data", dir, "--out", out, "--set", "val"}, "--set goes with --split"},
		{[]string{"--data", dir, "--out", filepath.Join(dir, "no", "f.npy")}, "--out"},
	} {
		if _, err := run(append([]string{"features"}, c.args...)...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v gives %v, want %q", c.args, err, c.want)
		}
	}
}
