package onnx_test

import (
	"bytes"
	"errors"
	"maps"
	"math"
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
	f.Meta.Extra = map[string]string{"license": "MIT"}
	if change != nil {
		change(f)
	}
	return f
}

// TestGraph checks a written model: its operators, input, output and metadata, and that every weight
// is used. TestRoundTrip checks the values of the weights.
func TestGraph(t *testing.T) {
	f := small(nil)
	var model, again bytes.Buffer
	require.NoError(t, errors.Join(onnx.Encode(&model, f), onnx.Encode(&again, f)))
	if !bytes.Equal(model.Bytes(), again.Bytes()) {
		t.Error("the same weights give other bytes the second time")
	}
	for _, shape := range []string{ // of input and output: [N 3 H W] and [N 10 h w]
		"\n\x03\x12\x01N\n\x02\x08\x03\n\x03\x12\x01H\n\x03\x12\x01W", "\n\x03\x12\x01N\n\x02\x08\x0a\n\x03\x12\x01h\n\x03\x12\x01w",
	} {
		if !bytes.Contains(model.Bytes(), []byte(shape)) {
			t.Errorf("no shape %q", shape)
		}
	}
	g := require.Value(onnx.DecodeGraph(model.Bytes()))(t)
	if !maps.Equal(g.Facts, f.Meta.Entries()) || !slices.Equal(g.Inputs, []string{onnx.Input}) || g.Maker(onnx.Output) == nil {
		t.Errorf("metadata %v, inputs %q", g.Facts, g.Inputs)
	}
	var operators []string
	for _, n := range g.Nodes {
		operators = append(operators, n.Op)
		k, pads, strides := n.Ints("kernel_shape"), n.Ints("pads"), n.Ints("strides")
		switch n.Op {
		case "Conv":
			side := g.Tensors[n.Input(1)].Shape[2]
			if !slices.Equal(k, []int{side, side}) || !slices.Equal(pads, slices.Repeat([]int{side / 2}, 4)) || !slices.Equal(strides, []int{1, 1}) {
				t.Errorf("%v: kernel_shape %v, pads %v, strides %v", n, k, pads, strides)
			}
		case "LeakyRelu":
			if alpha := n.Float("alpha", 0); alpha != 0.1 {
				t.Errorf("%v: alpha %v", n, alpha)
			}
		case "MaxPool":
			if !slices.Equal(k, []int{2, 2}) || pads != nil || !slices.Equal(strides, []int{2, 2}) {
				t.Errorf("%v: kernel_shape %v, pads %v, strides %v", n, k, pads, strides)
			}
		}
	}
	if got, want := strings.Join(operators, " "), strings.TrimSpace(strings.Repeat("Conv LeakyRelu Conv LeakyRelu Conv Conv Add LeakyRelu MaxPool ", 4)); got != want {
		t.Errorf("operators %s, want %s", got, want)
	}
	for name := range g.Tensors {
		if len(g.Users(name)) == 0 {
			t.Errorf("nothing takes %s", name)
		}
	}
	if !g.Tensors["layer2/conv1/weight"].HasShape(6, 4, 3, 3) || g.Tensors["layer3/shortcut/bias"] != nil {
		t.Error("the second block's first convolution has another shape, or the shortcut a bias beside the sum's")
	}
}

// TestFirstMobileNet: MobileNet v1 has the padding of TensorFlow and uses every weight.
// TestRunsInOnnxruntime checks its output.
func TestFirstMobileNet(t *testing.T) {
	var model bytes.Buffer
	require.NoError(t, onnx.Encode(&model, networktest.FirstMobileNet()))
	g := require.Value(onnx.DecodeGraph(model.Bytes()))(t)
	convolutions := 0
	for _, n := range g.Nodes {
		if n.Op != "Conv" {
			continue
		}
		convolutions++
		if n.Text("auto_pad") != "SAME_UPPER" || n.Ints("pads") != nil {
			t.Errorf("%v: auto_pad %q, pads %v", n, n.Text("auto_pad"), n.Ints("pads"))
		}
	}
	if convolutions != 27 {
		t.Errorf("%d convolutions, want 27", convolutions)
	}
	for name := range g.Tensors {
		if len(g.Users(name)) == 0 {
			t.Errorf("nothing takes %s", name)
		}
	}
	if _, err := onnx.Decode("again", model.Bytes()); err == nil || !strings.Contains(err.Error(), "SAME_UPPER") {
		t.Errorf("read back: error %v", err)
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

// changed returns a small transformer, changed.
func changed(change func(*weights.File)) *weights.File {
	f := networktest.Transformer()
	change(f)
	return f
}

// second returns a MobileNetV2 of torchvision's, whose weights are made up.
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
		if !maps.Equal(again.Meta.Entries(), f.Meta.Entries()) {
			t.Errorf("%s: metadata %+v, want %+v", f.Source, again.Meta, f.Meta)
		}
		n, err := netfile.Complete(again, "again", netfile.Facts{Grid: backbone.MaxGrid}, false)
		if err != nil {
			t.Error(err)
			continue
		}
		if m := n.Meta; m.Name != f.Meta.Name || m.Arch != f.Meta.Arch || !slices.Equal(m.Widths, f.Meta.Widths) || m.Mean != f.Meta.Mean || len(n.Left) > 0 {
			t.Errorf("%s: facts %+v, left %q", f.Source, m, n.Left)
		}
		features := func(f *weights.File) []float32 {
			network := require.Value(backbone.New(f, backbone.Options{}))(t)
			out := require.Value(network.Forward(networktest.Pictures(2, f.Meta.InputSize, 3)))(t)
			return out.Data
		}
		want, got := features(f), features(n.File)
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
