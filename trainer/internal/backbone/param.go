package backbone

import "github.com/deepemd/deepemd/internal/tensor"

// Param is a set of weights that an optimizer changes. Value and Grad have the
// layer's own order, padding included; padding is zero and stays zero.
type Param struct {
	Name        string // of the reference's state dict: encoder.layer1.0.conv1.weight
	Value, Grad []float32
	Decay       bool // whether weight decay applies: not to normalisations and biases

	// Changed is called after Value was changed; nil if nobody needs to know.
	Changed func()
	// Export returns the weights without padding in the reference's order, and
	// Import takes them.
	Export func(values []float32) *tensor.Tensor
	Import func(values []float32, from *tensor.Tensor)
}
