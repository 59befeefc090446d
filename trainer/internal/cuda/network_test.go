//go:build linux && (amd64 || arm64) && !nocuda

package cuda

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/deepemd/deepemd/internal/tensor"
	"github.com/deepemd/deepemd/trainer/internal/backbone"
	"github.com/deepemd/deepemd/trainer/internal/device"
)

func noise(r *rand.Rand, shape ...int) *tensor.Tensor {
	t := tensor.New(shape...)
	for i := range t.Data {
		t.Data[i] = float32(r.NormFloat64())
	}
	return t
}

// TestNetwork compares a network's features and gradients with those of the processor, plain and
// blended, after its weights have changed on the host, and with the running statistics.
func TestNetwork(t *testing.T) {
	plan := backbone.Plan{Widths: []int{16, 24, 40, 64}}
	d := open0(t, false)
	card, err := plan.Build(3, backbone.Options{Device: d})
	if err != nil {
		t.Fatal(err)
	}
	host, err := plan.Build(3, backbone.Options{})
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{T: t, d: d, limit: 4e-3} // products in TF32, whose rounding differs between cards
	r := rand.New(rand.NewPCG(1, 5))
	for pass, mix := range []*backbone.Mix{nil, {At: 0, Share: 0.6, Partners: []int{2, 0, 1}}, {At: 2, Share: 0.3, Partners: []int{1, 2, 0}}, nil} {
		for i, bn := range host.Norms() {
			bn.Frozen, card.Norms()[i].Frozen = pass == 3, pass == 3
		}
		images, gradient := noise(r, 3, 36, 36, 3), noise(r, 3, 2, 2, 64)
		var features [2][]float64
		for i, n := range []*backbone.Network{card, host} {
			m := n.Forward(images)
			if mix != nil {
				m = n.ForwardMixed(images, mix)
			}
			features[i] = widened(m.Tensor().Data)
			n.Backward(gradient.Data)
		}
		b.same(fmt.Sprint("features ", pass), features[0], features[1])
		for i, p := range host.Params() {
			b.same(fmt.Sprint(p.Name, " ", pass), b.gradient(card.Params()[i]), widened(p.Export(p.Grad).Data))
		}
		d.do(d.pullStatistics)
		for i, bn := range host.Norms() {
			mean, variance := bn.Running()
			gotMean, gotVariance := card.Norms()[i].Running()
			b.same(bn.Name()+" mean", widened(gotMean.Data), widened(mean.Data))
			b.same(bn.Name()+" variance", widened(gotVariance.Data), widened(variance.Data))
			for j := range variance.Data {
				mean.Data[j], variance.Data[j] = float32(0.1*r.NormFloat64()), float32(0.5+r.Float64())
			}
			for _, n := range []*backbone.Network{card, host} {
				n.Norms()[i].SetRunning(mean, variance)
			}
		}
		for _, n := range []*backbone.Network{card, host} {
			for _, p := range n.Params() {
				changed := p.Export(p.Value)
				for i := range changed.Data {
					changed.Data[i] *= 1.01
				}
				p.Import(changed)
			}
		}
	}
}

// BenchmarkStep times the parts of a training step on a card, in bfloat16.
func BenchmarkStep(b *testing.B) {
	for _, c := range []struct {
		widths      []int
		size, batch int
	}{{[]int{64, 160, 320, 640}, 84, 128}, {[]int{64, 160, 320, 640}, 48, 128}, {[]int{32, 80, 160, 320}, 112, 128}} {
		b.Run(fmt.Sprint(c.widths[3], " wide, ", c.size, " px"), func(b *testing.B) {
			d, err := Open(0, true)
			if err != nil {
				b.Skipf("no card to measure: %v", err)
			}
			card := d.(*Device)
			network, err := backbone.Plan{Widths: c.widths}.Build(1, backbone.Options{Device: d})
			if err != nil {
				b.Fatal(err)
			}
			r := rand.New(rand.NewPCG(1, 2))
			images := noise(r, c.batch, c.size, c.size, 3)
			gradient := noise(r, c.batch, c.size/16, c.size/16, c.widths[3])
			for i := range gradient.Data {
				gradient.Data[i] *= 1e-4
			}
			parts := map[string]time.Duration{}
			var last time.Time
			part := func(name string, wait bool) {
				if wait {
					if err := card.synchronize(); err != nil {
						b.Fatal(err)
					}
				}
				now := time.Now()
				parts[name] += now.Sub(last)
				last = now
			}
			step := func(apart bool) {
				last = time.Now()
				network.Forward(images)
				part("forward", apart)
				network.Backward(gradient.Data)
				part("backward", apart)
				squares, err := card.Squares()
				if err != nil || math.IsNaN(squares) {
					b.Fatal(squares, err)
				}
				part("norm", apart)
				card.Step(device.Update{Rate: 0.01, Scale: 1, Momentum: 0.9, Nesterov: true})
				card.Average(0.99)
				part("update", apart)
			}
			for range 5 {
				step(false)
			}
			clear(parts)
			for b.Loop() {
				step(false)
			}
			if err := card.synchronize(); err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(b.N*c.batch)/b.Elapsed().Seconds(), "images/s")
			clear(parts)
			const times = 10
			for range times {
				step(true)
			}
			for name, took := range parts {
				b.ReportMetric(float64(took.Microseconds())/times/1e3, "ms/"+name)
			}
		})
	}
}
