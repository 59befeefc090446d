package embed

import (
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/tensor"
)

// Encoder is a fully convolutional network, such as a backbone.Network.
type Encoder interface {
	// Forward maps normalised images, [N, H, W, 3], to feature maps,
	// [N, h, w, C]. The result is valid until the next call.
	Forward(batch *tensor.Tensor) (*tensor.Tensor, error)

	// Meta says what the network was trained on and how images must reach it.
	Meta() weights.Meta
}

// Summarizer is an Encoder that says something of each picture as a whole, as a vision
// transformer's class token does.
type Summarizer interface {
	// Summaries returns what the latest Forward says of its pictures, [N, C], valid until
	// the next call; nil for a network that says nothing.
	Summaries() *tensor.Tensor
}
