package backbone_test

import (
	"math"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/networktest"
	"github.com/deepemd/deepemd/trainer/training/backbone"
)

// TestGradientsAreThoseOfPyTorch holds the gradients of all weights to what autograd says
// of the same networks and pictures.
func TestGradientsAreThoseOfPyTorch(t *testing.T) {
	for _, g := range networktest.Gradients() {
		var f *weights.File
		switch channels := g.Upstream[3]; {
		case channels == 128:
			positions := "offset"
			if strings.Contains(g.Name, "4 registers") {
				positions = "antialias"
			}
			f = g.File("vit", []int{128}, map[string]string{"heads": "2", "positions": positions})
		default:
			f = g.File("resnet", []int{channels / 8, channels / 4, channels / 2, channels}, nil)
		}
		plan, err := backbone.Of(f)
		if err != nil {
			t.Fatal(err)
		}
		n, err := plan.Build(1, backbone.Options{Threads: 2})
		if err != nil {
			t.Fatal(err)
		}
		if err := backbone.Import(n, f); err != nil {
			t.Fatal(err)
		}
		features, factors := n.Forward(g.Batch(), nil).Tensor(), g.Factors()
		loss, size := 0.0, 0.0
		for i, v := range features.Data {
			loss += float64(v) * float64(factors.Data[i])
			size += float64(v) * float64(v)
		}
		if math.Abs(loss-g.Loss) > 1e-3*math.Sqrt(size) {
			t.Errorf("%s: the loss is %g, want %g", g.Name, loss, g.Loss)
		}
		n.Backward(factors.Data)
		params := n.Params()
		if len(params) != len(g.Gradients) {
			t.Errorf("%s: %d weights, want %d", g.Name, len(params), len(g.Gradients))
		}
		for _, p := range params {
			g.Check(t, strings.TrimPrefix(p.Name, "encoder."), p.Export(p.Grad))
		}
	}
}
