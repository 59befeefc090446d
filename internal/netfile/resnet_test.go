package netfile

import (
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/networktest"
	"github.com/deepemd/deepemd/internal/resnettest"
	"github.com/deepemd/deepemd/internal/tensor"
)

// torchvisions are the tensors of a small ResNet as torchvision saves them, behind a text.
func torchvisions(before string) map[string]*tensor.Tensor {
	tensors := map[string]*tensor.Tensor{before + "fc.weight": tensor.New(10, 48), before + "bn1.num_batches_tracked": tensor.New(1)}
	for name, t := range networktest.Residual(true).Tensors {
		tensors[before+strings.TrimPrefix(name, "encoder.")] = t
	}
	return tensors
}

func TestFindResNet(t *testing.T) {
	for _, before := range []string{"", "module.backbone."} {
		f, err := findNetwork(torchvisions(before))
		if err != nil || f == nil {
			t.Fatalf("%q: %v, %v", before, f, err)
		}
		if want := []string{before + "bn1.num_batches_tracked", before + "fc.weight"}; !slices.Equal(f.Left, want) {
			t.Errorf("left %q, want %q", f.Left, want)
		}
		if f.InputSize != 160 || f.Program != "a ResNet of torchvision" {
			t.Errorf("%s of %d pixels", f.Program, f.InputSize)
		}
		if _, err := backbone.New(file(f), backbone.Options{}); err != nil {
			t.Error(err)
		}
		again, err := findNetwork(f.Tensors)
		if err != nil || len(again.Tensors) != len(f.Tensors) || len(again.Left) > 0 {
			t.Errorf("found again: %v, %v", again, err)
		}
	}
	// A ResNet-12 of the reference implementation is no such network.
	if f, err := findNetwork(resnettest.Weights([]int{4, 4, 4, 4}, 16, 1).Tensors); f != nil || err != nil {
		t.Errorf("a ResNet-12 is %v, %v", f, err)
	}
	for want, spoil := range map[string]func(tensors map[string]*tensor.Tensor){
		"shape [16 3 3 3], want [channels 3 7 7]": func(t map[string]*tensor.Tensor) { t["conv1.weight"] = tensor.New(16, 3, 3, 3) },
		"no tensor layer3.0.conv1.weight":         func(t map[string]*tensor.Tensor) { delete(t, "layer3.0.conv1.weight") },
		"no tensor layer2.0.conv2.weight":         func(t map[string]*tensor.Tensor) { delete(t, "layer2.0.conv2.weight") },
	} {
		tensors := torchvisions("")
		spoil(tensors)
		if f, err := findNetwork(tensors); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, %v: want an error that says %q", f, err, want)
		}
	}
}
