package residual

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/deepemd/deepemd/core/backbone"
	"github.com/deepemd/deepemd/core/tensor"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/networktest"
	"github.com/deepemd/deepemd/internal/resnettest"
	"github.com/deepemd/deepemd/trainer/training/internal/gradienttest"
	"github.com/deepemd/deepemd/trainer/training/internal/layer"
)

// plans are of basic blocks, of one with a bottleneck, and of channels that fill no vector.
func plans(t *testing.T) map[string]Plan {
	t.Helper()
	all := map[string]Plan{}
	var err error
	if all["basic"], err = Basic([]int{16, 24, 32, 48}, []int{1, 2, 1, 1}); err != nil {
		t.Fatal(err)
	}
	if all["bottleneck"], err = Of(networktest.Residual(true)); err != nil {
		t.Fatal(err)
	}
	return all
}

// TestGradientIsTheSlope steps along the gradient of each weight: the loss must change by
// its square times the step.
func TestGradientIsTheSlope(t *testing.T) {
	for name, plan := range plans(t) {
		n := New(plan, 1, 2, nil)
		batch := resnettest.Pictures(5, 70, 3)
		r := rand.New(rand.NewPCG(1, 1))
		upstream := make([]float32, 5*3*3*48)
		for i := range upstream {
			upstream[i] = float32(r.NormFloat64())
		}
		loss := func() float64 {
			sum := 0.0
			for i, v := range n.Forward(batch, nil).Tensor().Data {
				sum += float64(v) * float64(upstream[i])
			}
			return sum
		}
		loss()
		n.Backward(upstream)
		t.Run(name, func(t *testing.T) { gradienttest.IsTheSlope(t, n.Params(), loss, 1e-3) })
	}
}

// TestAgreesWithInference holds frozen statistics to what core/backbone computes of the
// same file, and of what is exported again.
func TestAgreesWithInference(t *testing.T) {
	for _, bottleneck := range []bool{false, true} {
		f := networktest.Residual(bottleneck)
		plan, err := Of(f)
		if err != nil {
			t.Fatal(err)
		}
		n := New(plan, 1, 2, nil)
		if err := layer.Import(f, n.Params(), n.Norms()); err != nil {
			t.Fatal(err)
		}
		for _, bn := range n.Norms() {
			bn.Frozen = true
		}
		again := &weights.File{Meta: f.Meta, Tensors: map[string]*tensor.Tensor{}}
		again.Meta.Widths = nil
		n.Describe(&again.Meta)
		layer.Export(again, n.Params(), n.Norms())
		for _, size := range []int{64, 75} {
			batch := resnettest.Pictures(3, size, 4)
			got := n.Forward(batch, nil).Tensor()
			for _, file := range []*weights.File{f, again} {
				net, err := backbone.New(file, backbone.Options{Threads: 1})
				if err != nil {
					t.Fatal(err)
				}
				want, err := net.Forward(batch)
				if err != nil {
					t.Fatal(err)
				}
				off, square := 0.0, 0.0
				for i, v := range want.Data {
					off += float64(got.Data[i]-v) * float64(got.Data[i]-v)
					square += float64(v) * float64(v)
				}
				if !(math.Sqrt(off/square) <= 1e-5) {
					t.Errorf("bottleneck %v, %d px: off by %.2g of the root mean square", bottleneck, size, math.Sqrt(off/square))
				}
			}
		}
	}
}

func TestStepsDoNotDependOnThreads(t *testing.T) {
	for name, plan := range plans(t) {
		gradients := func(threads int) (all []float32) {
			n := New(plan, 1, threads, nil)
			m := n.Forward(resnettest.Pictures(5, 64, 6), nil)
			n.Backward(m.Tensor().Data)
			for _, p := range n.Params() {
				all = append(all, p.Grad...)
			}
			return all
		}
		want := gradients(1)
		for i, v := range gradients(3) {
			if v != want[i] {
				t.Fatalf("%s: gradient %d is %g on three threads, %g on one", name, i, v, want[i])
			}
		}
	}
}

func TestPlansAreChecked(t *testing.T) {
	for _, c := range [][2][]int{{{16, 16, 16}, {1, 1, 1, 1}}, {{16, 16, 16, 16}, {1, 1}}, {{16, 0, 16, 16}, {1, 1, 1, 1}}, {{16, 16, 16, 16}, {1, 0, 1, 1}}, {{16, 16, 16, 9000}, {1, 1, 1, 1}}} {
		if _, err := Basic(c[0], c[1]); err == nil {
			t.Errorf("widths %v and blocks %v make a network", c[0], c[1])
		}
	}
	p, err := Basic([]int{64, 128, 256, 512}, []int{2, 2, 2, 2})
	if err != nil {
		t.Fatal(err)
	}
	if p.Fits(31) == nil || p.Fits(32) != nil {
		t.Error("it takes pictures of 31 pixels, or none of 32")
	}
	// 11.2 million weights, three times.
	if m := p.Memory(0, 0) / 12; math.Abs(m-11.17e6) > 0.01e6 {
		t.Errorf("%.0f weights", m)
	}
}
