package convert

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/core/network"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/networktest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/tensor"
	"github.com/deepemd/deepemd/tools/deepemd/internal/cmdtest"
)

func TestImportSummary(t *testing.T) {
	out := filepath.Join(t.TempDir(), "resnet12-s.safetensors")
	stdout := require.Value(cmdtest.Run("import", require.Shared(t, "reference/resnet12-s-tiny.pth"), out, "--name", "resnet12-s",
		"--input-size", "84", "--mean", "0.485,0.456,0.406", "--std", "0.229,0.224,0.225",
		"--trained-on", "Tiny ImageNet, the 150 training classes of the project's split"))(t)
	for _, want := range []string{"32-80-160-320", "tensors     80", "fc.bias, fc.weight", "parameters  3113664", "(f16)"} {
		if !strings.Contains(stdout, want) {
			t.Errorf("the summary lacks %q:\n%s", want, stdout)
		}
	}
}

func TestImportReference(t *testing.T) {
	out := filepath.Join(t.TempDir(), "full.safetensors")
	require.Value(cmdtest.Run("import", require.Shared(t, "reference/resnet12-cifarfs.pth"), out, "--keep-head", "--dtype", "f32"))(t)
	f := cmdtest.Decode(t, out)
	if !reflect.DeepEqual(f.Meta.Widths, []int{64, 160, 320, 640}) || f.Meta.InputSize != 84 || f.Meta.Name != "full" {
		t.Errorf("facts %+v", f.Meta)
	}
	if _, err := f.Tensor("fc.weight", 64, 640); err != nil {
		t.Error(err)
	}
}

func TestImportSafetensors(t *testing.T) {
	in := cmdtest.Weights(t, func(f *weights.File) {
		f.Tensors["module.fc.weight"] = tensor.New(5, 10)
		f.Meta.Extra = map[string]string{"license": "MIT"}
	})
	before := cmdtest.Decode(t, in)
	out := filepath.Join(t.TempDir(), "out.safetensors")
	require.Value(cmdtest.Run("import", in, out, "--dtype", "f16", "--name", "renamed", "--std", "1,0.5,0.25"))(t)
	after := cmdtest.Decode(t, out)
	want := before.Meta
	want.Name, want.Std = "renamed", [3]float32{1, 0.5, 0.25}
	if !reflect.DeepEqual(after.Meta, want) {
		t.Errorf("facts %+v, want %+v", after.Meta, want)
	}
	if len(after.Tensors) != len(before.Tensors)-1 {
		t.Errorf("%d tensors, want all %d but the head", len(after.Tensors), len(before.Tensors))
	}
	const name = "encoder.layer4.0.conv3.weight"
	for i, v := range before.Tensors[name].Data {
		if got := after.Tensors[name].Data[i]; got != tensor.FromHalf(tensor.ToHalf(v)) {
			t.Fatalf("%s, value %d: %v became %v", name, i, v, got)
		}
	}
	// In place, and back to float32: rounding stays.
	require.Value(cmdtest.Run("import", "--force", out, out, "--dtype", "f32", "--trained-on", "nothing at all"))(t)
	again := cmdtest.Decode(t, out)
	if !reflect.DeepEqual(again.Tensors, after.Tensors) || again.Meta.TrainedOn != "nothing at all" || again.Meta.Name != "renamed" {
		t.Errorf("in place: facts %+v", again.Meta)
	}
}

// TestImportTransformer: another architecture is identified by its tensors, keeps its assumed
// metadata, and classifies.
func TestImportTransformer(t *testing.T) {
	in, out := filepath.Join(t.TempDir(), "vits14.safetensors"), filepath.Join(t.TempDir(), "dino.safetensors")
	f := networktest.Transformer()
	bare := &weights.File{Source: f.Source, Meta: f.Meta, Tensors: map[string]*tensor.Tensor{"mask_token": tensor.New(1, 128)}}
	bare.Meta.Extra = nil
	for name, x := range f.Tensors {
		bare.Tensors[strings.TrimPrefix(name, "encoder.")] = x
	}
	var file bytes.Buffer
	require.NoError(t, bare.Encode(&file, weights.F32))
	require.NoError(t, os.WriteFile(in, file.Bytes(), 0o666))
	stdout, err := cmdtest.Run("import", in, out, "--input-size", "84", "--grid", "3", "--dtype", "f32")
	require.NoError(t, err)
	for _, want := range []string{"vit, widths 128", "84 px", "3×3, pooled from the last map, 6×6", "mask_token"} {
		if !strings.Contains(stdout, want) {
			t.Errorf("the summary lacks %q:\n%s", want, stdout)
		}
	}
	cmdtest.Prints(t, "nodes       2×2\n", "export", out, filepath.Join(t.TempDir(), "small.safetensors"), "--input-size", "28")
	after := cmdtest.Decode(t, out)
	if want := map[string]string{"grid": "3", "heads": "2", "positions": "offset"}; !reflect.DeepEqual(after.Meta.Extra, want) {
		t.Errorf("the file says %v, want %v", after.Meta.Extra, want)
	}
	if !reflect.DeepEqual(after.Tensors, f.Tensors) {
		t.Error("the tensors changed")
	}
	things := cmdtest.Pictures(t, 3)
	cmdtest.Prints(t, "9 nodes of 128 channels", "features", "--data", things, "--weights", out, "--out", filepath.Join(t.TempDir(), "f.npy"))
	for want, args := range map[string][]string{
		"made-up has patches of 14 pixels, want sides that are multiples, such as 98": {
			"export", out, filepath.Join(t.TempDir(), "x.onnx"), "--input-size", "100"},
		"metadata grid \"33\": want 1 to 32 nodes across": {"import", out, filepath.Join(t.TempDir(), "y.safetensors"), "--grid", "33"},
	} {
		cmdtest.Fails(t, want, args...)
	}
}

// TestImportONNX: a network of any kind becomes a model, and the model that network again,
// with its facts, in every form of numbers that it may have.
func TestImportONNX(t *testing.T) {
	for _, f := range []*weights.File{
		networktest.Transformer(), networktest.Residual(true), networktest.MobileNet(), networktest.ResNet12([]int{4, 6, 8, 10}, 32, 1),
	} {
		in := cmdtest.Weights(t, func(g *weights.File) { *g = *f })
		model, out := filepath.Join(t.TempDir(), "m.onnx"), filepath.Join(t.TempDir(), "m.safetensors")
		require.Value(cmdtest.Run("export", in, model))(t)
		for _, dtype := range []string{"f32", "f16"} {
			stdout := require.Value(cmdtest.Run("import", model, out, "--dtype", dtype))(t)
			again := cmdtest.Decode(t, out)
			if again.Meta.Arch != f.Meta.Arch || again.Meta.Name != f.Meta.Name || again.Meta.Std != f.Meta.Std || strings.Contains(stdout, "left out") {
				t.Errorf("%s: facts %+v:\n%s", f.Source, again.Meta, stdout)
			}
			if _, err := cmdtest.Run("export", in, out, "--dtype", dtype); err != nil {
				t.Error(err)
			}
		}
	}
}

// A generic name from a recipe or training gives way to the output's name. The models in the program keep theirs.
func TestNames(t *testing.T) {
	dir := t.TempDir()
	shipped := filepath.Join(dir, "in.safetensors")
	require.NoError(t, os.WriteFile(shipped, network.ResNet12XSWeights(), 0o666))
	trained := func(name string) string {
		return cmdtest.Weights(t, func(f *weights.File) { f.Meta.Name = name })
	}
	for _, c := range []struct {
		in, want string
		flags    []string
	}{
		{trained(network.ResNet12XS), "mine", nil},
		{trained("resnet12"), "mine", nil},
		{trained("leaves"), "leaves", nil},
		{trained(network.ResNet12Sound), network.ResNet12Sound, nil},
		{trained(network.ResNet12XS), network.ResNet12XS, []string{"--name", network.ResNet12XS}},
		{shipped, network.ResNet12XS, nil},
	} {
		for _, verb := range []string{"import", "export"} {
			out := filepath.Join(dir, "mine.safetensors")
			require.Value(cmdtest.Run(append([]string{verb, c.in, out, "--force"}, c.flags...)...))(t)
			if got := cmdtest.Decode(t, out).Meta.Name; got != c.want {
				t.Errorf("%s %v of %s: %s, want %s", verb, c.flags, cmdtest.Decode(t, c.in).Meta.Name, got, c.want)
			}
		}
	}
	out := filepath.Join(dir, "mean.safetensors")
	require.Value(cmdtest.Run("export", shipped, out, "--average", shipped))(t)
	if got := cmdtest.Decode(t, out).Meta.Name; got != "mean" {
		t.Errorf("the mean of two models is named %s", got)
	}
}

// Half floats are the default. A tensor with larger numbers keeps them: the variances of the models in
// the program have some.
func TestHalfFloats(t *testing.T) {
	const name, conv = "encoder.layer1.0.bn1.running_var", "encoder.layer2.0.conv2.weight"
	in := cmdtest.Weights(t, func(f *weights.File) { f.Tensors[name].Data[0], f.Tensors[conv].Data[0] = 77162.695, 0.1 })
	out := filepath.Join(t.TempDir(), "out.safetensors")
	for _, args := range [][]string{{"import", in, out}, {"export", in, out, "--force", "--dtype", "f16"}} {
		printed := require.Value(cmdtest.Run(args...))(t)
		got := cmdtest.Decode(t, out).Tensors
		if got[name].Data[0] != 77162.695 || got[conv].Data[0] != tensor.FromHalf(tensor.ToHalf(0.1)) || !strings.Contains(printed, "f16)") {
			t.Errorf("%v: %v and %v:\n%s", args, got[name].Data[0], got[conv].Data[0], printed)
		}
	}
	shipped := filepath.Join(t.TempDir(), network.ResNet12PhotoFile)
	require.NoError(t, os.WriteFile(shipped, network.ResNet12PhotoWeights(), 0o666))
	require.Value(cmdtest.Run("export", shipped, out, "--force", "--dtype", "f16"))(t)
	if _, err := learner.OpenFile(cmdtest.Decode(t, out), learner.Options{Kit: learner.AllParts()}); err != nil {
		t.Error(err)
	}
}

func TestImportRefuses(t *testing.T) {
	good := cmdtest.Weights(t, nil)
	text := filepath.Join(t.TempDir(), "notes.txt")
	require.NoError(t, os.WriteFile(text, []byte("hello, these are no weights"), 0o666))
	const conv = "encoder.layer2.0.conv2.weight"
	for _, test := range []struct {
		name, in string
		flags    []string
		want     string
	}{
		{"absent", filepath.Join(t.TempDir(), "absent.pth"), nil, "is the path right?"},
		{"an unknown name", "resnet12-foto", nil, "give a path, or one of resnet12-photo"},
		{"a folder", t.TempDir(), nil, "name a file in it"},
		{"no weights", text, nil, "notes.txt: header of"},
		{"element type", good, []string{"--dtype", "f8"}, "--dtype f8: want f32, f16, i8, i6, i5, i4, i3 or int8"},
		{"mean", good, []string{"--mean", "0.5"}, "--mean 0.5: want three numbers"},
		{"standard deviation", good, []string{"--std", "1,0,1"}, "--std 1,0,1: want numbers above 0"},
		{"input size", good, []string{"--input-size", "8"}, "input_size 8: want pixels from 16"},
		{"unknown flag", good, []string{"--depth", "8"}, "unknown flag: --depth: `deepemd import --help` lists the flags"},
		{"tensor absent", cmdtest.Weights(t, func(f *weights.File) { delete(f.Tensors, conv) }), nil, "in.safetensors: no tensor " + conv},
		{"tensor of another shape", cmdtest.Weights(t, func(f *weights.File) { f.Tensors[conv] = tensor.New(6, 6, 1, 1) }), nil,
			"in.safetensors: tensor " + conv + " has shape [6 6 1 1], want [6 6 3 3]: not a resnet12 [4 6 8 10] file?"},
		{"another network", cmdtest.Weights(t, func(f *weights.File) { f.Tensors = map[string]*tensor.Tensor{"w": tensor.New(1)} }), nil,
			"not a ResNet-12 of the reference implementation? It has w"},
	} {
		out := filepath.Join(t.TempDir(), "out.safetensors")
		_, err := cmdtest.Run(append([]string{"import", test.in, out}, test.flags...)...)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want one that says %q", test.name, err, test.want)
		}
		if entries, err := os.ReadDir(filepath.Dir(out)); err != nil || len(entries) > 0 {
			t.Errorf("%s: left %v behind, %v", test.name, entries, err)
		}
	}
	cmdtest.Fails(t, "import takes two files, got 1", "import", good)
	for _, other := range []string{"w.onnx", "w.npy", "w"} {
		cmdtest.Fails(t, other+": import writes safetensors: name a .safetensors file, or use `deepemd export`", "import", good, other)
	}
}

// Every file keeps the mark of assumed metadata until they are set, because a wrong normalization
// costs accuracy silently.
func TestImportMarksWhatItAssumes(t *testing.T) {
	dir := t.TempDir()
	bare := filepath.Join(dir, "bare")
	require.Value(cmdtest.Run("export", cmdtest.Weights(t, nil), bare))(t)
	require.NoError(t, os.Remove(filepath.Join(bare, "metadata.json")))
	at := func(name string) string { return filepath.Join(dir, name) }
	both := []string{"mean", "std"}
	for _, c := range []struct {
		args []string
		want []string
	}{
		{[]string{"import", bare, at("a.safetensors"), "--input-size", "32", "--name", "a"}, both},
		{[]string{"import", at("a.safetensors"), at("b.safetensors"), "--dtype", "i8"}, both},
		{[]string{"export", at("a.safetensors"), at("c.safetensors"), "--module"}, both},
		{[]string{"export", at("a.safetensors"), at("d.npz")}, nil},
		{[]string{"import", at("d.npz"), at("e.safetensors")}, both},
		{[]string{"export", at("a.safetensors"), at("f.safetensors"), "--average", at("e.safetensors")}, both},
		{[]string{"import", at("a.safetensors"), at("g.safetensors"), "--mean", "0.5,0.5,0.5"}, both[1:]},
		{[]string{"import", at("a.safetensors"), at("h.safetensors"), "--mean", "0.5,0.5,0.5", "--std", "0.25,0.25,0.25"}, nil},
		{[]string{"import", at("h.safetensors"), at("i.safetensors")}, nil},
	} {
		printed, err := cmdtest.Run(c.args...)
		if err != nil {
			t.Fatalf("%q: %v", c.args, err)
		}
		if said := strings.Contains(printed, "assumed"); said != (c.want != nil || c.args[2] == at("d.npz")) {
			t.Errorf("%q prints\n%s", c.args, printed)
		}
		if filepath.Ext(c.args[2]) != ".safetensors" {
			continue
		}
		if m := cmdtest.Decode(t, c.args[2]).Meta; !reflect.DeepEqual(m.Assumed, c.want) {
			t.Errorf("%q marks %q, want %q", c.args, m.Assumed, c.want)
		}
	}
}

func TestImportSaysWhatItAssumes(t *testing.T) {
	in := require.Shared(t, "reference/resnet12-s-tiny.pth")
	cases := []struct {
		args []string
		want string
	}{
		{nil, "--input-size, --mean, --std: "},
		{[]string{"--input-size", "64", "--std", "0.2,0.2,0.2"}, "assumed     --mean: "},
		{[]string{"--input-size", "64", "--mean", "0.5,0.5,0.5", "--std", "0.2,0.2,0.2"}, ""},
	}
	for _, c := range cases {
		stdout := require.Value(cmdtest.Run(append([]string{"import", in, filepath.Join(t.TempDir(), "w.safetensors")}, c.args...)...))(t)
		if c.want == "" && strings.Contains(stdout, "assumed") || !strings.Contains(stdout, c.want) {
			t.Errorf("%v: the summary does not say %q:\n%s", c.args, c.want, stdout)
		}
	}
}

// TestExportAverage: each weight is the mean of both networks, and the classes are the union.
func TestExportAverage(t *testing.T) {
	mine := cmdtest.Weights(t, func(f *weights.File) { f.Meta.Classes = []string{"fox", "owl"} })
	dir := t.TempDir()
	another := func(name string, f *weights.File) string {
		path := filepath.Join(dir, name)
		file := require.Value(os.Create(path))(t)
		defer file.Close()
		require.NoError(t, f.Encode(file, weights.F32))
		return path
	}
	second := networktest.ResNet12([]int{4, 6, 8, 10}, 32, 2)
	second.Meta.Classes = []string{"bat", "owl"}
	out := filepath.Join(dir, "mean.safetensors")
	require.Value(cmdtest.Run("export", mine, out, "--average", another("second.safetensors", second)))(t)
	first, mean := cmdtest.Decode(t, mine), cmdtest.Decode(t, out)
	if want := []string{"bat", "fox", "owl"}; !slices.Equal(mean.Meta.Classes, want) {
		t.Errorf("classes %v, want %v", mean.Meta.Classes, want)
	}
	for name, m := range mean.Tensors {
		a, b := first.Tensors[name].Data, second.Tensors[name].Data
		for i, v := range m.Data {
			if v != (a[i]+b[i])/2 {
				t.Fatalf("%s[%d] is %g of %g and %g", name, i, v, a[i], b[i])
			}
		}
	}

	wide := networktest.ResNet12([]int{4, 6, 8, 12}, 32, 2)
	gray := networktest.ResNet12([]int{4, 6, 8, 10}, 32, 2)
	gray.Meta.Mean = [3]float32{0.1, 0.1, 0.1}
	for path, want := range map[string]string{
		another("wide.safetensors", wide):      "widths [4 6 8 12], want [4 6 8 10]",
		another("gray.safetensors", gray):      "its inputs have mean [0.1 0.1 0.1]",
		filepath.Join(dir, "gone.safetensors"): "--average: ",
	} {
		cmdtest.Fails(t, want, "export", mine, out, "--average", path)
	}
}
