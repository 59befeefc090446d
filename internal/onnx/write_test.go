package onnx_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/netfile"
	"github.com/deepemd/deepemd/internal/networktest"
	"github.com/deepemd/deepemd/internal/onnx"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/tensor"
)

// small returns weights that change may change.
func small(change func(*weights.File)) *weights.File {
	f := networktest.ResNet12([]int{4, 6, 8, 10}, 32, 1)
	f.Meta.Extra = map[string]string{"licence": "MIT"}
	if change != nil {
		change(f)
	}
	return f
}

// encode returns a model and its graph.
func encode(t *testing.T, f *weights.File) (model, graph fields) {
	t.Helper()
	var first, second bytes.Buffer
	for _, out := range []*bytes.Buffer{&first, &second} {
		require.NoError(t, onnx.Encode(out, f))
	}
	if !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Error("the same weights give other bytes the second time")
	}
	model = parse(t, first.Bytes())
	return model, model.message(t, 7)
}

func TestModel(t *testing.T) {
	model, graph := encode(t, small(nil))
	opset := model.message(t, 8)
	if model.integer(1) != 7 || opset.text(1) != "" || opset.integer(2) != onnx.Opset || model.text(2) != "deepemd" {
		t.Errorf("IR version %d, opset %q %d of %q", model.integer(1), opset.text(1), opset.integer(2), model.text(2))
	}
	facts := map[string]string{}
	for _, p := range model.messages(t, 14) {
		facts[p.text(1)] = p.text(2)
	}
	want := map[string]string{
		"arch": "resnet12", "name": "random", "widths": "4,6,8,10", "input_size": "32", "licence": "MIT",
		"mean": "0.5,0.5,0.5", "std": "0.25,0.25,0.25", "trained_on": "nothing",
	}
	if !reflect.DeepEqual(facts, want) {
		t.Errorf("metadata %v, want %v", facts, want)
	}
	in, out := graph.message(t, 11), graph.message(t, 12)
	if got := fmt.Sprint(graph.text(2), in.text(1), dimensions(t, in), out.text(1), dimensions(t, out)); got != "randomx[N 3 H W]features[N 10 h w]" {
		t.Errorf("graph, input and output are %s", got)
	}
}

// TestGraph checks that every input of a node exists before it, and that the blocks form a
// ResNet-12.
func TestGraph(t *testing.T) {
	_, graph := encode(t, small(nil))
	there, used := map[string]bool{onnx.Input: true}, map[string]bool{}
	shapes := map[string][]int{}
	for _, m := range graph.messages(t, 5) {
		tensor, name := parseTensor(t, m), m.text(8)
		n := 1
		for _, d := range tensor.shape {
			n *= d
		}
		if there[name] || n != len(tensor.values) {
			t.Errorf("initializer %s: shape %v, %d values", name, tensor.shape, len(tensor.values))
		}
		there[name], shapes[name] = true, tensor.shape
	}
	var operators []string
	for _, m := range graph.messages(t, 1) {
		n := parseNode(t, m)
		operators = append(operators, n.operator)
		for _, input := range n.inputs {
			if !there[input] {
				t.Errorf("%s takes %s, which nothing has made yet", n.name, input)
			}
			used[input] = true
		}
		if len(n.outputs) != 1 || n.name == "" || there[n.outputs[0]] {
			t.Errorf("node %q makes %v", n.name, n.outputs)
		}
		there[n.outputs[0]] = true
		want := map[string]any{}
		switch n.operator {
		case "Conv":
			k := shapes[n.inputs[1]][2]
			want = map[string]any{"kernel_shape": []int{k, k}, "pads": []int{k / 2, k / 2, k / 2, k / 2}, "strides": []int{1, 1}}
		case "LeakyRelu":
			want = map[string]any{"alpha": float32(0.1)}
		case "MaxPool":
			want = map[string]any{"kernel_shape": []int{2, 2}, "strides": []int{2, 2}}
		}
		if !reflect.DeepEqual(n.attributes, want) {
			t.Errorf("%s: attributes %v, want %v", n.name, n.attributes, want)
		}
	}
	if got, want := strings.Join(operators, " "), strings.TrimSpace(strings.Repeat("Conv LeakyRelu Conv LeakyRelu Conv Conv Add LeakyRelu MaxPool ", 4)); got != want {
		t.Errorf("operators %s, want %s", got, want)
	}
	for name := range there {
		if !used[name] && name != onnx.Output {
			t.Errorf("nothing takes %s", name)
		}
	}
	if !there[onnx.Output] {
		t.Error("nothing makes the output")
	}
	if got := shapes["layer2/conv1/weight"]; !reflect.DeepEqual(got, []int{6, 4, 3, 3}) {
		t.Errorf("weights of the second block's first convolution have shape %v", got)
	}
}

// TestFolding checks weights against batch normalization's definition.
func TestFolding(t *testing.T) {
	f := small(nil)
	_, graph := encode(t, f)
	tensors := map[string]parsedTensor{}
	for _, m := range graph.messages(t, 5) {
		tensors[m.text(8)] = parseTensor(t, m)
	}
	const prefix = "encoder.layer3.0."
	scale := func(norm string, o int) float64 {
		return float64(f.Tensors[prefix+norm+".weight"].Data[o]) / math.Sqrt(float64(f.Tensors[prefix+norm+".running_var"].Data[o])+1e-5)
	}
	shift := func(norm string, o int) float64 {
		return float64(f.Tensors[prefix+norm+".bias"].Data[o]) - float64(f.Tensors[prefix+norm+".running_mean"].Data[o])*scale(norm, o)
	}
	near := func(what string, got float32, want float64) {
		if math.Abs(float64(got)-want) > 1e-6 {
			t.Errorf("%s is %v, want %v", what, got, want)
		}
	}
	for name, conv := range map[string][2]string{"conv2": {"conv2", "bn2"}, "conv3": {"conv3", "bn3"}, "shortcut": {"downsample.0", "downsample.1"}} {
		source, got := f.Tensors[prefix+conv[0]+".weight"], tensors["layer3/"+name+"/weight"]
		if !reflect.DeepEqual(got.shape, source.Shape) {
			t.Fatalf("%s has shape %v, want %v", name, got.shape, source.Shape)
		}
		for i, v := range source.Data {
			near(name, got.values[i], float64(v)*scale(conv[1], i*source.Shape[0]/len(source.Data)))
		}
	}
	for o := range 8 {
		near("bias of conv2", tensors["layer3/conv2/bias"].values[o], shift("bn2", o))
		near("bias of the sum", tensors["layer3/conv3/bias"].values[o], shift("bn3", o)+shift("downsample.1", o))
	}
	if _, ok := tensors["layer3/shortcut/bias"]; ok {
		t.Error("the shortcut has a bias of its own beside that of the sum")
	}
}

func TestEncodeRefuses(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*weights.File)
		want   string
	}{
		{"no normalisation", func(f *weights.File) { f.Meta.Std = [3]float32{} }, "lacks std"},
		{"another architecture", func(f *weights.File) { f.Meta.Arch = "resnet18" }, `architecture "resnet18"`},
		{"an absent tensor", func(f *weights.File) { delete(f.Tensors, "encoder.layer2.0.bn1.bias") }, "no tensor encoder.layer2.0.bn1.bias"},
		{"metadata of other bytes", func(f *weights.File) { f.Meta.TrainedOn = "\xff" }, "not UTF-8"},
		{"weights that overflow", func(f *weights.File) {
			f.Tensors["encoder.layer1.0.bn1.weight"].Data[2] = 1e38
			f.Tensors["encoder.layer1.0.bn1.running_var"].Data[2] = 0
		}, "layer1/conv1/weight, after folding batch normalization: value"},
	} {
		f := small(test.change)
		var out bytes.Buffer
		err := onnx.Encode(&out, f)
		if err == nil || !strings.HasPrefix(err.Error(), f.Source+": ") || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want one of %s that says %q", test.name, err, f.Source, test.want)
		}
		if out.Len() > 0 {
			t.Errorf("%s: wrote %d bytes before the error", test.name, out.Len())
		}
	}
}

// full is a writer with limited space.
type full int

var errFull = errors.New("no space left")

func (f *full) Write(p []byte) (int, error) {
	if len(p) > int(*f) {
		return 0, errFull
	}
	*f -= full(len(p))
	return len(p), nil
}

func TestEncodeReportsTheWriter(t *testing.T) {
	room := full(10_000)
	if err := onnx.Encode(&room, small(nil)); !errors.Is(err, errFull) {
		t.Errorf("error %v, want that of the writer", err)
	}
}

// changed is a small transformer, changed.
func changed(change func(*weights.File)) *weights.File {
	f := networktest.Transformer()
	change(f)
	return f
}

// second is a MobileNetV2 of torchvision's, whose weights are made up.
func second(t *testing.T) *weights.File {
	t.Helper()
	for _, r := range networktest.References() {
		if r.Name != "MobileNetV2" {
			continue
		}
		n := require.Value(netfile.Complete(&weights.File{Source: r.Name, Tensors: r.Weights()}, r.Name, netfile.Facts{}, false))(t)
		delete(n.Meta.Extra, backbone.KeyGrid)
		return n.File
	}
	t.Fatal("no MobileNetV2 among the references")
	return nil
}

func withRegisters(f *weights.File) {
	f.Tensors["encoder.register_tokens"] = tensor.Of(slices.Clone(f.Tensors["encoder.pos_embed"].Data[:3*128]), 1, 3, 128)
	f.Meta.Extra["positions"] = "antialias"
}

// withoutClass takes LayerScale away, too.
func withoutClass(f *weights.File) {
	delete(f.Tensors, "encoder.cls_token")
	f.Tensors["encoder.pos_embed"] = tensor.Of(f.Tensors["encoder.pos_embed"].Data[128:], 1, 36, 128)
	for name := range f.Tensors {
		if strings.HasSuffix(name, "gamma") {
			delete(f.Tensors, name)
		}
	}
}

// TestRoundTrip: a written model is read as the same network with the same metadata, and gives the
// same output.
func TestRoundTrip(t *testing.T) {
	for _, f := range []*weights.File{
		small(nil), networktest.Residual(false), networktest.Residual(true), networktest.MobileNet(), second(t),
		networktest.Transformer(), changed(func(f *weights.File) { f.Meta.InputSize = 112 }), changed(withRegisters), changed(withoutClass),
	} {
		var model bytes.Buffer
		require.NoError(t, onnx.Encode(&model, f))
		again, err := onnx.Decode("again", model.Bytes())
		if err != nil {
			t.Error(err)
			continue
		}
		n, err := netfile.Complete(again, "again", netfile.Facts{Grid: backbone.MaxGrid}, false)
		if err != nil {
			t.Error(err)
			continue
		}
		if m := n.Meta; m.Name != f.Meta.Name || m.Arch != f.Meta.Arch || !slices.Equal(m.Widths, f.Meta.Widths) || m.Mean != f.Meta.Mean || len(n.Left) > 0 {
			t.Errorf("%s: facts %+v, left %q", f.Source, m, n.Left)
		}
		maps := func(f *weights.File) []float32 {
			network := require.Value(backbone.New(f, backbone.Options{}))(t)
			out := require.Value(network.Forward(networktest.Pictures(2, f.Meta.InputSize, 3)))(t)
			return out.Data
		}
		want, got := maps(f), maps(n.File)
		worst, squares := 0.0, 0.0
		for i, v := range want {
			worst = max(worst, math.Abs(float64(got[i]-v)))
			squares += float64(v) * float64(v)
		}
		if worst /= math.Sqrt(squares / float64(len(want))); !(worst <= 1e-5) || len(got) != len(want) {
			t.Errorf("%s: another map, off by %g of the root mean square", f.Source, worst)
		}
	}
}

// TestEncodeRefusesPatches: a size that patches do not divide is refused with one that
// they do, and so are more patches than a network takes.
func TestEncodeRefusesPatches(t *testing.T) {
	for want, change := range map[string]func(*weights.File){
		"use --input-size 98": func(f *weights.File) { f.Meta.InputSize = 100 },
		"has 16384 patches, more than 8192": func(f *weights.File) {
			f.Meta.InputSize = 1024
			f.Tensors["encoder.patch_embed.proj.weight"] = tensor.New(128, 3, 8, 8)
		},
	} {
		var out bytes.Buffer
		if err := onnx.Encode(&out, changed(change)); err == nil || !strings.Contains(err.Error(), want) || out.Len() > 0 {
			t.Errorf("error %v, %d bytes, want %q", err, out.Len(), want)
		}
	}
}
