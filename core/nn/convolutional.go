package nn

import (
	"fmt"

	"github.com/deepemd/deepemd/core/tensor"
)

// together is the number of pictures that go through a network at a time: enough to read
// its filters once for many, few enough that the maps stay small.
const together = 8

// widest is what the first convolution reaches on either side, of 7×7 at most.
const widest = 3

// Convolutional is what convolutional networks share around their layers: a batch is cut
// into some pictures at a time, which become a map, and the last map becomes the result.
// It is not safe for concurrent use.
type Convolutional struct {
	Name      string // for people: "a ResNet"
	Stride    int    // pixels of a picture between positions of the last map, ⌈side/Stride⌉
	Channels  int    // of the last map
	Equipment Context
	// Layers passes a map through all layers, and shows those that BlockOutputs returns.
	Layers func(c *Context, input *Map, show func(*Map)) *Map

	input  *Map
	output *tensor.Tensor
}

// Forward computes the last feature map of each picture: batch [N, H, W, 3], normalised,
// gives [N, ⌈H/Stride⌉, ⌈W/Stride⌉, Channels]. The result is valid until the next call.
//
// # Errors
//
// A batch of another shape, or of pictures of fewer than Stride pixels.
func (n *Convolutional) Forward(batch *tensor.Tensor) (*tensor.Tensor, error) {
	if err := n.check(batch); err != nil {
		return nil, err
	}
	count, h, w := batch.Shape[0], batch.Shape[1], batch.Shape[2]
	rows, columns := (h+n.Stride-1)/n.Stride, (w+n.Stride-1)/n.Stride
	if n.output == nil || !n.output.HasShape(count, rows, columns, n.Channels) {
		n.output = tensor.New(count, rows, columns, n.Channels)
	}
	for from := 0; from < count; from += together {
		size := min(together, count-from)
		maps := n.run(tensor.Of(batch.Data[from*h*w*3:(from+size)*h*w*3], size, h, w, 3), func(*Map) {})
		maps.Store(n.output.Data[from*len(n.output.Data)/count:])
	}
	return n.output, nil
}

// BlockOutputs computes what leaves the first layers and then each block: tensors
// [N, h, w, C]. Errors are those of Forward.
func (n *Convolutional) BlockOutputs(batch *tensor.Tensor) ([]*tensor.Tensor, error) {
	if err := n.check(batch); err != nil {
		return nil, err
	}
	var outputs []*tensor.Tensor
	n.run(batch, func(m *Map) { outputs = append(outputs, m.Tensor()) })
	return outputs, nil
}

// Kernels is the name of the kernels that the network runs on.
func (n *Convolutional) Kernels() string { return n.Equipment.Kernels.Name() }

func (n *Convolutional) run(batch *tensor.Tensor, show func(*Map)) *Map {
	count, h, w := batch.Shape[0], batch.Shape[1], batch.Shape[2]
	if n.input == nil || !n.input.like(count, h, w) {
		n.input = newMap(count, h, w, 3, 3, widest)
	}
	n.input.Load(batch.Data)
	return n.Layers(&n.Equipment, n.input, show)
}

func (n *Convolutional) check(batch *tensor.Tensor) error {
	if !batch.HasShape(-1, -1, -1, 3) || batch.Shape[0] == 0 {
		return fmt.Errorf("batch of pictures has shape %v, want [N H W 3]", batch.Shape)
	}
	if batch.Shape[1] < n.Stride || batch.Shape[2] < n.Stride {
		return fmt.Errorf("pictures of %d×%d pixels: %s needs at least %d×%d", batch.Shape[2], batch.Shape[1], n.Name, n.Stride, n.Stride)
	}
	return nil
}
