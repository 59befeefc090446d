package networktest

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/tensor"
)

// Full holds the widths of the reference's ResNet-12.
var Full = []int{64, 160, 320, 640}

// ResNet12 returns weights of a ResNet-12 of the given widths that keep the
// activations at the scale of the input: He-normal filters, and normalizations
// near the identity. The same seed gives the same weights.
func ResNet12(widths []int, size int, seed uint64) *weights.File {
	r := rand.New(rand.NewPCG(seed, 0))
	f := &weights.File{
		Source: fmt.Sprintf("random weights (seed %d)", seed),
		Meta: weights.Meta{
			Arch: backbone.ArchResNet12, Name: "random", Widths: widths, InputSize: size,
			Mean: [3]float32{0.5, 0.5, 0.5}, Std: [3]float32{0.25, 0.25, 0.25}, TrainedOn: "nothing",
		},
		Tensors: map[string]*tensor.Tensor{},
	}
	normal := func(name string, mean, std float64, shape ...int) {
		t := tensor.New(shape...)
		for i := range t.Data {
			t.Data[i] = float32(mean + std*r.NormFloat64())
		}
		f.Tensors[name] = t
	}
	in := 3
	for i, out := range widths {
		prefix := fmt.Sprintf("encoder.layer%d.0.", i+1)
		conv := func(conv, norm string, in, k int) {
			normal(prefix+conv+".weight", 0, math.Sqrt(1/float64(k*k*in)), out, in, k, k)
			normal(prefix+norm+".weight", 1, 0.05, out)
			normal(prefix+norm+".bias", 0, 0.05, out)
			normal(prefix+norm+".running_mean", 0, 0.05, out)
			normal(prefix+norm+".running_var", 1, 0.02, out)
		}
		conv("conv1", "bn1", in, 3)
		conv("conv2", "bn2", out, 3)
		conv("conv3", "bn3", out, 3)
		conv("downsample.0", "downsample.1", in, 1)
		in = out
	}
	return f
}

// Pictures returns a batch of n images of random pixels, [n, size, size, 3].
func Pictures(n, size int, seed uint64) *tensor.Tensor {
	r := rand.New(rand.NewPCG(seed, 1))
	t := tensor.New(n, size, size, 3)
	for i := range t.Data {
		t.Data[i] = float32(r.NormFloat64())
	}
	return t
}
