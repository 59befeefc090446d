package weights

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/bombs"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/tensor"
)

// assemble returns a file with the given header and data.
func assemble(header string, body []byte) []byte {
	file := binary.LittleEndian.AppendUint64(nil, uint64(len(header)))
	return append(append(file, header...), body...)
}

// floats encodes float32 values.
func floats(values ...float32) []byte {
	var raw []byte
	for _, v := range values {
		raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(v))
	}
	return raw
}

func TestDecodeTensors(t *testing.T) {
	halves := []byte{0x00, 0x3c, 0x00, 0xc0}
	data := assemble(`{"b":{"shape":[2],"dtype":"F16","data_offsets":[8,12]},`+
		`"a":{"dtype":"F32","shape":[1,2],"data_offsets":[0,8]},`+
		`"scalar":{"dtype":"BF16","shape":[],"data_offsets":[12,14]},`+
		`"none":{"dtype":"F32","shape":[3,0],"data_offsets":[12,12]},`+
		`"bn1.num_batches_tracked":{"dtype":"I64","shape":[],"data_offsets":[14,22]},`+
		`"__metadata__":{"format":"pt"}}   `,
		append(append(append(floats(1.5, -3), halves...), 0x80, 0x3f), make([]byte, 8)...))
	f := require.Value(DecodeTensors("made.safetensors", data))(t)
	clear(data)
	for name, want := range map[string]string{
		"a": "[1 2] [1.5 -3]", "b": "[2] [1 -2]", "scalar": "[] [1]", "none": "[3 0] []",
	} {
		tensor := f.Tensors[name]
		if got := fmt.Sprint(tensor.Shape, tensor.Data); got != want {
			t.Errorf("tensor %s is %s, want %s", name, got, want)
		}
	}
	if len(f.Tensors) != 4 {
		t.Errorf("%d tensors, want 4: the integer counter is left out", len(f.Tensors))
	}
	if got := f.Meta.Extra["format"]; got != "pt" {
		t.Errorf("metadata format %q, want pt", got)
	}
	if f.Source != "made.safetensors" {
		t.Errorf("Source %q", f.Source)
	}
}

// The length of a header may begin like another format, and I8 tensors may have no scales.
func TestDecodeWhatLooksLikeOthers(t *testing.T) {
	for _, length := range []int{0x0280, 0x120708} { // a legacy PyTorch file, an ONNX model
		header := `{"a.scale":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},` +
			`"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]},"bytes":{"dtype":"I8","shape":[2],"data_offsets":[8,10]}}`
		header += strings.Repeat(" ", length-len(header))
		f := require.Value(DecodeTensors("w.safetensors", assemble(header, append(floats(2, 3), 1, 0xff))))(t)
		if got := fmt.Sprint(f.Tensors["a"].Data, f.Tensors["a.scale"].Data, f.Tensors["bytes"].Data); got != "[3] [2] [1 -1]" {
			t.Errorf("a header of %d bytes: the tensors are %s", length, got)
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	one := `{"dtype":"F32","shape":[1],"data_offsets":[0,4]}`
	nan, inf := float32(math.NaN()), float32(math.Inf(-1))
	tests := []struct {
		name string
		data []byte
		want string
	}{
		{"nothing", nil, "0 B are too few"},
		{"a few bytes", []byte("abc"), "3 B are too few"},
		{"header longer than the file", assemble(`{"a":`+one+`}`, nil)[:20], "is the download complete?"},
		{"absurd header", []byte("\xff\xff\xff\xff\xff\xff\xff\xff{}"), "not a safetensors file?"},
		{"empty header", make([]byte, 8), "header of 0 bytes"},
		{"a picture", []byte("\x89PNG\r\n\x1a\n0000"), "this is a PNG image, not weights: name a safetensors file"},
		{"a PyTorch file", []byte("PK\x03\x04aaaaaaaaa"), "deepemd import"},
		{"an ONNX model", []byte("\x08\x07\x12\x07pytorch"), "ONNX model: convert it"},
		{"a legacy PyTorch file", []byte("\x80\x02\x8a\x0a"), "deepemd import"},
		{"a web page", []byte("<!doctype html>"), "web page"},
		{"a pointer", []byte("version https://git-lfs.github.com/spec/v1"), "git lfs pull"},
		{"no object", assemble(`[]`, nil), "does not start with {"},
		{"broken JSON", assemble(`{"a" 1}`, nil), "header, byte 5: want ':', found '1'"},
		{"JSON that ends early", assemble(`{"a":`, nil), "tensor a: header, byte 5: want '{', found '\\x00'"},
		{"a number for a name", assemble(`{1:2}`, nil), "want '\"', found '1'"},
		{"text after the header", assemble(`{} {}`, nil), "after the closing brace"},
		{"a name twice", assemble(`{"a":`+one+`,"a":`+one+`}`, floats(1)), `"a" is a duplicate`},
		{"metadata of numbers", assemble(`{"__metadata__":{"widths":4}}`, nil), "want '\"', found '4'"},
		{"unknown field", assemble(`{"a":{"dtype":"F32","shape":[],"data_offsets":[0,4],"scale":2}}`, floats(1)), `unknown field "scale"`},
		{"no dtype", assemble(`{"a":{"shape":[1],"data_offsets":[0,4]}}`, floats(1)), "lacks dtype"},
		{"no shape", assemble(`{"a":{"dtype":"F32","data_offsets":[0,4]}}`, floats(1)), "lacks dtype, shape"},
		{"no offsets", assemble(`{"a":{"dtype":"F32","shape":[1]}}`, floats(1)), "data_offsets"},
		{"null shape", assemble(`{"a":{"dtype":"F32","shape":null,"data_offsets":[0,4]}}`, floats(1)), "want '[', found 'n'"},
		{"entry is no object", assemble(`{"a":7}`, nil), "tensor a: header, byte 5: want '{', found '7'"},
		{"a field twice", assemble(`{"a":{"dtype":"F32","dtype":"F16","shape":[1],"data_offsets":[0,4]}}`, floats(1)), `"dtype" is a duplicate`},
		{"a byte without channels", assemble(`{"a":{"dtype":"I8","shape":[],"data_offsets":[0,1]},"a.scale":{"dtype":"F32","shape":[],"data_offsets":[1,5]}}`, append([]byte{1}, floats(1)...)), "1 bytes of shape []"},
		{"trailing comma", assemble(`{"a":`+one+`,}`, floats(1)), "found '}'"},
		{"enormous number", assemble(`{"a":{"dtype":"F32","shape":[99999999999999999999],"data_offsets":[0,4]}}`, floats(1)), "too large"},
		{"octal number", assemble(`{"a":{"dtype":"F32","shape":[01],"data_offsets":[0,4]}}`, floats(1)), "starts with 0"},
		{"number without end", assemble(`{"a":{"shape":[1`, nil), "found '\\x00'"},
		{"name without end", assemble(`{"a`, nil), "no end"},
		{"name of other bytes", assemble("{\"\xff\":"+one+"}", floats(1)), "not UTF-8"},
		{"integers", assemble(`{"a":{"dtype":"I32","shape":[1],"data_offsets":[0,4]}}`, floats(1)), `element type "I32"`},
		{"doubles", assemble(`{"a":{"dtype":"F64","shape":[1],"data_offsets":[0,8]}}`, make([]byte, 8)), "save the weights as float32"},
		{"negative extent", assemble(`{"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}}`, floats(1)), "want an integer ≥ 0, found '-'"},
		{"overflow", assemble(`{"a":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,4]}}`, floats(1)), "tensor a"},
		{"overflow of several extents", assemble(`{"a":{"dtype":"F32","shape":[65536,65536,65536,65536],"data_offsets":[0,0]}}`, nil), "impossible shape"},
		{"overflow hidden by a zero", assemble(`{"a":{"dtype":"F32","shape":[4611686018427387904,4,0],"data_offsets":[0,0]}}`, nil), "tensor a"},
		{"fractional extent", assemble(`{"a":{"dtype":"F32","shape":[0.5],"data_offsets":[0,4]}}`, floats(1)), "tensor a"},
		{"many axes", assemble(`{"a":{"dtype":"F32","shape":[1,1,1,1,1,1,1,1,1],"data_offsets":[0,4]}}`, floats(1)), "9 axes"},
		{"one offset", assemble(`{"a":{"dtype":"F32","shape":[1],"data_offsets":[4]}}`, floats(1)), "data_offsets [4]"},
		{"reversed offsets", assemble(`{"a":{"dtype":"F32","shape":[1],"data_offsets":[4,0]}}`, floats(1)), "data_offsets [4 0]"},
		{"size and shape disagree", assemble(`{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}}`, floats(1)), "4 bytes for shape [2] of F32, want 8"},
		{"truncated", assemble(`{"a":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}`, floats(1)), "ends at byte 8"},
		{"trailing bytes", assemble(`{"a":`+one+`}`, floats(1, 2)), "bytes after the last tensor: 4"},
		{"overlap", assemble(`{"a":`+one+`,"b":`+one+`}`, floats(1)), "tensor b overlaps"},
		{"hole", assemble(`{"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}}`, floats(1, 2)), "4 bytes before tensor a"},
		{"NaN", assemble(`{"conv.weight":`+one+`}`, floats(nan)), "tensor conv.weight: value 0 of 1 is NaN"},
		{"infinity", assemble(`{"conv.weight":`+one+`}`, floats(inf)), "tensor conv.weight: value 0 of 1 is -Inf"},
		{"bad widths", assemble(`{"__metadata__":{"widths":"64,many"}}`, nil), `metadata widths "64,many": "many": invalid syntax`},
		{"bad mean", assemble(`{"__metadata__":{"mean":"0.5"}}`, nil), "want three numbers"},
		{"no number in a standard deviation", assemble(`{"__metadata__":{"std":"1,1,one"}}`, nil), `"one": invalid syntax`},
		{"bad classes", assemble(`{"__metadata__":{"classes":"fox, owl"}}`, nil), "want a JSON list of strings"},
	}
	for _, test := range tests {
		f, err := DecodeTensors("w.safetensors", test.data)
		switch {
		case err == nil:
			t.Errorf("%s: decoded as %v, want an error", test.name, f)
		case !strings.HasPrefix(err.Error(), "w.safetensors: "), !strings.Contains(err.Error(), test.want):
			t.Errorf("%s: error %q, want one of w.safetensors that says %q", test.name, err, test.want)
		}
	}
}

func TestDecodeWantsMetadata(t *testing.T) {
	_, err := Decode("w.safetensors", assemble(`{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}`, floats(1)))
	want := "w.safetensors: metadata lacks arch (such as \"resnet12\"): convert the file with `deepemd import`, which writes it"
	if err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

func FuzzDecode(f *testing.F) {
	var good bytes.Buffer
	require.NoError(f, small().Encode(&good, F16))
	f.Add(good.Bytes())
	f.Add(assemble(`{"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}}`, floats(1)))
	f.Add(assemble(`{"a":{"dtype":"BF16","shape":[0,2],"data_offsets":[0,0]},"__metadata__":{"std":"1,2,3"}}`, nil))
	f.Add(assemble(`{"a":{"dtype":"F32","shape":[0],"data_offsets":[0,0]},"__metadata__":{"classes":"[]"}}`, nil))
	f.Add(assemble(`{"a":{"dtype":"I8","shape":[1,2],"data_offsets":[0,2]},"a.scale":{"dtype":"F32","shape":[1],"data_offsets":[2,6]},"__metadata__":`+
		`{"arch":"vit","widths":"1","input_size":"32","mean":"0,0,0","std":"1,1,1"}}`, append([]byte{1, 2}, floats(1)...)))
	f.Fuzz(func(t *testing.T, data []byte) {
		var file *File
		var err error
		// 16-bit values become 32-bit, and a tensor's name takes a few bytes.
		bombs.Budget(t, 1<<20, 512, len(data), func() { file, err = Decode("fuzz", data) })
		if err != nil {
			return
		}
		var out bytes.Buffer
		if err := file.Encode(&out, F32); err != nil {
			t.Fatalf("decoded, but does not encode: %v", err)
		}
		again, err := Decode("fuzz", out.Bytes())
		if err != nil {
			t.Fatalf("encoded, but does not decode: %v", err)
		}
		if diff := difference(file, again); diff != "" {
			t.Fatalf("changed on the way: %s", diff)
		}
	})
}

func TestTensor(t *testing.T) {
	f := small()
	f.Source = "weights.safetensors"
	f.Tensors["module.d"] = tensor.New(1)
	tests := []struct {
		name  string
		shape []int
		want  string
	}{
		{"b", []int{2, 3}, ""},
		{"b", []int{2, -1}, ""},
		{"c", nil, ""},
		{"b", []int{3, 2}, "weights.safetensors: tensor b has shape [2 3], want [3 2]: not a resnet12 [1 2 3 4] file?"},
		{"b", []int{6}, "weights.safetensors: tensor b has shape [2 3], want [6]: not a resnet12 [1 2 3 4] file?"},
		{"x", []int{6}, "weights.safetensors: no tensor x among its 4: not a resnet12 [1 2 3 4] file?"},
		{"d", []int{1}, "weights.safetensors: no tensor d, only module.d: convert the file with `deepemd import`"},
	}
	for _, test := range tests {
		got, err := f.Tensor(test.name, test.shape...)
		switch {
		case test.want == "" && (err != nil || got != f.Tensors[test.name]):
			t.Errorf("Tensor(%s, %v) = %v, %v", test.name, test.shape, got, err)
		case test.want != "" && (err == nil || err.Error() != test.want):
			t.Errorf("Tensor(%s, %v): error %v, want %s", test.name, test.shape, err, test.want)
		}
	}
}

func ExampleFile_Tensor() {
	f := &File{
		Source:  "weights.safetensors",
		Meta:    Meta{Arch: "resnet12", Widths: []int{64, 80, 160, 320}, Name: "mine"},
		Tensors: map[string]*tensor.Tensor{"encoder.layer3.0.conv1.weight": tensor.New(320, 160, 3, 3)},
	}
	_, err := f.Tensor("encoder.layer3.0.conv1.weight", 160, 80, 3, 3)
	fmt.Println(err)
	// Output: weights.safetensors: tensor encoder.layer3.0.conv1.weight has shape [320 160 3 3], want [160 80 3 3]: not a resnet12 [64 80 160 320] file?
}
