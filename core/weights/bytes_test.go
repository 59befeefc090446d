package weights

import (
	"bytes"
	"encoding/binary"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/tensor"
)

// layers returns a file with all kinds of weights.
func layers() *File {
	f := small()
	f.Tensors = map[string]*tensor.Tensor{
		"encoder.dense.weight":     tensor.Of([]float32{1, -2, 0.5, 0.25, 0, 0}, 3, 2),
		"encoder.conv.weight":      tensor.Of([]float32{-3, 1}, 1, 2, 1, 1),
		"encoder.depthwise.weight": tensor.Of([]float32{0.1, 0.3}, 2, 1, 1, 1),
		"encoder.norm.weight":      tensor.Of([]float32{0.1, 7}, 2),
		"encoder.pos_embed":        tensor.Of([]float32{0.5, 2}, 1, 2, 1),
		"cohort.weight":            tensor.Of([]float32{0.1, 0.2}, 2, 1),
	}
	return f
}

// TestQuantized checks that only weights of layers become bytes, with an error of at most half a
// step.
func TestQuantized(t *testing.T) {
	f := layers()
	q := f.Quantized()
	var back *File
	for dtype, embedding := range map[DType]string{F32: "F32", W8: "F16"} {
		var file bytes.Buffer
		require.NoError(t, q.Encode(&file, dtype))
		back = require.Value(Decode("small.safetensors", file.Bytes()))(t)
		if d := difference(back, q); d != "" || !reflect.DeepEqual(back.Bytes, q.Bytes) {
			t.Errorf("read back it differs in %s: %v, want %v", d, back.Bytes, q.Bytes)
		}
		if want := `"encoder.pos_embed":{"dtype":"` + embedding + `"`; !bytes.Contains(file.Bytes(), []byte(want)) {
			t.Errorf("the file lacks %s", want)
		}
	}
	if len(q.Bytes) != 2 || len(q.Tensors) != 4 || len(f.Bytes) != 0 {
		t.Errorf("%d tensors of bytes and %d others, want 2 and 4", len(q.Bytes), len(q.Tensors))
	}
	dense := q.Bytes["encoder.dense.weight"]
	if want := []int8{64, -127, 127, 64, 0, 0}; !reflect.DeepEqual(dense.Values, want) {
		t.Errorf("bytes %v, want %v", dense.Values, want)
	}
	wide := back.Widened()
	if len(wide.Bytes) != 0 || len(wide.Tensors) != len(f.Tensors) {
		t.Errorf("widened there are %d tensors, %d of them bytes", len(wide.Tensors), len(wide.Bytes))
	}
	for name, want := range f.Tensors {
		for _, got := range []*File{wide, back} {
			t2 := require.Value(got.Tensor(name, want.Shape...))(t)
			for i, v := range want.Data {
				if !(math.Abs(float64(t2.Data[i]-v)) <= 3./127/2) {
					t.Errorf("%s: value %d is %v, want about %v", name, i, t2.Data[i], v)
				}
			}
		}
	}
	r := Reader{File: back, Prefix: "encoder."}
	if r.Bytes("dense.weight", 3, -1) == nil || r.Bytes("dense.weight", 2, 3) != nil || r.Bytes("norm.weight", 2) != nil || !r.Has("conv.weight") {
		t.Error("the reader gives other bytes than there are")
	}
}

// TestBytesThatAreNone checks the errors for invalid scales.
func TestBytesThatAreNone(t *testing.T) {
	made := func(shape, scales string, values ...float32) []byte {
		header := `{"w":{"dtype":"I8","shape":` + shape + `,"data_offsets":[0,2]},"w.scale":{"dtype":"F32","shape":` + scales + `,"data_offsets":[2,10]}}`
		file := append(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), header...)
		file = append(file, 1, 2)
		for _, v := range values {
			file = binary.LittleEndian.AppendUint32(file, math.Float32bits(v))
		}
		return file
	}
	if f, err := DecodeTensors("w", made("[2,1]", "[2]", 1, 2)); err != nil || f.Bytes["w"] == nil || len(f.Tensors) != 0 {
		t.Errorf("a good file gives %v, error %v", f, err)
	}
	for want, file := range map[string][]byte{
		"2 bytes of shape [1 2] with scales of shape [2], want one for each": made("[1,2]", "[2]", 1, 2),
		"2 bytes of shape [3 1]":       made("[3,1]", "[2]", 1, 2),
		"2 bytes of shape [2 2]":       made("[2,2]", "[2]", 1, 2),
		"2 bytes of shape []":          made("[]", "[2]", 1, 2),
		"the scale 0 of channel 1":     made("[2,1]", "[2]", 1, 0),
		"the scale -1 of channel 0":    made("[2,1]", "[2]", -1, 1),
		"the scale 3e+38 of channel 0": made("[2,1]", "[2]", 3e38, 1),
		"NaN":                          made("[2,1]", "[2]", 1, float32(math.NaN())),
	} {
		if _, err := DecodeTensors("a file", file); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "a file: tensor w") {
			t.Errorf("error %v, want one that names the tensor and says %q", err, want)
		}
	}
}
