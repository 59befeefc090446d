package backbone_test

import (
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/networktest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/tensor"
)

// TestMobileNetRefuses: an incomplete network gives an error that names the file and the problem.
func TestMobileNetRefuses(t *testing.T) {
	drop := func(name string) func(*weights.File) {
		return func(f *weights.File) { delete(f.Tensors, "encoder.features."+name) }
	}
	for want, spoil := range map[string]func(f *weights.File){
		"0 blocks: MobileNetV2 has 17": drop("1.block.0.0.weight"),
		"10 blocks before the last convolution": func(f *weights.File) {
			delete(f.Tensors, "encoder.features.11.block.0.0.weight")
			f.Tensors["encoder.features.11.0.weight"] = f.Tensors["encoder.features.12.0.weight"]
		},
		"features.0.0.weight":               drop("0.0.weight"),
		"features.4.block.1.1.running_mean": drop("4.block.1.1.running_mean"),
		"features.4.block.2.fc2.bias":       drop("4.block.2.fc2.bias"),
		"features.6.block.3.0.weight":       drop("6.block.3.0.weight"),
		"filters of 4×4, want 3×3 or 5×5": func(f *weights.File) {
			f.Tensors["encoder.features.2.block.1.0.weight"] = tensor.New(24, 1, 4, 4)
		},
		"widths [40] of a network of 16 channels": drop("12.0.weight"),
		"widths [64] of a network of 40 channels": func(f *weights.File) { f.Meta.Widths = []int{64} },
		"negative variance":                       func(f *weights.File) { f.Tensors["encoder.features.0.1.running_var"].Data[3] = -1 },
	} {
		f := networktest.MobileNet()
		spoil(f)
		n, err := backbone.New(f, backbone.Options{})
		if err == nil || n != nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), f.Source) {
			t.Errorf("got %v: want an error that names the file and says %q", err, want)
		}
	}
	n := require.Value(backbone.New(networktest.MobileNet(), backbone.Options{}))(t)
	refuses(t, n, []int{0, 64, 64, 3}, []int{1, 64, 64, 1}, []int{1, 31, 64, 3})
}
