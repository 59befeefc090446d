package backbone

import (
	"fmt"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/nn"
	"github.com/deepemd/deepemd/internal/tensor"
)

// convolutional is a convolutional network. It processes a batch in groups of images.
type convolutional struct {
	meta     weights.Meta
	name     string // for error messages
	stride   int    // input pixels between positions of the last map
	floor    bool   // the last map has ⌊side/stride⌋ instead of ⌈side/stride⌉ positions
	channels int
	together int // images per group: enough to reuse filters, few enough to keep maps small
	ctx      nn.Context

	// layers computes all layers, and calls show with the outputs of the blocks.
	layers func(c *nn.Context, input *nn.Map, show func(*nn.Map)) *nn.Map

	input  *nn.Map
	output *tensor.Tensor
}

// Meta implements Network.
func (n *convolutional) Meta() weights.Meta { return n.meta }

// Channels implements Network.
func (n *convolutional) Channels() int { return n.channels }

// Forward implements Network. It rejects images smaller than stride pixels.
func (n *convolutional) Forward(batch *tensor.Tensor) (*tensor.Tensor, error) {
	if err := n.check(batch); err != nil {
		return nil, err
	}
	count, h, w := batch.Shape[0], batch.Shape[1], batch.Shape[2]
	n.reserve(count, n.positions(h), n.positions(w))
	for from := 0; from < count; from += n.together {
		size := min(n.together, count-from)
		maps := n.run(tensor.Of(batch.Data[from*h*w*3:(from+size)*h*w*3], size, h, w, 3), func(*nn.Map) {})
		maps.Store(n.output.Data[from*len(n.output.Data)/count:])
	}
	return n.output, nil
}

func (n *convolutional) positions(side int) int {
	if n.floor {
		return side / n.stride
	}
	return (side + n.stride - 1) / n.stride
}

// reserve resizes n.output to [count, h, w, C].
func (n *convolutional) reserve(count, h, w int) {
	size := count * h * w * n.channels
	if n.output == nil || cap(n.output.Data) < size {
		n.output = tensor.New(count, h, w, n.channels)
	} else if !n.output.HasShape(count, h, w, n.channels) {
		n.output = tensor.Of(n.output.Data[:size], count, h, w, n.channels)
	}
}

// BlockOutputs implements Network: tensors [N, h, w, C].
func (n *convolutional) BlockOutputs(batch *tensor.Tensor) ([]*tensor.Tensor, error) {
	if err := n.check(batch); err != nil {
		return nil, err
	}
	var outputs []*tensor.Tensor
	n.run(batch, func(m *nn.Map) { outputs = append(outputs, m.Tensor()) })
	return outputs, nil
}

func (n *convolutional) run(batch *tensor.Tensor, show func(*nn.Map)) *nn.Map {
	count, h, w := batch.Shape[0], batch.Shape[1], batch.Shape[2]
	if n.input == nil || n.input.N != count || n.input.H != h || n.input.W != w {
		n.input = nn.NewInput(count, h, w, 3)
	}
	n.input.Load(batch.Data)
	return n.layers(&n.ctx, n.input, show)
}

func (n *convolutional) check(batch *tensor.Tensor) error {
	if !batch.HasShape(-1, -1, -1, 3) || batch.Shape[0] == 0 {
		return fmt.Errorf("batch of images has shape %v, want [N H W 3]", batch.Shape)
	}
	if batch.Shape[1] < n.stride || batch.Shape[2] < n.stride {
		return fmt.Errorf("images of %d×%d pixels: %s needs at least %d×%d", batch.Shape[2], batch.Shape[1], n.name, n.stride, n.stride)
	}
	return nil
}
