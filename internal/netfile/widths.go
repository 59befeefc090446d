package netfile

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/deepemd/deepemd/internal/tensor"
)

// Widths returns the channels of the four blocks of a ResNet-12, read off the
// shapes of its first convolutions, encoder.layer{1..4}.0.conv1.weight
// [width, previous width, 3, 3].
//
// # Errors
//
// A convolution that is absent or does not continue the one before it.
func TorchWidths(name string, tensors map[string]*tensor.Tensor) ([]int, error) {
	widths := make([]int, 4)
	previous := 3 // red, green, blue
	for i := range widths {
		conv := fmt.Sprintf("encoder.layer%d.0.conv1.weight", i+1)
		t, ok := tensors[conv]
		if !ok {
			return nil, fmt.Errorf("%s: no tensor %s: not a ResNet-12 of the reference implementation? It has %s", name, conv, someTensors(tensors))
		}
		if !t.HasShape(-1, previous, 3, 3) {
			return nil, fmt.Errorf("%s: tensor %s has shape %v, want [width %d 3 3]: not a ResNet-12 of the reference implementation?", name, conv, t.Shape, previous)
		}
		previous = t.Shape[0]
		widths[i] = previous
	}
	return widths, nil
}

// some names a few tensors.
func someTensors(tensors map[string]*tensor.Tensor) string {
	names := slices.Sorted(maps.Keys(tensors))
	if len(names) > 3 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:3], ", "), len(names)-3)
	}
	return strings.Join(names, ", ")
}
