package weights

import (
	"fmt"
	"testing"

	"github.com/deepemd/deepemd/internal/tensor"
)

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
		{"b", []int{3, 2}, "weights.safetensors: tensor b has shape [2 3], want [3 2]: not a small file?"},
		{"b", []int{6}, "weights.safetensors: tensor b has shape [2 3], want [6]: not a small file?"},
		{"x", []int{6}, "weights.safetensors: no tensor x among its 4: not a small file?"},
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
		Meta:    Meta{Name: "resnet12-s"},
		Tensors: map[string]*tensor.Tensor{"encoder.layer3.0.conv1.weight": tensor.New(320, 160, 3, 3)},
	}
	_, err := f.Tensor("encoder.layer3.0.conv1.weight", 160, 80, 3, 3)
	fmt.Println(err)
	// Output: weights.safetensors: tensor encoder.layer3.0.conv1.weight has shape [320 160 3 3], want [160 80 3 3]: not a resnet12-s file?
}
