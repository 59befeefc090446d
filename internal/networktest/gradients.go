package networktest

import (
	"encoding/json"
	"fmt"
	"math"
	"testing"

	"github.com/deepemd/deepemd/core/tensor"
	"github.com/deepemd/deepemd/core/weights"
)

// Gradient is what PyTorch's autograd says of a network: the gradients of all weights of a
// loss, the sum of the features of some pictures, each times an upstream number.
type Gradient struct {
	Name               string
	Tensors            map[string][]int // shapes by name
	Pictures, Upstream []int            // shapes: [N, H, W, 3], and of the features
	Loss               float64
	Gradients          map[string]Output
}

// Gradients are those of ResNets with basic blocks and with bottlenecks, and of vision
// transformers with LayerScale, with registers or without.
func Gradients() []Gradient {
	raw, err := files.ReadFile("testdata/gradients.json")
	if err != nil {
		panic(err) // it is embedded
	}
	var all []Gradient
	if err := json.Unmarshal(raw, &all); err != nil {
		panic(fmt.Sprintf("networktest: gradients: %v", err))
	}
	return all
}

// File holds the network, with the facts that its tensors do not say.
func (g *Gradient) File(arch string, widths []int, extra map[string]string) *weights.File {
	r := Reference{Tensors: g.Tensors}
	return r.file(arch, widths, g.Pictures[1], extra)
}

// Batch is the pictures.
func (g *Gradient) Batch() *tensor.Tensor { return madeUp("picture_tokens", g.Pictures) }

// Factors are the upstream numbers.
func (g *Gradient) Factors() *tensor.Tensor { return madeUp("upstream_tokens", g.Upstream) }

func madeUp(name string, shape []int) *tensor.Tensor {
	r := Reference{Tensors: map[string][]int{name: shape}}
	return r.Weights()[name]
}

// Check fails unless the gradient of a weight, in PyTorch's order, is the reference's
// within a thousandth of its root mean square.
func (g *Gradient) Check(t testing.TB, name string, got *tensor.Tensor) {
	t.Helper()
	want, ok := g.Gradients[name]
	if !ok {
		t.Errorf("%s: no gradient of %s", g.Name, name)
		return
	}
	square := 0.0
	for i, v := range want.Values {
		d := float64(got.Data[i*want.Stride] - v)
		square += d * d
	}
	if off := math.Sqrt(square / float64(len(want.Values))); !(off <= 1e-3*want.RMS) {
		t.Errorf("%s: the gradient of %s is off by %g of a root mean square of %g", g.Name, name, off, want.RMS)
	}
}
