// Package device is the seam between the layers of a ResNet-12 in training and the kernels that
// compute them. A [Device] is one of three: the processor in float32 ([NewFloat32]), the processor
// in mixed precision ([NewBFloat16]), or an NVIDIA card (package cuda). The layers in
// trainer/internal/backbone know none of them.
package device

import (
	"errors"

	"github.com/deepemd/deepemd/internal/nn"
)

// ErrMemory reports that a device has too little memory.
var ErrMemory = errors.New("out of memory")

// Map is a batch of feature maps in a device's own layout. Only the device that made it can use it.
type Map interface {
	// Size returns the number of images, and the height, width and channels of their maps.
	Size() (n, h, w, c int)
}

// Conv is a k×k convolution (k is 1 or 3) with stride 1, padding k/2 and no bias, in a device's own
// layout.
type Conv interface{ Param() *Param }

// Norm is a batch normalization. It has the statistics of the last map that a convolution wrote for
// it: see [Device.Convolve].
type Norm interface{ State() *BatchNorm }

// Path is a convolution with the gradient of its output.
type Path struct {
	Conv     Conv
	Gradient Map
}

// Device computes the layers. Its operations run in the order of the calls, and some devices run
// them after the call has returned. The maps of an operation are all different. A device keeps
// further maps that it needs, such as the map before the pooling.
type Device interface {
	// Name is the device in messages: cpu, or cuda:0 with the name of the card.
	Name() string

	// Conv returns the convolution by a parameter of shape [cout, cin, k, k]. first is set for the
	// convolutions of the network's input, whose maps come from Images.
	Conv(weight *Param, first bool) Conv
	// Norm returns the normalization that bn describes.
	Norm(bn *BatchNorm) Norm
	// Map returns a map of undefined values.
	Map(n, h, w, c int) Map
	// Images converts a batch of images [n, h, w, 3] to the network's input. The map is valid until
	// the next call.
	Images(images []float32, n, h, w int) Map
	// Features returns a map's values. They are valid until the next call.
	Features(m Map) *nn.Map
	// SetGradient sets a map from the values of a feature map, [n, h, w, c].
	SetGradient(m Map, values []float32)
	// Blend blends every image of a map, which can be that of Images, with a partner, in place:
	// share·x + (1 − share)·partner. partners is a permutation of the images.
	Blend(m Map, share float32, partners []int)

	// Convolve computes out = conv(in), and the statistics of norm from out.
	Convolve(out, in Map, conv Conv, norm Norm)
	// Normalize computes out = leaky(norm(z)).
	Normalize(out, z Map, norm Norm)
	// Join ends a residual block: pooled is the 2×2 maximum of leaky(norm(z) + shortcut(zs)).
	Join(pooled, z, zs Map, norm, shortcut Norm)

	// Split is the backward pass of Join. It sets dz and dzs to the gradients of z and zs, and the
	// gradients of both normalizations' weights, from the gradient of pooled. It follows the Join
	// of the same maps.
	Split(dz, dzs, dpooled, z, zs Map, norm, shortcut Norm)
	// WeightGradient sets the weights' gradients of convolutions of the same input.
	WeightGradient(in Map, paths ...Path)
	// Descend takes the gradient of conv's output back through conv, the leaky ReLU whose output is
	// y, and the normalization of z: it sets dz, and the gradients of the normalization's weights.
	Descend(dz Map, conv Path, y, z Map, norm Norm)
	// Backward sets din to the sum of the gradients of convolutions of the same input.
	Backward(din Map, paths ...Path)

	// Accumulate makes later backward passes add to the gradients of the weights instead of setting
	// them. Devices of the processor ignore it: their callers add.
	Accumulate(on bool)
	// Resident returns the weights' keeper of a device with its own memory, or nil if the weights
	// are [Param.Value] and [Param.Grad].
	Resident() Resident
	// Err returns the first error of a device that can fail.
	Err() error
	// Close frees the memory of a device that has its own, also after an error.
	Close() error
}

// Resident keeps weights, gradients, momentum and averages in a device's memory. The slices of
// [Param] and [BatchNorm] are copies, which [Resident.Pull] brings up to date. After a call of their
// function Changed, and before the next forward pass, the device takes the weights and the running
// statistics from them.
type Resident interface {
	// Memory is the size of the device's memory in bytes.
	Memory() int64
	// Recover forgets an error, for another attempt with less memory.
	Recover()
	// Holds reports whether the device keeps a parameter.
	Holds(p *Param) bool
	// Bind names the copies of momentum and averages, by parameter. averages may be nil.
	Bind(velocity, averages map[*Param][]float32)
	// Pull copies weights, running statistics, momentum and averages to the host, and Push back.
	// Push follows a change of momentum or averages, before the next Pull.
	Pull() error
	Push() error
	// Gradients copies the gradients to the host.
	Gradients() error
	// Squares returns the sum of the squared gradients of the parameters that the device keeps. It
	// waits for all operations.
	Squares() (float64, error)
	// Step updates the weights that the device keeps: see backbone.SGD.
	Step(u Update)
	// MeanPool sets mean [n, 1, 1, c] to the mean of each image's pixels, and Spread is its
	// backward pass: a mean leaves the device's memory sooner than a map.
	MeanPool(mean, m Map)
	Spread(dm, dmean Map)
	// Average moves the averages toward the weights: a ← keep·a + (1 − keep)·w.
	Average(keep float32)
}

// Update are the coefficients of a step of gradient descent. Scale multiplies the gradients, and
// Decay applies to the parameters with [Param.Decay].
type Update struct {
	Rate, Scale, Momentum, Decay float32
	Nesterov                     bool
}

// Holds reports whether a device's memory has a parameter. r may be nil.
func Holds(r Resident, p *Param) bool { return r != nil && r.Holds(p) }
