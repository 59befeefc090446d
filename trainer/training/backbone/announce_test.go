package backbone_test

import (
	"testing"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/networktest"
	"github.com/deepemd/deepemd/internal/resnettest"
	"github.com/deepemd/deepemd/trainer/training/backbone"
	"github.com/deepemd/deepemd/trainer/training/optim"
)

// TestAnnounce: a backward pass announces every weight once, the last layers first, with the
// gradient that it has at the end.
func TestAnnounce(t *testing.T) {
	for name, f := range map[string]*weights.File{
		"resnet12": resnettest.Weights([]int{4, 6, 8, 10}, 32, 1), "resnet": networktest.Residual(true), "vit": networktest.Transformer(),
	} {
		plan, err := backbone.Of(f)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range []backbone.Plan{plan, backbone.Pooled(plan, 1)} {
			n, err := p.Build(1, backbone.Options{Threads: 1})
			if err != nil {
				t.Fatal(err)
			}
			announced := map[*optim.Param]float64{}
			var order []*optim.Param
			n.Announce(func(finished ...*optim.Param) {
				for _, p := range finished {
					if _, twice := announced[p]; twice {
						t.Errorf("%s: %s is announced twice", name, p.Name)
					}
					announced[p] = optim.GradientNorm([]*optim.Param{p}, 1)
					order = append(order, p)
				}
			})
			n.Backward(n.Forward(resnettest.Pictures(2, f.Meta.InputSize, 1), nil).Tensor().Data)
			params := n.Params()
			if len(order) != len(params) {
				t.Fatalf("%s: %d of %d weights are announced", name, len(order), len(params))
			}
			for _, p := range params {
				if norm, ok := announced[p]; !ok || norm != optim.GradientNorm([]*optim.Param{p}, 1) {
					t.Errorf("%s: %s is announced: %v, and its gradient changes later", name, p.Name, ok)
				}
			}
			if announcedLast := order[len(order)-1]; announcedLast == params[len(params)-1] {
				t.Errorf("%s: the last layer is announced last", name)
			}
		}
	}
}
