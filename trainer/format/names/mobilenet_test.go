package names_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/backbone"
	"github.com/deepemd/deepemd/core/tensor"
	"github.com/deepemd/deepemd/internal/networktest"
	"github.com/deepemd/deepemd/trainer/format/names"
)

func TestFindMobileNet(t *testing.T) {
	tensors := map[string]*tensor.Tensor{"classifier.0.weight": tensor.New(10, 40), "features.0.1.num_batches_tracked": tensor.New(1)}
	for name, t := range networktest.MobileNet().Tensors {
		tensors[strings.TrimPrefix(name, "encoder.")] = t
	}
	f, err := names.Find(tensors)
	if err != nil || f == nil {
		t.Fatalf("%v, %v", f, err)
	}
	if want := []string{"classifier.0.weight", "features.0.1.num_batches_tracked"}; !slices.Equal(f.Left, want) {
		t.Errorf("left %q, want %q", f.Left, want)
	}
	if f.InputSize != 160 || f.Program != "a MobileNetV3 of torchvision" {
		t.Errorf("%s of %d pixels", f.Program, f.InputSize)
	}
	if _, err := backbone.New(file(f), backbone.Options{}); err != nil {
		t.Error(err)
	}
	again, err := names.Find(f.Tensors)
	if err != nil || len(again.Tensors) != len(f.Tensors) || len(again.Left) > 0 {
		t.Errorf("found again: %v, %v", again, err)
	}
	delete(tensors, "features.12.0.weight")
	if f, err := names.Find(tensors); err == nil || !strings.Contains(err.Error(), "no tensor features.12.0.weight") {
		t.Errorf("got %v, %v: want an error that names the last convolution", f, err)
	}
}
