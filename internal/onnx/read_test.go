package onnx_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/bombs"
	"github.com/deepemd/deepemd/internal/networktest"
	"github.com/deepemd/deepemd/internal/onnx"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/tensor"
)

func operator(name string) string { return "\x22" + string(rune(len(name))) + name }

// swapped replaces some bytes of a model by the same number of others, so that lengths stay valid.
func swapped(t *testing.T, name, from, to string, times int) []byte {
	t.Helper()
	data := model(t, name)
	if len(from) != len(to) || !bytes.Contains(data, []byte(from)) {
		t.Fatalf("%s: %q for %q", name, to, from)
	}
	return bytes.Replace(data, []byte(from), []byte(to), times)
}

// float returns the bytes of a number.
func float(v float32) string {
	return string(binary.LittleEndian.AppendUint32(nil, math.Float32bits(v)))
}

// values returns the bytes of the first numbers of a weight.
func values(t *testing.T, name, weight string) string {
	t.Helper()
	g := require.Value(onnx.DecodeGraph(model(t, name)))(t)
	return float(g.Tensors[weight].Data[0]) + float(g.Tensors[weight].Data[1])
}

// TestRefuses: the error about another network names the unsupported part and describes the graph.
func TestRefuses(t *testing.T) {
	conv := values(t, "bottleneck", "layer2.0.conv1.weight")
	for _, test := range []struct {
		name string
		data []byte
		want string
	}{
		{"half of it", model(t, "vit")[:50_000], "incomplete one"},
		{"other activations", swapped(t, "resnet18", operator("Relu"), operator("Tanh"), -1), "is followed by Tanh and MaxPool"},
		{"another activation in a block", lastSwapped(t, "resnet18", operator("Relu"), operator("Tanh")), "has the activation Tanh, want ReLU"},
		{"ReLU for ReLU6", swapped(t, "mobilenet2", operator("Clip"), operator("Relu"), -1), "has the activation ReLU, want ReLU6"},
		{"another slope", swapped(t, "resnet12", float(0.1), float(0.2), -1), "has the activation leaky ReLU of 0.2"},
		{"another pooling", swapped(t, "resnet12", operator("MaxPool"), operator("AvePool"), 1), "want a 2×2 max-pool"},
		{"a product for a sum", swapped(t, "resnet18", operator("Add"), operator("Mul"), 1), "want the sum with the shortcut"},
		{"no blocks", swapped(t, "resnet18", operator("MaxPool"), operator("AvePool"), 1), "want a ReLU and a 3×3 max-pool"},
		{"no gates", swapped(t, "mobilenet3-kept", operator("HardSigmoid"), operator("SoftSigmoid"), -1), "want a hard sigmoid"},
		{"pictures that are normalized", swapped(t, "resnet18", operator("Conv"), operator("Blur"), 1), "the first operator is Blur"},
		{"no GELU", swapped(t, "vit", operator("Erf"), operator("Sin"), -1), "want a GELU"},
		{"no attention", swapped(t, "vit", operator("Softmax"), operator("Sigmoid"), -1), "is not followed by attention"},
		{"no normalisation", swapped(t, "vit", operator("Sqrt"), operator("Sqrd"), -1), "want a layer normalisation"},
		{"no positions", swapped(t, "vit", operator("Add"), operator("Sub"), 1), "no position embeddings"},
		{"a layer of its own", swapped(t, "registers", operator("LayerNormalization"), operator("ScaleNormalization"), -1), "want a layer normalisation"},
		{"weights that are no number", swapped(t, "bottleneck", conv, float(float32(math.NaN()))+conv[4:], 1), "layer2.0.conv1.weight: value 0 of 45 is NaN"},
		{"keys before queries", bytes.Replace(bytes.Replace(bytes.Replace(tiny(t)[1], []byte("number 0\x12"), []byte("number 9\x12"), 1),
			[]byte("number 1\x12"), []byte("number 0\x12"), 1), []byte("number 9\x12"), []byte("number 1\x12"), 1), "does not take queries, keys and values in this order"},
		{"the same weights again and again", again(), "shares its weights with many layers"},
	} {
		f, err := onnx.Decode("x.onnx", test.data)
		if err == nil || f != nil || !strings.Contains(err.Error(), test.want) || !strings.HasPrefix(err.Error(), "x.onnx: ") {
			t.Errorf("%s: error %v, want one of x.onnx that says %q", test.name, err, test.want)
		}
	}
	_, err := onnx.Decode("x.onnx", swapped(t, "resnet18", operator("Conv"), operator("Blur"), -1))
	if want := `the graph has 20 Blur, 17 Relu, 8 Add, 1 Flatten, 1 Gemm, 1 GlobalAveragePool, 1 MaxPool; weights "fc.bias" [1]`; err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want one that says %s", err, want)
	}
}

// lastSwapped is swapped of the last place alone.
func lastSwapped(t *testing.T, name, from, to string) []byte {
	t.Helper()
	data := model(t, name)
	at := bytes.LastIndex(data, []byte(from))
	return append(append(data[:at:at], to...), data[at+len(from):]...)
}

// again returns a model that gives the same matrix to a hundred layers.
func again() []byte {
	text := func(field protowire.Number, s string) string {
		return string(protowire.AppendString(protowire.AppendTag(nil, field, protowire.BytesType), s))
	}
	number := func(field protowire.Number, v int) string {
		return string(protowire.AppendVarint(protowire.AppendTag(nil, field, protowire.VarintType), uint64(v)))
	}
	weight := func(name string, shape ...int) string {
		m := number(2, 1) + text(8, name)
		for _, extent := range shape {
			m += number(1, extent)
		}
		return text(5, m+text(9, strings.Repeat("\x00", 4*tensor.Len(shape))))
	}
	strides := text(1, "strides") + number(8, 4) + number(8, 4)
	g := weight("w", 512, 512) + weight("c", 512, 3, 4, 4) + text(11, text(1, "x")) +
		text(1, text(1, "x")+text(1, "c")+text(2, "y0")+text(4, "Conv")+text(5, strides))
	for i := range 100 {
		g += text(1, text(1, fmt.Sprint("y", i))+text(1, "w")+text(2, fmt.Sprint("y", i+1))+text(4, "MatMul"))
	}
	return []byte(text(7, g) + text(8, number(2, 13)))
}

// tiny are models of a few thousand bytes, which fuzzing is fast with.
func tiny(t testing.TB) (models [][]byte) {
	t.Helper()
	const c = 16
	transformer := &weights.File{Source: "tiny", Tensors: map[string]*tensor.Tensor{}, Meta: weights.Meta{
		Arch: "vit", Name: "tiny", Widths: []int{c}, InputSize: 16, Std: [3]float32{1, 1, 1}, Extra: map[string]string{"heads": "1", "positions": "offset"},
	}}
	for name, shape := range map[string][]int{
		"patch_embed.proj.weight": {c, 3, 8, 8}, "patch_embed.proj.bias": {c}, "pos_embed": {1, 5, c}, "cls_token": {1, 1, c}, "norm.weight": {c}, "norm.bias": {c},
		"blocks.0.norm1.weight": {c}, "blocks.0.norm1.bias": {c}, "blocks.0.attn.qkv.weight": {3 * c, c}, "blocks.0.attn.proj.weight": {c, c},
		"blocks.0.norm2.weight": {c}, "blocks.0.norm2.bias": {c}, "blocks.0.mlp.fc1.weight": {c, c}, "blocks.0.mlp.fc2.weight": {c, c}, "blocks.0.ls1.gamma": {c},
	} {
		transformer.Tensors["encoder."+name] = tensor.New(shape...)
	}
	for _, f := range []*weights.File{networktest.ResNet12([]int{1, 1, 1, 1}, 16, 1), transformer} {
		var out bytes.Buffer
		require.NoError(t, onnx.Encode(&out, f))
		models = append(models, out.Bytes())
	}
	return models
}

// FuzzDecode: arbitrary bytes give an error or a network of complete tensors, in memory
// proportional to their size.
func FuzzDecode(f *testing.F) {
	for _, data := range tiny(f) {
		require.Value(onnx.Decode("tiny.onnx", data))(f)
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var network *weights.File
		var err error
		bombs.Budget(t, 64<<20, 1<<11, len(data), func() { network, err = onnx.Decode("fuzz.onnx", data) })
		if err != nil {
			return
		}
		for name, x := range network.Tensors {
			if tensor.Len(x.Shape) != len(x.Data) || weights.CheckFinite(x) != nil {
				t.Errorf("tensor %q has shape %v and %d values", name, x.Shape, len(x.Data))
			}
		}
	})
}
