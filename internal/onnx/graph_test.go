package onnx

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/deepemd/deepemd/internal/bombs"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/tensor"
)

// number, text and float are fields of a message.
func number(field protowire.Number, v int) []byte {
	return protowire.AppendVarint(protowire.AppendTag(nil, field, protowire.VarintType), uint64(v))
}

func text[T string | []byte](field protowire.Number, s T) []byte {
	return protowire.AppendString(protowire.AppendTag(nil, field, protowire.BytesType), string(s))
}

func float(field protowire.Number, v float32) []byte {
	return protowire.AppendFixed32(protowire.AppendTag(nil, field, protowire.Fixed32Type), math.Float32bits(v))
}

func testMessage(fields ...[]byte) []byte { return bytes.Join(fields, nil) }

// model is a ModelProto of opset 13 with a graph of these fields.
func testModel(graph ...[]byte) []byte {
	return testMessage(number(1, 7), text(7, testMessage(graph...)), text(8, number(2, 13)))
}

// node returns a field of a graph.
func node(op, in, out string, more ...[]byte) []byte {
	return text(1, testMessage(append([][]byte{text(1, in), text(2, out), text(4, op)}, more...)...))
}

// initializer returns a field of a graph: floats of a shape.
func initializer(name string, kind int, shape []int, more ...[]byte) []byte {
	m := number(2, kind)
	for _, extent := range shape {
		m = append(m, number(1, extent)...)
	}
	return text(5, testMessage(append(more, m, text(8, name))...))
}

func input(name string) []byte { return text(11, text(1, name)) }

func TestDecodeGraphRefuses(t *testing.T) {
	whole := require.Value(os.ReadFile("testdata/resnet12.onnx"))(t)
	for _, test := range []struct {
		name string
		data []byte
		want string
	}{
		{"nothing", nil, "no graph:"},
		{"text", []byte("hello, this is no model"), "incomplete one"},
		{"a web page", []byte("<html>"), "a web page"},
		{"a pointer", []byte("version https://git-lfs.github.com/spec/v1\n"), "git lfs pull"},
		{"half a model", whole[:len(whole)/2], "incomplete one"},
		{"no graph", testMessage(number(1, 7), text(8, number(2, 13))), "no graph:"},
		{"two graphs", testMessage(testModel(), text(7, "")), "two graphs"},
		{"no version", testMessage(text(7, input("x"))), "opset 0"},
		{"an old version", testMessage(text(7, input("x")), text(8, number(2, 9))), "opset_version=13"},
		{"a huge length", []byte{0x3a, 0xff, 0xff, 0xff, 0xff, 0x0f}, "incomplete one"},
		{"a huge shape", testModel(initializer("w", 1, []int{1 << 20, 1 << 20, 1 << 20, 1 << 20})), "too large for a file"},
		{"a negative extent", testModel(initializer("w", 1, []int{-1})), "too large for a file"},
		{"many axes", testModel(initializer("w", 1, make([]int, 9))), "9 axes"},
		{"a shape without values", testModel(initializer("w", 1, []int{1000, 1000})), "has 0 values, but its shape [1000 1000] needs 1000000"},
		{"too few bytes", testModel(initializer("w", 1, []int{2}, text(9, "1234567"))), "damaged"},
		{"half floats that are too few", testModel(initializer("w", 10, []int{2}, number(5, 1))), "damaged"},
		{"integers that are too few", testModel(initializer("w", 7, []int{2}, number(7, 1))), "damaged"},
		{"bytes of integers that are too few", testModel(initializer("w", 7, []int{2}, text(9, "12345678"))), "damaged"},
		{"values in another file", testModel(initializer("w", 1, []int{2}, text(13, ""))), "external_data=False"},
		{"values elsewhere", testModel(initializer("w", 1, []int{2}, number(14, 1))), "save the model as one"},
		{"sparse weights", testModel(text(15, "")), "sparse"},
		{"two of a name", testModel(initializer("w", 1, nil, float(4, 1)), initializer("w", 1, nil, float(4, 1))), `the tensor "w"`},
		{"no name", testModel(initializer("", 1, nil, float(4, 1))), "empty"},
		{"a circle", testModel(input("x"), node("Relu", "b", "a"), node("Relu", "a", "b")), "has a cycle"},
		{"a node that takes itself", testModel(node("Relu", "a", "a")), "has a cycle"},
		{"a value made twice", testModel(input("x"), node("Relu", "x", "y"), node("Tanh", "x", "y")), "already exists"},
		{"a constant that is short", testModel(node("Constant", "", "c", text(5, testMessage(text(1, "value"), text(5, testMessage(number(1, 3), number(2, 1))))))), "has 0 values"},
		{"half a number", testModel(text(5, text(1, "\xff"))), "incomplete one"},
		{"half a float", testModel(text(5, text(4, "123"))), "incomplete one"},
		{"many nodes", testModel(input("x"), many(1<<16+1)), "more than 65536 operators"},
	} {
		g, err := decodeGraph(test.data)
		if err == nil || g != nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want one that says %q", test.name, err, test.want)
		}
	}
}

// many returns a chain of nodes.
func many(n int) []byte {
	var all []byte
	for i := range n {
		in := "x"
		if i > 0 {
			in = fmt.Sprint(i - 1)
		}
		all = append(all, node("Relu", in, fmt.Sprint(i))...)
	}
	return all
}

// TestValues: numbers can be in several fields.
func TestValues(t *testing.T) {
	half := []byte{0x00, 0x3e, 0x00, 0xc0} // 1.5, -2
	g := require.Value(decodeGraph(testModel(
		initializer("packed", 1, []int{2}, text(4, testMessage(float(4, 1.5)[1:], float(4, -2)[1:]))),
		initializer("single", 1, []int{2}, float(4, 1.5), float(4, -2)),
		initializer("raw", 1, []int{2}, text(9, testMessage(float(4, 1.5)[1:], float(4, -2)[1:]))),
		initializer("half", 10, []int{2}, text(9, half)),
		initializer("half in integers", 10, []int{2}, text(5, testMessage(number(5, 0x3e00)[1:], number(5, 0xc000)[1:]))),
		initializer("int64", 7, []int{2}, number(7, 3), number(7, -1)),
		initializer("int64, raw", 7, []int{2}, text(9, "\x03\x00\x00\x00\x00\x00\x00\x00\xff\xff\xff\xff\xff\xff\xff\xff")),
		initializer("int32, raw", 6, []int{2}, text(9, "\x03\x00\x00\x00\xff\xff\xff\xff")),
		initializer("a text", 8, []int{1}),
		input("x"), node("Identity", "x", "same"), node("Cast", "same", "float", text(5, testMessage(text(1, "to"), number(3, 1)))), node("Cast", "float", "half float", text(5, testMessage(text(1, "to"), number(3, 10)))),
		node("Relu", "half float", "y", text(7, "elsewhere"), text(3, "act")),
		node("Constant", "", "floats", text(5, testMessage(text(1, "value_floats"), float(7, 1.5), float(7, -2)))),
		node("Constant", "", "six", text(5, testMessage(text(1, "value_float"), float(2, 6)))),
		node("Constant", "", "three", text(5, testMessage(text(1, "value_ints"), number(8, 3)))),
	)))(t)
	for _, name := range []string{"packed", "single", "raw", "half", "half in integers", "floats"} {
		if x := g.Tensors[name]; x == nil || !x.HasShape(2) || x.Data[0] != 1.5 || x.Data[1] != -2 {
			t.Errorf("%s: %v", name, x)
		}
	}
	for _, name := range []string{"int64", "int64, raw", "int32, raw"} {
		if got := fmt.Sprint(g.Integers[name]); got != "[3 -1]" {
			t.Errorf("%s: %s", name, got)
		}
	}
	if v, ok := g.Scalar("six"); !ok || v != 6 || g.Integers["three"][0] != 3 || len(g.Tensors) != 7 {
		t.Errorf("constants: %v %v, tensors %v", v, ok, g.Tensors)
	}
	if users := g.Users("x"); len(g.Nodes) != 1 || len(users) != 1 || users[0].String() != `elsewhere.Relu "act"` || g.Maker("y") != users[0] {
		t.Errorf("nodes %v, that take x %v", g.Nodes, users)
	}
}

// FuzzDecodeGraph: arbitrary bytes give an error or a consistent graph, in memory proportional to
// their size.
func FuzzDecodeGraph(f *testing.F) {
	f.Add(testModel(initializer("w", 10, []int{2}, number(5, 1), number(5, 2)), input("x"), node("Relu", "x", "y")))
	f.Fuzz(func(t *testing.T, data []byte) {
		var g *Graph
		var err error
		bombs.Budget(t, 16<<20, 1<<10, len(data), func() { g, err = decodeGraph(data) })
		if err != nil {
			return
		}
		for name, x := range g.Tensors {
			if tensor.Len(x.Shape) != len(x.Data) {
				t.Errorf("tensor %q has shape %v and %d values", name, x.Shape, len(x.Data))
			}
		}
		if g.Describe() == "" {
			t.Error("nothing is said of it")
		}
	})
}
