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

// TestResNetRefuses: an incomplete network gives an error that names the file and the problem.
func TestResNetRefuses(t *testing.T) {
	drop := func(name string) func(*weights.File) {
		return func(f *weights.File) { delete(f.Tensors, "encoder."+name) }
	}
	for want, spoil := range map[string]func(f *weights.File){
		"no tensor encoder.conv1.weight": drop("conv1.weight"),
		"layer2.1.bn2.running_var":       drop("layer2.1.bn2.running_var"),
		"layer3.0.downsample.0.weight":   drop("layer3.0.downsample.0.weight"),
		"layer4.0.conv1.weight":          drop("layer4.0.conv1.weight"),
		"layer2.1.conv1.weight has shape": func(f *weights.File) {
			f.Tensors["encoder.layer2.1.conv1.weight"] = tensor.New(16, 24, 3, 3)
		},
		"layer1.0.conv1.weight has shape [0 16 3 3] and no values": func(f *weights.File) {
			f.Tensors["encoder.layer1.0.conv1.weight"] = tensor.New(0, 16, 3, 3)
		},
		"negative variance -1":                      func(f *weights.File) { f.Tensors["encoder.bn1.running_var"].Data[3] = -1 },
		"the last block of stage 3 has 32 channels": func(f *weights.File) { f.Meta.Widths[2] = 64 },
		"want those of one to 4 stages":             func(f *weights.File) { f.Meta.Widths = append(f.Meta.Widths, 64) },
		"widths [], want those":                     func(f *weights.File) { f.Meta.Widths = nil },
	} {
		f := networktest.Residual(true)
		spoil(f)
		n, err := backbone.New(f, backbone.Options{})
		if err == nil || n != nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), f.Source) {
			t.Errorf("got %v: want an error that names the file and says %q", err, want)
		}
	}
	n := require.Value(backbone.New(networktest.Residual(false), backbone.Options{}))(t)
	refuses(t, n, []int{0, 64, 64, 3}, []int{1, 64, 64, 1}, []int{1, 31, 64, 3})
}
