package convert

import (
	"archive/zip"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/openset"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/bombs"
	"github.com/deepemd/deepemd/internal/networktest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/tensor"
	"github.com/deepemd/deepemd/tools/deepemd/internal/cmdtest"
	"github.com/deepemd/deepemd/trainer/training"
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
	in := cmdtest.Weights(t, nil)
	want := cmdtest.Decode(t, in)
	dir := t.TempDir()
	for _, c := range []struct{ out, says string }{
		{"w.npz", "NumPy's arrays"}, {"arrays/", "NumPy's arrays"}, {"plain", "NumPy's arrays"}, {"w.safetensors", "safetensors, f32"},
	} {
		out := filepath.Join(dir, c.out)
		if strings.HasSuffix(c.out, "/") {
			out += "/"
		}
		printed, err := cmdtest.Run("export", in, out)
		if err == nil && filepath.Ext(out) != "" {
			_, err = cmdtest.Run("export", in, out) // over itself
		}
		if err != nil {
			t.Errorf("%s: %v", c.out, err)
			continue
		}
		if !strings.Contains(printed, c.says) {
			t.Errorf("%s: %q does not say %s", c.out, printed, c.says)
		}
		back := filepath.Join(dir, strings.Trim(c.out, "/")+".back.safetensors")
		if _, err := cmdtest.Run("import", strings.TrimSuffix(out, "/"), back, "--dtype", "f32"); err != nil {
			t.Errorf("%s: %v", c.out, err)
			continue
		}
		got := cmdtest.Decode(t, back)
		sameTensors(t, got, want, func(name string) string { return name })
		if got.Meta.Mean != want.Meta.Mean || got.Meta.InputSize != want.Meta.InputSize {
			t.Errorf("%s: the facts are %+v, want %+v", c.out, got.Meta, want.Meta)
		}
	}
}

// pickledNames returns the names in a .pth file's state dict: module.encoder.….
func pickledNames(t *testing.T, path string) []string {
	t.Helper()
	archive := require.Value(zip.OpenReader(path))(t)
	defer archive.Close()
	for _, f := range archive.File {
		if filepath.Base(f.Name) != "data.pkl" {
			continue
		}
		r := require.Value(f.Open())(t)
		defer r.Close()
		raw := require.Value(io.ReadAll(r))(t)
		var names []string
		for at := range raw { // X, the length of a text, and the text
			if raw[at] != 'X' || at+5 > len(raw) {
				continue
			}
			length, text := binary.LittleEndian.Uint32(raw[at+1:]), raw[at+5:]
			if uint64(length) > uint64(len(text)) {
				continue
			}
			if name := string(text[:length]); strings.HasPrefix(name, "module.") && !strings.HasSuffix(name, ".num_batches_tracked") {
				names = append(names, name)
			}
		}
		slices.Sort(names)
		return names
	}
	t.Fatalf("%s holds no pickle", path)
	return nil
}

// TestExportHasTheReferencesNames compares the names with the reference's checkpoint.
func TestExportHasTheReferencesNames(t *testing.T) {
	in := require.Shared(t, "reference/resnet12-s-tiny.pth")
	out := filepath.Join(t.TempDir(), "w.safetensors")
	require.Value(cmdtest.Run("export", in, out, "--module", "--keep-head", "--dtype", "f16"))(t)
	raw := require.Value(os.ReadFile(out))(t)
	var header map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(raw[8:8+binary.LittleEndian.Uint64(raw)], &header))
	if !strings.Contains(string(header["__metadata__"]), `"format":"pt"`) {
		t.Error("the file does not say that its tensors are laid out as PyTorch's")
	}
	delete(header, "__metadata__")
	if got, want := slices.Sorted(maps.Keys(header)), pickledNames(t, in); !slices.Equal(got, want) {
		t.Errorf("names %v, want %v", got, want)
	}
}

// TestExportOfARun exports from the folder of a training run.
func TestExportOfARun(t *testing.T) {
	in, dir := cmdtest.Weights(t, nil), t.TempDir()
	put := func(name string, content []byte) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), content, 0o666))
	}
	put(training.CheckpointFile, []byte("not looked into"))
	out := filepath.Join(t.TempDir(), "w.safetensors")
	for path, want := range map[string]string{
		dir: "a training run without best.safetensors",
		filepath.Join(dir, training.CheckpointFile): "name best.safetensors next to it",
	} {
		cmdtest.Fails(t, want, "export", path, out)
	}
	raw := require.Value(os.ReadFile(in))(t)
	put(training.BestFile, raw)
	require.Value(cmdtest.Run("export", dir, out))(t)
	sameTensors(t, cmdtest.Decode(t, out), cmdtest.Decode(t, in), func(name string) string { return name })
}

// python runs a program with arguments and returns its output. It skips the test if Python lacks
// one of the modules.
func python(t *testing.T, modules, program string, args ...string) []byte {
	t.Helper()
	const interpreter, absent = "/usr/bin/python3", 77 // an exit code that Python has no use for
	if _, err := os.Stat(interpreter); err != nil {
		t.Skip("no Python:", err)
	}
	program = fmt.Sprintf("import sys\ntry:\n    import %s\nexcept ImportError:\n    sys.exit(%d)\n%s", modules, absent, program)
	printed, err := exec.Command(interpreter, append([]string{"-c", program}, args...)...).Output()
	var failed *exec.ExitError
	switch {
	case errors.As(err, &failed) && failed.ExitCode() == absent:
		t.Skipf("%s cannot import %s: install python3 with them", interpreter, modules)
	case errors.As(err, &failed):
		t.Fatalf("%v:\n%s", err, failed.Stderr)
	case err != nil:
		t.Fatal(err)
	}
	return printed
}

func TestNumPyReadsAnExport(t *testing.T) {
	in := cmdtest.Weights(t, nil)
	out := filepath.Join(t.TempDir(), "w.npz")
	require.Value(cmdtest.Run("export", in, out))(t)
	printed := python(t, "numpy", `
import json, sys, numpy
a = numpy.load(sys.argv[1])
print(json.dumps({n: [list(a[n].shape), float(a[n].astype("f8").sum())] for n in a.files if n != "metadata.json"}))`, out)
	var arrays map[string][2]any
	require.NoError(t, json.Unmarshal(printed, &arrays))
	for name, w := range cmdtest.Decode(t, in).Tensors {
		sum := 0.0
		for _, v := range w.Data {
			sum += float64(v)
		}
		if got, ok := arrays[name]; !ok || fmt.Sprint(got[0]) != fmt.Sprint(w.Shape) || !(math.Abs(got[1].(float64)-sum) <= 1e-9) {
			t.Errorf("%s is %v for NumPy, want shape %v and sum %g", name, got, w.Shape, sum)
		}
	}
}

// input writes random images, [2, 3, 37, 37] in the axis order of other programs, to a new file. It
// returns the features from this project's engine, in the same axis order.
func input(t *testing.T, in string) (path string, want *tensor.Tensor) {
	t.Helper()
	net := require.Value(backbone.New(cmdtest.Decode(t, in), backbone.Options{}))(t)
	pictures := networktest.Pictures(2, 37, 3)
	features := require.Value(net.Forward(pictures))(t)
	path = filepath.Join(t.TempDir(), "x.npy")
	cmdtest.WriteNPY(t, path, planes(pictures))
	return path, planes(features)
}

// planes returns [n, h, w, c] as [n, c, h, w].
func planes(x *tensor.Tensor) *tensor.Tensor {
	n, h, w, c := x.Shape[0], x.Shape[1], x.Shape[2], x.Shape[3]
	out := tensor.New(n, c, h, w)
	for i, v := range x.Data {
		at := i / c % (h * w)
		out.Data[(i/(h*w*c)*c+i%c)*h*w+at] = v
	}
	return out
}

// closeTo fails unless the array in a file is what it should be.
func closeTo(t *testing.T, path string, want *tensor.Tensor) {
	t.Helper()
	got := readNPY(t, path)
	if !slices.Equal(got.Shape, want.Shape) {
		t.Fatalf("shape %v, want %v", got.Shape, want.Shape)
	}
	worst := 0.0
	for i, v := range want.Data {
		worst = max(worst, math.Abs(float64(got.Data[i]-v)))
	}
	t.Logf("worst difference %.1e", worst)
	if !(worst <= 1e-4) {
		t.Errorf("features differ by %g, want at most 1e-4", worst)
	}
}

// TestPyTorchRunsAnExport loads the weights by the reference's names into a separate PyTorch
// implementation, which must use all of them and lack none.
func TestPyTorchRunsAnExport(t *testing.T) {
	in := cmdtest.Weights(t, nil)
	x, want := input(t, in)
	out, y := filepath.Join(t.TempDir(), "w.safetensors"), filepath.Join(t.TempDir(), "y.npy")
	require.Value(cmdtest.Run("export", in, out, "--module"))(t)
	python(t, "numpy, torch", `
import json, sys, numpy, torch
from torch import nn
class Block(nn.Module):
    def __init__(self, i, o):
        super().__init__()
        self.conv1, self.bn1 = nn.Conv2d(i, o, 3, padding=1, bias=False), nn.BatchNorm2d(o)
        self.conv2, self.bn2 = nn.Conv2d(o, o, 3, padding=1, bias=False), nn.BatchNorm2d(o)
        self.conv3, self.bn3 = nn.Conv2d(o, o, 3, padding=1, bias=False), nn.BatchNorm2d(o)
        self.downsample = nn.Sequential(nn.Conv2d(i, o, 1, bias=False), nn.BatchNorm2d(o))
        self.act = nn.LeakyReLU(0.1)
    def forward(self, x):
        y = self.act(self.bn1(self.conv1(x)))
        y = self.act(self.bn2(self.conv2(y)))
        y = self.bn3(self.conv3(y)) + self.downsample(x)
        return nn.functional.max_pool2d(self.act(y), 2)
class Encoder(nn.Sequential):
    def __init__(self, *w):
        super().__init__()
        for n, (i, o) in enumerate(zip((3,) + w, w)):
            self.add_module("layer%d" % (n + 1), nn.Sequential(Block(i, o)))
class Model(nn.Module):
    def __init__(self, *w):
        super().__init__()
        self.encoder = Encoder(*w)
    def forward(self, x):
        return self.encoder(x)
raw = open(sys.argv[1], "rb").read()
end = 8 + int.from_bytes(raw[:8], "little")
state = {}
for name, e in json.loads(raw[8:end]).items():
    if name != "__metadata__":
        a, b = e["data_offsets"]
        state[name] = torch.from_numpy(numpy.frombuffer(raw[end+a:end+b], "<f4").reshape(e["shape"]).copy())
model = nn.DataParallel(Model(4, 6, 8, 10)).eval()
model.load_state_dict(state, strict=True)
with torch.no_grad():
    numpy.save(sys.argv[3], model(torch.from_numpy(numpy.load(sys.argv[2]))).numpy())`, out, x, y)
	closeTo(t, y, want)
}

// TestOpenCVRunsAnExport runs the ONNX model in OpenCV; onnxruntime runs models in
// internal/onnx.
func TestOpenCVRunsAnExport(t *testing.T) {
	in := cmdtest.Weights(t, nil)
	x, want := input(t, in)
	out, y := filepath.Join(t.TempDir(), "w.onnx"), filepath.Join(t.TempDir(), "y.npy")
	printed := require.Value(cmdtest.Run("export", in, out))(t)
	if !strings.Contains(printed, "ONNX, opset 13") || strings.Contains(printed, "--keep-head") {
		t.Errorf("printed %q", printed)
	}
	python(t, "numpy, cv2", `
import sys, numpy, cv2
net = cv2.dnn.readNetFromONNX(sys.argv[1])
net.setInput(numpy.load(sys.argv[2]))
numpy.save(sys.argv[3], net.forward())`, out, x, y)
	closeTo(t, y, want)
}

func TestExportRefuses(t *testing.T) {
	in, dir := cmdtest.Weights(t, nil), t.TempDir()
	project := filepath.Join(t.TempDir(), "project.npz")
	cmdtest.WriteText(t, project, string(bombs.Archive(bombs.Entry{Name: "manifest.json"})))
	full := filepath.Join(dir, "full")
	require.NoError(t, os.MkdirAll(filepath.Join(full, "x"), 0o755))
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{in, filepath.Join(dir, "w.pth")}, "write a .safetensors file"},
		{[]string{in, filepath.Join(dir, "w.bin")}, "unknown extension .bin"},
		{[]string{in, filepath.Join(dir, "w.npz"), "--dtype", "f16"}, "only for safetensors files"},
		{[]string{in, filepath.Join(dir, "w.onnx"), "--module"}, "remove it"},
		{[]string{in, full}, "not empty"},
		{[]string{in, project}, "overwrite a zip archive"},
		{[]string{in}, "export takes two files"},
		{[]string{filepath.Join(dir, "absent.safetensors"), filepath.Join(dir, "w.onnx")}, "absent.safetensors"},
	} {
		cmdtest.Fails(t, c.want, append([]string{"export"}, c.args...)...)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "w*")); len(left) > 0 {
		t.Errorf("refused exports left %v", left)
	}
}

// A prior for unknown images goes into the metadata, and averages of networks have none.
func TestExportOfAPrior(t *testing.T) {
	network := func(seed uint64) string {
		return cmdtest.Weights(t, func(f *weights.File) { *f = *networktest.ResNet12([]int{8, 16, 24, 32}, 32, seed) })
	}
	in, out := network(1), filepath.Join(t.TempDir(), "out.safetensors")
	run := func(args ...string) string {
		t.Helper()
		require.Value(cmdtest.Run(append([]string{"export"}, args...)...))(t)
		return cmdtest.Decode(t, args[1]).Meta.Extra[openset.PriorKey]
	}
	const prior = "6.4,0.5,2.3,-0.1,-0.12,0,0.46,1.16,-0.45,0.92"
	if got := run(in, out, "--dtype", "i4", "--prior", prior); got != prior {
		t.Errorf("the file has the prior %q, want %q", got, prior)
	}
	if got := run(out, filepath.Join(t.TempDir(), "again.safetensors"), "--dtype", "f32"); got != prior {
		t.Errorf("exported again it has the prior %q, want %q", got, prior)
	}
	if got := run(out, filepath.Join(t.TempDir(), "average.safetensors"), "--average", network(2)); got != "" {
		t.Errorf("an average has the prior %q", got)
	}
	cmdtest.Fails(t, "--prior: ", "export", in, out, "--force", "--prior", "1,2")
}

// TestNamedNetworks: a network in the program is exported by its name, which it keeps.
func TestNamedNetworks(t *testing.T) {
	dir := t.TempDir()
	xs, mean := filepath.Join(dir, "a.safetensors"), filepath.Join(dir, "b.safetensors")
	told := require.Value(cmdtest.Run("export", "resnet12-xs", xs))(t)
	if made := cmdtest.Decode(t, xs); made.Meta.Name != "resnet12-xs" || !strings.Contains(told, "widths 32-64-112-208") {
		t.Errorf("the name is %s, and the command prints:\n%s", made.Meta.Name, told)
	}
	for _, pair := range [][2]string{{"resnet12-xs", xs}, {xs, "resnet12-xs"}} {
		require.Value(cmdtest.Run("export", pair[0], mean, "--average", pair[1], "--force"))(t)
		if made := cmdtest.Decode(t, mean); made.Meta.Name != "b" {
			t.Errorf("the mean of %s and %s is called %s, want the name of its file", pair[0], pair[1], made.Meta.Name)
		}
	}
	cmdtest.Fails(t, "--average: resnet12-foto: no file and no network in the program", "export", xs, mean, "--average", "resnet12-foto", "--force")
}
