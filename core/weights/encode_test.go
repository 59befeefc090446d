package weights

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/tensor"
)

// small returns a file whose values are exact as half floats.
func small() *File {
	return &File{
		Source: "small.safetensors",
		Meta: Meta{
			Arch:      "resnet12",
			Widths:    []int{1, 2, 3, 4},
			InputSize: 32,
			Mean:      [3]float32{0.485, 0.456, 0.406},
			Std:       [3]float32{0.229, 0.224, 0.225},
			TrainedOn: "made up",
			Name:      "small",
			Extra:     map[string]string{"licence": "MIT"},
		},
		Tensors: map[string]*tensor.Tensor{
			"b": tensor.Of([]float32{1, -2, 0.5, 65504, 0x1p-24, 0}, 2, 3),
			"a": tensor.Of([]float32{7}, 1),
			"c": tensor.Of([]float32{-0.25}),
		},
	}
}

// difference describes the differences between two files, except Source.
func difference(a, b *File) string {
	if !reflect.DeepEqual(a.Meta, b.Meta) {
		return fmt.Sprintf("metadata %+v and %+v", a.Meta, b.Meta)
	}
	if len(a.Tensors) != len(b.Tensors) {
		return fmt.Sprintf("%d and %d tensors", len(a.Tensors), len(b.Tensors))
	}
	for name, t := range a.Tensors {
		if !reflect.DeepEqual(t, b.Tensors[name]) {
			return "tensor " + name
		}
	}
	if len(a.Bytes) != len(b.Bytes) || len(a.Bytes) > 0 && !reflect.DeepEqual(a.Bytes, b.Bytes) {
		return "tensors of bytes"
	}
	return ""
}

func TestRoundTrip(t *testing.T) {
	for _, dtype := range []DType{F32, F16} {
		f := small()
		f.Meta.Classes = []string{"fox, red", `"<owl>"`, "Füchse"}
		f.Meta.Assumed = []string{AssumedMean, AssumedStd}
		var out bytes.Buffer
		require.NoError(t, f.Encode(&out, dtype))
		back := require.Value(Decode("small.safetensors", out.Bytes()))(t)
		if diff := difference(f, back); diff != "" {
			t.Errorf("%v: changed on the way: %s", dtype, diff)
		}
	}
}

// A tensor with values beyond half floats stays float32.
func TestBeyondHalf(t *testing.T) {
	for _, dtype := range []DType{F16, W8} {
		f := small()
		f.Tensors["a"] = tensor.Of([]float32{-65520, 0.1}, 1, 2, 1)
		var out bytes.Buffer
		require.NoError(t, f.Encode(&out, dtype))
		back := require.Value(Decode("small.safetensors", out.Bytes()))(t)
		if diff := difference(f, back); diff != "" {
			t.Errorf("%v: changed on the way: %s", dtype, diff)
		}
	}
}

// The format has sorted names and aligned data.
func TestEncodeGolden(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, small().Encode(&out, F16))
	golden := require.Value(os.ReadFile(filepath.Join("testdata", "small-f16.safetensors")))(t)
	if !bytes.Equal(out.Bytes(), golden) {
		t.Errorf("encoded\n%q\nwant\n%q", out.Bytes(), golden)
	}
	header := out.Bytes()[8 : bytes.LastIndexByte(out.Bytes(), '}')+1]
	want := `{"__metadata__":{"arch":"resnet12","input_size":"32","licence":"MIT","mean":"0.485,0.456,0.406",` +
		`"name":"small","std":"0.229,0.224,0.225","trained_on":"made up","widths":"1,2,3,4"},` +
		`"a":{"dtype":"F16","shape":[1],"data_offsets":[0,2]},` +
		`"b":{"dtype":"F16","shape":[2,3],"data_offsets":[2,14]},` +
		`"c":{"dtype":"F16","shape":[],"data_offsets":[14,16]}}`
	if string(header) != want {
		t.Errorf("header\n%s\nwant\n%s", header, want)
	}
	if start := len(golden) - 16; start%8 != 0 {
		t.Errorf("data start at byte %d, want a multiple of 8", start)
	}
}

func TestEncodeRefuses(t *testing.T) {
	with := func(change func(*File)) *File {
		f := small()
		change(f)
		return f
	}
	set := func(v float32) func(*File) { return func(f *File) { f.Tensors["a"].Data[0] = v } }
	tests := []struct {
		name  string
		file  *File
		dtype DType
		want  string
	}{
		{"NaN", with(set(float32(math.NaN()))), F32, "tensor a: value 0 of 1 is NaN"},
		{"infinite", with(set(float32(math.Inf(1)))), F16, "tensor a: value 0 of 1 is +Inf"},
		{"no widths", with(func(f *File) { f.Meta.Widths = nil }), F32, "lacks widths"},
		{"three widths", with(func(f *File) { f.Meta.Widths = []int{1, 2, 3} }), F32, "want four"},
		{"negative width", with(func(f *File) { f.Meta.Widths[2] = -3 }), F32, "want channels from 1"},
		{"enormous width", with(func(f *File) { f.Meta.Widths[2] = MaxWidth + 1 }), F32, "want channels from 1"},
		{"many widths", with(func(f *File) { f.Meta.Arch, f.Meta.Widths = "vit", make([]int, maxWidths+1) }), F32, "33 of them"},
		{"no input size", with(func(f *File) { f.Meta.InputSize = 0 }), F32, "lacks input_size"},
		{"enormous input", with(func(f *File) { f.Meta.InputSize = MaxInputSize + 1 }), F32, "input_size 1025"},
		{"tiny input", with(func(f *File) { f.Meta.InputSize = 15 }), F32, "input_size 15"},
		{"no standard deviation", with(func(f *File) { f.Meta.Std = [3]float32{} }), F32, "lacks std"},
		{"zero standard deviation", with(func(f *File) { f.Meta.Std[1] = 0 }), F32, "want numbers above 0"},
		{"negative mean", with(func(f *File) { f.Meta.Mean[1] = -.1 }), F32, "want numbers from 0 to 1"},
		{"fraction as a byte", with(func(f *File) { f.Tensors["a"] = tensor.Of([]float32{1.5}, 1, 1, 1, 1) }), I8, "value 0 is 1.5, not an integer"},
		{"infinite mean", with(func(f *File) { f.Meta.Mean[1] = float32(math.Inf(1)) }), F32, "want numbers from 0 to 1"},
		{"large standard deviation", with(func(f *File) { f.Meta.Std[1] = 58.4 }), F32, "want numbers above 0, up to 1"},
		{"hidden field", with(func(f *File) { f.Meta.Extra["widths"] = "1" }), F32, "has its own field"},
		{"hidden mark", with(func(f *File) { f.Meta.Extra["assumed"] = "mean" }), F32, "has its own field"},
		{"mark of no fact", with(func(f *File) { f.Meta.Assumed = []string{"mean", "name"} }), F32, `assumed "name": want mean, std or both`},
		{"text of other bytes", with(func(f *File) { f.Meta.TrainedOn = "\xff" }), F32, `metadata "trained_on" is not UTF-8`},
		{"key of other bytes", with(func(f *File) { f.Meta.Extra["\xff"] = "1" }), F32, "is not UTF-8"},
		{"name of other bytes", with(func(f *File) { f.Tensors["\xff"] = f.Tensors["a"] }), F32, "no tensor may be called"},
		{"reserved name", with(func(f *File) { f.Tensors["__metadata__"] = f.Tensors["a"] }), F32, "no tensor may be called"},
	}
	for _, test := range tests {
		var out bytes.Buffer
		err := test.file.Encode(&out, test.dtype)
		if err == nil || !strings.Contains(err.Error(), test.want) || !strings.HasPrefix(err.Error(), "small.safetensors: ") {
			t.Errorf("%s: error %v, want one of small.safetensors that says %q", test.name, err, test.want)
		}
		if out.Len() > 0 {
			t.Errorf("%s: wrote %d bytes before the error", test.name, out.Len())
		}
	}
}
