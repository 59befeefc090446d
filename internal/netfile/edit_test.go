package netfile

import (
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/networktest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/tensor"
)

// outputs returns the outputs of a network's blocks.
type outputs interface {
	backbone.Network
	BlockOutputs(batch *tensor.Tensor) ([]*tensor.Tensor, error)
}

// TestCut: the output of a stage or block of the complete network is the output of the network that
// ends there, and that network is recognized.
func TestCut(t *testing.T) {
	picture := networktest.Pictures(1, 112, 1)
	run := func(f *namedNetwork) (outputs, []*tensor.Tensor) {
		n := require.Value(backbone.New(file(f), backbone.Options{Threads: 1}))(t)
		o, ok := n.(outputs)
		if !ok {
			t.Fatalf("%T has no BlockOutputs", n)
		}
		all := require.Value(o.BlockOutputs(picture))(t)
		return o, all
	}
	find := func(tensors map[string]*tensor.Tensor) *namedNetwork {
		f := require.Value(findNetwork(tensors))(t)
		return f
	}
	for _, test := range []struct {
		network *weights.File
		parts   int
		last    int
		output  int
		side    int
		err     string
	}{
		{networktest.Residual(true), 4, 1, 1, 28, "a ResNet of torchvision has 4 stages, and no stage 5"},
		{networktest.Residual(false), 4, 2, 3, 14, "has 4 stages, and no stage 5"},
		{networktest.MobileNet(), 11, 3, 3, 14, "a MobileNetV3 of torchvision has 11 blocks, and no block 12"},
		{networktest.MobileNet(), 11, 11, 11, 4, "and no block 12"}, // the last convolution stays
		{networktest.FirstMobileNet(), 13, 3, 3, 28, "a MobileNet v1 of TensorFlow has 13 blocks, and no block 14"},
		{networktest.Transformer(), 2, 1, 0, 8, "a vision transformer of DINOv2 or timm has 2 blocks, and no block 3"},
	} {
		_, whole := run(find(test.network.Tensors))
		f := find(test.network.Tensors)
		before := len(f.Tensors)
		require.NoError(t, f.cut(test.last))
		if less := len(f.Tensors) < before; less != (test.last < test.parts) {
			t.Errorf("%s until %d: %d of %d tensors are left", test.network.Source, test.last, len(f.Tensors), before)
		}
		f = find(f.Tensors)
		n, all := run(f)
		if !slices.Equal(all[test.output].Data, whole[test.output].Data) {
			t.Errorf("%s until %d: another map", test.network.Source, test.last)
		}
		maps, err := n.Forward(picture)
		if err != nil || !maps.HasShape(1, test.side, test.side, f.Widths[len(f.Widths)-1]) {
			t.Errorf("%s until %d: maps %v, error %v", test.network.Source, test.last, maps.Shape, err)
		}
		for _, last := range []int{-1, 0} {
			if err := find(test.network.Tensors).cut(last); err == nil {
				t.Errorf("%s until %d: no error", test.network.Source, last)
			}
		}
		if err := find(test.network.Tensors).cut(test.parts + 1); err == nil || !strings.Contains(err.Error(), test.err) {
			t.Errorf("error %v, want one that says %q", err, test.err)
		}
	}
}
