package embed

import (
	"github.com/deepemd/deepemd/core/tensor"
	"github.com/deepemd/deepemd/core/weights"
)

// Encoder is a fully convolutional network, such as *resnet.Network.
type Encoder interface {
	// Forward maps normalised images, [N, H, W, 3], to feature maps,
	// [N, h, w, C]. The result is valid until the next call.
	Forward(batch *tensor.Tensor) (*tensor.Tensor, error)

	// Meta says what the network was trained on and how images must reach it.
	Meta() weights.Meta
}
