package onnx_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/deepemd/deepemd/internal/onnx"
)

// nodes returns the model with changed nodes. change gets each node's operator, output and inputs,
// may change the inputs, and returns more fields of the node, and of the graph after it. extra is
// further fields of the graph, before the nodes.
func nodes(data []byte, extra string, change func(op, output string, inputs []string) (more, after string)) []byte {
	return []byte(each(data, func(number protowire.Number, graph string) string {
		if number != 7 {
			return field(number, graph)
		}
		return field(7, extra+each([]byte(graph), func(number protowire.Number, node string) string {
			if number != 1 {
				return field(number, node)
			}
			var op, output string
			var inputs []string
			rest := each([]byte(node), func(number protowire.Number, s string) string {
				switch number {
				case 1:
					inputs = append(inputs, s)
					return ""
				case 2:
					output = s
				case 4:
					op = s
				}
				return field(number, s)
			})
			more, after := change(op, output, inputs)
			for _, name := range inputs {
				rest += field(1, name)
			}
			return field(1, rest+more) + after
		}))
	}))
}

// each returns a message with changed fields of bytes.
func each(message []byte, change func(number protowire.Number, s string) string) string {
	var out strings.Builder
	for len(message) > 0 {
		number, kind, tag := protowire.ConsumeTag(message)
		size := tag + protowire.ConsumeFieldValue(number, kind, message[tag:])
		if kind == protowire.BytesType {
			s, _ := protowire.ConsumeString(message[tag:])
			out.WriteString(change(number, s))
		} else {
			out.Write(message[:size])
		}
		message = message[size:]
	}
	return out.String()
}

// inserted puts an operator with the number 2 between a value and its users.
func inserted(data []byte, value, op string) []byte {
	const two = "the number two"
	number := field(5, varint(2, 1)+field(8, two)+field(9, float(2)))
	return nodes(data, number, func(_, output string, inputs []string) (more, after string) {
		for i, name := range inputs {
			if name == value {
				inputs[i] = "changed"
			}
		}
		if output == value {
			after = field(1, field(1, value)+field(1, two)+field(2, "changed")+field(4, op)+field(3, "inserted"))
		}
		return "", after
	})
}

// rewired gives the nodes whose output starts with a name another input.
func rewired(data []byte, output, from, to string) []byte {
	return nodes(data, "", func(_, out string, inputs []string) (more, after string) {
		if i := slices.Index(inputs, from); i >= 0 && strings.HasPrefix(out, output) {
			inputs[i] = to
		}
		return "", ""
	})
}

// attributed gives the node with an output an attribute: an integer, or several.
func attributed(data []byte, output, name string, values ...int) []byte {
	return nodes(data, "", func(_, out string, _ []string) (more, after string) {
		if out != output {
			return "", ""
		}
		a := field(1, name)
		for _, v := range values {
			if a += varint(8, v); len(values) == 1 {
				a += varint(3, v)
			}
		}
		return field(5, a), ""
	})
}

// TestRefusesVariants: networks that have the layers of a vision transformer, but compute something
// else, are errors that name the operator.
func TestRefusesVariants(t *testing.T) {
	good := tiny(t)[1]
	twice := nodes(good, "", func(_, output string, inputs []string) (more, after string) {
		const product = "blocks.0.mlp.fc2/product"
		if i := slices.Index(inputs, product); i >= 0 {
			inputs[i] = "shifted"
		}
		if output == product {
			more = field(1, "norm.bias") + field(4, "Gemm")
			after = field(1, field(1, product)+field(1, "norm.bias")+field(2, "shifted")+field(4, "Add"))
		}
		return more, after
	})
	scaled := nodes(good, "", func(_, output string, _ []string) (more, after string) {
		if output == "blocks.0.mlp.fc2/product" {
			more = field(4, "Gemm") + field(5, field(1, "alpha")+string(protowire.AppendTag(nil, 2, protowire.Fixed32Type))+float(2))
		}
		return more, ""
	})
	epsilon := func(v float32) []byte { return bytes.ReplaceAll(good, []byte(float(1e-6)), []byte(float(v))) }
	for _, test := range []struct {
		name string
		data []byte
		want string
	}{
		{"the network", good, ""},
		{"PyTorch's epsilon", epsilon(1e-5), ""},
		{"Hugging Face's epsilon", epsilon(1e-12), ""},
		{"patches without a bias", rewired(good, "patches seen", "patch_embed.proj.bias", ""), ""},
		{"another epsilon", epsilon(1e-3), "adds 0.001 to the variance, want at most 2e-05"},
		{"no residual sum around attention", rewired(good, "", "blocks.0.attended", "blocks.0.ls1.gamma/scaled"), "in place of a sum with the block's input"},
		{"no residual sum around the perceptron", rewired(good, "", "blocks.0.out", "blocks.0.mlp.fc2/product"), "in place of a sum with the block's input"},
		{"a residual sum with the normalized value", rewired(good, "blocks.0.attended", "tokens and patches", "blocks.0.norm1/out"), `the sum after it that of Add "blocks.0.norm1/out"`},
		{"attention and perceptron in parallel", rewired(good, "blocks.0.norm2", "blocks.0.attended", "tokens and patches"), `takes the output of Concat "tokens and patches"`},
		{"padded patches", attributed(good, "patches seen", "pads", 1, 1, 1, 1), "its first layer"},
		{"overlapping patches", attributed(good, "patches seen", "strides", 4, 4), "its first layer"},
		{"a mean over tokens", attributed(good, "norm/mean", "axes", 1), "no second layer normalization"},
		{"a variance over tokens", attributed(good, "norm/variance", "axes", 1), "no second layer normalization"},
		{"a variance of other values", rewired(good, "blocks.0.norm2/squares", "blocks.0.norm2/centered", "blocks.0.norm1/centered"), "no second layer normalization"},
		{"shares of queries", attributed(good, "blocks.0.attn.shares", "axis", 1), "in place of a softmax over the last axis"},
		{"a scaled layer", scaled, `Gemm "blocks.0.mlp.fc2/product" is not a plain dense layer`},
		{"scaled patches", inserted(good, "embedded", "Mul"), `Mul "inserted" is between the patches and the first block`},
		{"normalized tokens", inserted(good, "tokens and patches", "Div"), `Div "inserted" is between the patches and the first block`},
		{"a scaled branch", inserted(good, "blocks.0.mlp.fc2/product", "Mul"), `Mul "inserted" in place of a dense layer`},
		{"a mask", inserted(good, "blocks.0.attn.scores", "Add"), `Add "inserted" in place of the product of queries and keys`},
		{"another mask", inserted(good, "blocks.0.attn.scores", "Where"), `Where "inserted" in place of the product of queries and keys`},
		{"another scale of the scores", inserted(good, "blocks.0.attn.scores", "Mul"), "takes scores times 0.5, want 0.25"},
		{"normalized keys", inserted(good, "blocks.0.attn.keys", "LpNormalization"), `LpNormalization "inserted" in place of a dense layer`},
		{"rotated queries", inserted(good, "blocks.0.attn.queries scaled", "Sub"), `Sub "inserted" in place of`},
		{"changed values", inserted(good, "blocks.0.attn.values", "Mul"), `Mul "inserted" in place of a dense layer`},
		{"changed shares", inserted(good, "blocks.0.attn.shares", "Mul"), "is not followed by attention"},
		{"a layer after attention", inserted(good, "blocks.0.attn.joined", "Div"), `Div "inserted" in place of`},
		{"a layer with two biases", twice, `Gemm "blocks.0.mlp.fc2/product" has a bias of its own, and another is added`},
		{"a doubled GELU", inserted(good, "blocks.0.mlp.gelu/out", "Mul"), "in place of a GELU"},
		{"a mean before the last normalization", inserted(good, "blocks.0.out", "ReduceMean"), `ReduceMean "inserted" in place of a sum`},
		{"a variance of more", inserted(good, "norm/squares", "Mul"), "no second layer normalization"},
	} {
		_, err := onnx.Decode("x.onnx", test.data)
		if test.want == "" && err != nil || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%s: error %v, want %q", test.name, err, test.want)
		}
	}
}

// TestEveryOperatorCounts: a convolutional network in which any operator of the backbone, or any
// attribute of a convolution, is another is an error.
func TestEveryOperatorCounts(t *testing.T) {
	for _, test := range []struct {
		name string
		head []string // operators after the backbone, which may be others
	}{
		{"resnet12", nil},
		{"resnet18", []string{"GlobalAveragePool", "Flatten", "Gemm"}},
		{"mobilenet2", []string{"GlobalAveragePool", "Flatten", "Gemm"}},
	} {
		good := model(t, test.name)
		var operators, outputs []string
		nodes(good, "", func(op, output string, _ []string) (more, after string) {
			operators, outputs = append(operators, op), append(outputs, output)
			return "", ""
		})
		refused := func(what string, data []byte) {
			t.Helper()
			if _, err := onnx.Decode("x.onnx", data); err == nil {
				t.Errorf("%s: %s is accepted", test.name, what)
			}
		}
		for i, op := range operators {
			if slices.Contains(test.head, op) {
				continue
			}
			refused(outputs[i]+" by another operator", nodes(good, "", func(_, output string, _ []string) (more, after string) {
				if output == outputs[i] {
					more = field(4, "Sin")
				}
				return more, ""
			}))
			if op != "Conv" {
				continue
			}
			for _, a := range []struct {
				name   string
				values []int
			}{{"pads", []int{9, 9, 9, 9}}, {"strides", []int{9, 9}}, {"dilations", []int{2, 2}}, {"group", []int{99}}} {
				refused(outputs[i]+" with other "+a.name, attributed(good, outputs[i], a.name, a.values...))
			}
		}
	}
}

// TestRefusesBranches: convolutional networks with further operators are errors that name them.
func TestRefusesBranches(t *testing.T) {
	good := model(t, "resnet18")
	first := ""
	nodes(good, "", func(op, output string, inputs []string) (more, after string) {
		if op == "Conv" && first == "" {
			first = output
		}
		return "", ""
	})
	branch := nodes(good, "", func(_, output string, inputs []string) (more, after string) {
		if output == first {
			after = field(1, field(1, inputs[0])+field(1, inputs[1])+field(2, "changed")+field(4, "Conv")+field(3, "inserted"))
		}
		return "", after
	})
	dilated := nodes(good, "", func(op, _ string, _ []string) (more, after string) {
		if op == "MaxPool" {
			more = field(5, field(1, "dilations")+varint(8, 2)+varint(8, 2))
		}
		return more, ""
	})
	padded := func(name, auto string) []byte {
		return nodes(model(t, name), "", func(op, _ string, _ []string) (more, after string) {
			if op == "MaxPool" {
				more = field(5, field(1, "auto_pad")+field(4, auto))
			}
			return more, ""
		})
	}
	if _, err := onnx.Decode("x.onnx", padded("resnet12", "VALID")); err != nil {
		t.Errorf("pooling without padding: %v", err)
	}
	gated := nodes(good, "", func(_, output string, inputs []string) (more, after string) {
		if i := slices.Index(inputs, first); i >= 0 {
			inputs[i] = "gated"
		}
		if output == first {
			after = field(1, field(1, first)+field(2, "gate")+field(4, "Sigmoid")) + field(1, field(1, first)+field(1, "gate")+field(2, "gated")+field(4, "Mul"))
		}
		return "", after
	})
	for _, test := range []struct {
		name string
		data []byte
		want string
	}{
		{"another layer of the images", branch, `Conv "inserted" both take the images`},
		{"a dilated pooling", dilated, "want a ReLU and a 3×3 max-pool"},
		{"a pooling that pads odd sides", padded("resnet12", "SAME_UPPER"), "want a 2×2 max-pool"},
		{"a pooling that pads at the bottom", padded("resnet18", "SAME_UPPER"), "want a ReLU and a 3×3 max-pool"},
		{"a pooling without its padding", padded("resnet18", "VALID"), "want a ReLU and a 3×3 max-pool"},
		{"SiLU", gated, "is followed by SiLU and Relu"},
		{"a group normalization", inserted(good, first, "GroupNormalization"), `is followed by no activation and GroupNormalization "inserted"`},
	} {
		if _, err := onnx.Decode("x.onnx", test.data); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want %q", test.name, err, test.want)
		}
	}
}
