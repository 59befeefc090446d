package backbone_test

import (
	"fmt"
	"testing"

	"github.com/deepemd/deepemd/internal/resnettest"
	"github.com/deepemd/deepemd/trainer/training/backbone"
)

// BenchmarkStep is a forward and a backward pass of the networks that the recipes have.
func BenchmarkStep(b *testing.B) {
	resnet18 := backbone.Architecture{Arch: "resnet", Widths: []int{64, 128, 256, 512}, Blocks: []int{2, 2, 2, 2}}
	vit := backbone.Architecture{Arch: "vit", Widths: []int{192}, Heads: 3, Depth: 6, Patch: 8, Places: 8}
	const batch = 64
	for _, c := range []struct {
		name  string
		net   backbone.Architecture
		sizes []int
	}{{"resnet18", resnet18, []int{64, 96}}, {"vit-ti", vit, []int{32, 48, 64}}} {
		for _, size := range c.sizes {
			b.Run(fmt.Sprintf("%s/px=%d", c.name, size), func(b *testing.B) {
				plan, err := c.net.Plan()
				if err != nil {
					b.Fatal(err)
				}
				n, err := plan.Build(1, backbone.Options{})
				if err != nil {
					b.Fatal(err)
				}
				pictures := resnettest.Pictures(batch, size, 1)
				for b.Loop() {
					n.Backward(n.Forward(pictures, nil).Tensor().Data)
					for _, p := range n.Params() {
						if p.Changed != nil {
							p.Changed()
						}
					}
				}
				b.ReportMetric(float64(batch)*float64(b.N)/b.Elapsed().Seconds(), "img/s")
			})
		}
	}
}
