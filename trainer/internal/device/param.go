package device

import (
	"math"
	"math/rand/v2"

	"github.com/deepemd/deepemd/internal/kernel"
	"github.com/deepemd/deepemd/internal/nn"
	"github.com/deepemd/deepemd/internal/tensor"
)

// Param is a weight tensor that an optimizer changes. Value and Grad have the layer's own order and
// padding; the padding is zero and stays zero.
type Param struct {
	Name        string // in the reference's state dict: encoder.layer1.0.conv1.weight
	Value, Grad []float32
	Decay       bool   // whether weight decay applies: not to normalizations and biases
	Changed     func() // called after Value has changed

	shape []int           // of the tensor in the reference's order, without padding
	at    func(i int) int // the place of the tensor's i-th value in Value
}

// newParam returns a parameter of zeros that stores size values.
func newParam(name string, size int, at func(i int) int, shape ...int) Param {
	return Param{Name: name, Value: make([]float32, size), Grad: make([]float32, size), Changed: func() {}, shape: shape, at: at}
}

// NewVector returns a parameter of one value per channel, without weight decay.
func NewVector(name string, c int) Param {
	return newParam(name, kernel.Pad(c), func(i int) int { return i }, c)
}

// NewMatrix returns the weights [cout, cin] of a fully connected layer, which it stores transposed.
func NewMatrix(name string, cin, cout int) Param {
	out := kernel.Pad(cout)
	p := newParam(name, kernel.Pad(cin)*out, func(i int) int { return i%cin*out + i/cin }, cout, cin)
	p.Decay = true
	return p
}

// NewFilters returns He-normal weights of a k×k convolution, [cout, cin, k, k], which it stores as
// [k·k, cin, cout]. Both numbers of channels are padded. first is set for the convolutions of the
// network's input, whose few channels are not: they pad k·k·cin.
func NewFilters(name string, first bool, k, cin, cout int, r *rand.Rand) *Param {
	taps, in, out := k*k, kernel.Pad(cin), kernel.Pad(cout)
	terms := taps * in
	if first {
		in, terms = cin, kernel.Pad(taps*cin)
	}
	p := newParam(name, terms*out, func(i int) int { return (i%taps*in+i/taps%cin)*out + i/taps/cin }, cout, cin, k, k)
	p.Decay = true
	// The standard deviation of He et al., "Delving Deep into Rectifiers" (2015), for a leaky ReLU, from
	// the number of outputs that depend on an input value (fan out), as in the reference.
	std := math.Sqrt(2/(1+nn.LeakySlope*nn.LeakySlope)) / math.Sqrt(float64(taps*cout))
	p.Draw(func() float32 { return float32(std * r.NormFloat64()) })
	return &p
}

// Shape returns the shape of the tensor.
func (p *Param) Shape() []int { return p.shape }

// Export returns values, which are stored like Value, as a tensor without padding.
func (p *Param) Export(values []float32) *tensor.Tensor {
	t := tensor.New(p.shape...)
	for i := range t.Data {
		t.Data[i] = values[p.at(i)]
	}
	return t
}

// Store is the reverse of Export: it sets values from a tensor.
func (p *Param) Store(values []float32, from *tensor.Tensor) {
	for i, v := range from.Data {
		values[p.at(i)] = v
	}
}

// Import sets Value from a tensor of the same shape.
func (p *Param) Import(from *tensor.Tensor) {
	from.MustShape(p.Name, p.shape...)
	p.Store(p.Value, from)
	p.Changed()
}

// Draw sets the values in the order of the tensor.
func (p *Param) Draw(next func() float32) {
	t := tensor.New(p.shape...)
	for i := range t.Data {
		t.Data[i] = next()
	}
	p.Import(t)
}
