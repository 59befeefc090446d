package backbone

import (
	"fmt"

	"github.com/deepemd/deepemd/core/weights"
	core "github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/tensor"
	"github.com/deepemd/deepemd/trainer/internal/device"
)

// Encoder is a network in inference on a device for training. It implements embed.Encoder.
type Encoder struct {
	net  *Network
	meta weights.Meta
	// input has the size of all passes with images of one size: another would take new maps, and new
	// trials of the convolutions' algorithms. A smaller last one is padded with zeros.
	input *tensor.Tensor
}

// Limits of a pass: a card is busy with passImages small images, and has memory for passPixels.
const (
	passImages = 64
	passPixels = passImages * 96 * 96
)

// NewEncoder returns the network in a file on a device. It returns the errors of [Of], [Plan.Check]
// and [Network.Import].
func NewEncoder(f *weights.File, on device.Device) (*Encoder, error) {
	plan, err := Of(f)
	if err != nil {
		return nil, err
	}
	net, err := plan.Build(0, Options{Device: on})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Source, err)
	}
	for _, bn := range net.Norms() {
		bn.Frozen = true
	}
	return &Encoder{net: net, meta: f.Meta}, net.Import(f.Widened())
}

// Device returns the device.
func (e *Encoder) Device() device.Device { return e.net.Device() }

// Meta implements embed.Encoder.
func (e *Encoder) Meta() weights.Meta { return e.meta }

// Batch implements embed.Batcher.
func (e *Encoder) Batch() int { return passImages }

// Forward implements embed.Encoder.
func (e *Encoder) Forward(batch *tensor.Tensor) (*tensor.Tensor, error) {
	if !batch.HasShape(-1, -1, -1, 3) || batch.Shape[0] == 0 {
		return nil, fmt.Errorf("batch of images has shape %v, want [N H W 3]", batch.Shape)
	}
	n, h, w := batch.Shape[0], batch.Shape[1], batch.Shape[2]
	if min(h, w) < core.MinSize {
		return nil, fmt.Errorf("images of %d×%d pixels: a ResNet-12 needs at least %d×%d", w, h, core.MinSize, core.MinSize)
	}
	size := max(1, min(n, passPixels/(h*w)))
	if e.input == nil || !e.input.HasShape(-1, h, w, 3) || e.input.Shape[0] < size {
		e.input = tensor.New(size, h, w, 3)
	}
	size = e.input.Shape[0]
	var features []float32
	shape := []int{n, 0, 0, 0}
	for from := 0; from < n; from += size {
		count := min(size, n-from)
		used := copy(e.input.Data, batch.Data[from*h*w*3:(from+count)*h*w*3])
		clear(e.input.Data[used:])
		maps := e.net.Forward(e.input)
		if err := e.Device().Err(); err != nil {
			return nil, err
		}
		t := maps.Tensor()
		copy(shape[1:], t.Shape[1:])
		features = append(features, t.Data[:len(t.Data)/size*count]...)
	}
	return tensor.Of(features, shape...), nil
}
