package netfile

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/golden"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/tensor"
)

func loadBytes(name string, data []byte) (map[string]*tensor.Tensor, error) {
	return LoadTorch(name, bytes.NewReader(data), int64(len(data)))
}

func loadFile(t testing.TB, path string) (map[string]*tensor.Tensor, error) {
	t.Helper()
	data := require.Value(os.ReadFile(path))(t)
	return loadBytes(filepath.Base(path), data)
}

// What testdata/make.py saved, in each form that it did.
func TestLoad(t *testing.T) {
	transposed := tensor.New(4, 2, 3)
	for i := range transposed.Data {
		a, b, c := i/6, i/3%2, i%3
		transposed.Data[i] = float32(12*b + 4*c + a)
	}
	plain := tensor.New(2, 3, 4)
	for i := range plain.Data {
		plain.Data[i] = float32(i)
	}
	want := map[string]*tensor.Tensor{
		"plain":      plain,
		"transposed": transposed,
		"sliced":     tensor.Of([]float32{4, 6, 8, 10, 16, 18, 20, 22}, 2, 2, 2),
		"scalar":     tensor.Of([]float32{2.5}),
		"parameter":  tensor.Of([]float32{1, -1}, 2),
	}
	for _, name := range []string{"params.pth", "params-legacy.pth", "params-protocol4.pth", "state_dict.pth", "bare.pth"} {
		got, err := loadFile(t, filepath.Join("testdata", name))
		if err != nil {
			t.Error(err)
			continue
		}
		for key := range want {
			if !reflect.DeepEqual(got[key].Data, want[key].Data) || !got[key].HasShape(want[key].Shape...) {
				t.Errorf("%s: tensor %s is %v, want %v", name, key, got[key], want[key])
			}
		}
		if len(got) != len(want) {
			t.Errorf("%s: %d tensors, want %d", name, len(got), len(want))
		}
	}
}

func TestLoadElementTypes(t *testing.T) {
	got := require.Value(loadFile(t, "testdata/types.pth"))(t)
	for _, name := range []string{"half", "brain", "double"} {
		if fmt.Sprint(got[name].Data) != "[1.5 -2]" {
			t.Errorf("tensor %s is %v, want [1.5 -2]", name, got[name].Data)
		}
	}
}

func TestLoadRefusesFiles(t *testing.T) {
	for name, want := range map[string]string{
		"nan.pth":      "tensor bn1.weight: value 1 of 2 is NaN",
		"expanded.pth": "tensor wide: shape [1000 1000] is more than its storage of 1 values",
		"class.pth":    "asks for the class argparse.Namespace; only tensors in plain dicts are read",
		"list.pth":     "does not hold a dict",
		"keys.pth":     `no state dict under params, state_dict or model; the file has "weights", "epoch"`,
	} {
		tensors, err := loadFile(t, filepath.Join("testdata", name))
		if err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), name+": ") {
			t.Errorf("%s: %d tensors, error %v, want one that says %q", name, len(tensors), err, want)
		}
	}
}

// The sums are PyTorch's own, over the float16 values raised to double.
func TestLoadReference(t *testing.T) {
	for _, test := range []struct {
		file     string
		widths   []int
		values   int
		sum, abs float64
		three    []float32 // of encoder.layer3.0.conv2.weight
	}{
		{"resnet12-s-tiny.pth", []int{32, 80, 160, 320}, 3161814, 2962.7194108963013, 57848.58594930172,
			[]float32{-0.02252197265625, -0.023345947265625, -0.0504150390625}},
		{"resnet12-cifarfs.pth", []int{64, 160, 320, 640}, 12474816, 1273.8464288115501, 163780.59172314405,
			[]float32{-0.0242767333984375, -0.0091400146484375, -0.0011377334594726562}},
	} {
		tensors, err := loadFile(t, golden.Path(t, "reference/"+test.file))
		if err != nil {
			t.Fatal(err)
		}
		if len(tensors) != 82 {
			t.Errorf("%s: %d tensors, want 82", test.file, len(tensors))
		}
		widths, err := TorchWidths(test.file, tensors)
		if err != nil || !reflect.DeepEqual(widths, test.widths) {
			t.Errorf("%s: widths %v, %v, want %v", test.file, widths, err, test.widths)
		}
		values, sum, abs := 0, 0.0, 0.0
		for _, x := range tensors {
			values += len(x.Data)
			for _, v := range x.Data {
				sum += float64(v)
				abs += math.Abs(float64(v))
			}
		}
		if values != test.values || math.Abs(sum-test.sum) > 1e-6 || math.Abs(abs-test.abs) > 1e-6 {
			t.Errorf("%s: %d values, sum %v, of magnitudes %v; want %d, %v, %v", test.file, values, sum, abs, test.values, test.sum, test.abs)
		}
		if got := tensors["encoder.layer3.0.conv2.weight"].Data[:3]; !reflect.DeepEqual(got, test.three) {
			t.Errorf("%s: layer 3's second convolution starts %v, want %v", test.file, got, test.three)
		}
	}
}

func TestWidthsRefuses(t *testing.T) {
	conv := func(i int) string { return fmt.Sprintf("encoder.layer%d.0.conv1.weight", i) }
	broken := map[string]*tensor.Tensor{conv(1): tensor.New(8, 3, 3, 3), conv(2): tensor.New(16, 9, 3, 3)}
	for _, test := range []struct {
		tensors map[string]*tensor.Tensor
		want    string
	}{
		{map[string]*tensor.Tensor{"a": nil, "b": nil, "c": nil, "d": nil, "e": nil},
			"w.pth: no tensor encoder.layer1.0.conv1.weight: not a ResNet-12 of the reference implementation? It has a, b, c and 2 more"},
		{broken, "w.pth: tensor encoder.layer2.0.conv1.weight has shape [16 9 3 3], want [width 8 3 3]: not a ResNet-12 of the reference implementation?"},
	} {
		if _, err := TorchWidths("w.pth", test.tensors); err == nil || err.Error() != test.want {
			t.Errorf("error %v, want %s", err, test.want)
		}
	}
}
