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
		{"no GELU", swapped(t, "vit", operator("Erf"), operator("Sin"), -1), "in place of a GELU"},
		{"no attention", swapped(t, "vit", operator("Softmax"), operator("Sigmoid"), -1), "is not followed by attention"},
		{"no normalisation", swapped(t, "vit", operator("Sqrt"), operator("Sqrd"), -1), "no second layer normalization"},
		{"no positions", swapped(t, "vit", operator("Add"), operator("Sub"), 1), `Sub "/encoder/Add" is between the patches and the first block`},
		{"a layer of its own", swapped(t, "registers", operator("LayerNormalization"), operator("ScaleNormalization"), -1), "no second layer normalization"},
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

// field and varint are fields of a message.
func field(number protowire.Number, s string) string {
	return string(protowire.AppendString(protowire.AppendTag(nil, number, protowire.BytesType), s))
}

func varint(number protowire.Number, v int) string {
	return string(protowire.AppendVarint(protowire.AppendTag(nil, number, protowire.VarintType), uint64(v)))
}

// again returns a model that gives the same filters to thousands of layers.
func again() []byte {
	const c = 64
	weight := func(name string, shape ...int) string {
		m := varint(2, 1) + field(8, name)
		for _, extent := range shape {
			m += varint(1, extent)
		}
		return field(5, m+field(9, strings.Repeat("\x00", 4*tensor.Len(shape))))
	}
	g := weight("first", c, 3, 3, 3) + weight("wide", c, c, 1, 1) + weight("deep", c, 1, 3, 3) + field(11, field(1, "y0"))
	values := 0
	conv := func(weight string, stride, pad, groups int) {
		attribute := func(name string, v ...int) string {
			m := field(1, name)
			if len(v) == 1 {
				return field(5, m+varint(3, v[0]))
			}
			for _, x := range v {
				m += varint(8, x)
			}
			return field(5, m)
		}
		g += field(1, field(1, fmt.Sprint("y", values))+field(1, weight)+field(2, fmt.Sprint("y", values+1))+field(4, "Conv")+
			attribute("strides", stride, stride)+attribute("pads", pad, pad, pad, pad)+attribute("group", groups))
		values++
	}
	conv("first", 2, 1, 1)
	for range 3000 {
		conv("wide", 1, 0, 1)
		conv("deep", 1, 1, c)
		conv("wide", 1, 0, 1)
	}
	return []byte(field(7, g) + field(8, varint(2, 13)))
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
