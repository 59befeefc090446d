package backbone

import (
	"math"
	"testing"

	"github.com/deepemd/deepemd/internal/nn"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/resnettest"
	"github.com/deepemd/deepemd/trainer/internal/bfloat16"
)

// mixed lists the kernels of mixed precision that can run here.
func mixed() []*bfloat16.Kernels {
	kernels := []*bfloat16.Kernels{bfloat16.Generic()}
	if fast, ok := bfloat16.Fast(); ok {
		kernels = append(kernels, fast)
	}
	return kernels
}

// TestMixedPrecisionAgreesWithFloat32 compares features and the gradients of all
// weights: they may differ by what rounding to eight bits makes of a deep
// network, and not in their direction.
func TestMixedPrecisionAgreesWithFloat32(t *testing.T) {
	widths := []int{16, 48, 32, 80} // one block, parts of blocks, several
	run := func(k *bfloat16.Kernels, pictures, size int) (*Network, *nn.Map) {
		b := require.Value(Plan{Widths: widths}.Build(1, Options{Threads: 2, Mixed: k}))(t)
		m := b.Forward(resnettest.Pictures(pictures, size, 3), nil)
		upstream := make([]float32, pictures*(size/16)*(size/16)*80)
		for i := range upstream {
			upstream[i] = float32(math.Sin(float64(i)))
		}
		b.Backward(upstream)
		return b, m
	}
	for _, k := range mixed() {
		pictures, size := 37, 39 // odd maps, and a group that is not full
		if k.Name() == bfloat16.Generic().Name() {
			pictures, size = 5, 23 // it is slow
		}
		exact, features := run(nil, pictures, size)
		b, got := run(k, pictures, size)
		if c := cosine(got.Tensor().Data, features.Tensor().Data); c < 0.9995 {
			t.Errorf("%s: cosine of the features is %.5f", k.Name(), c)
		}
		for i, p := range exact.Params() {
			// A gradient's direction suffers most where many pixels cancel out: of eight
			// batches of five pictures, the worst weights have 0.86 to 0.93.
			if c := cosine(b.Params()[i].Grad, p.Grad); c < 0.8 {
				t.Errorf("%s: %s: cosine of the gradients is %.5f", k.Name(), p.Name, c)
			}
		}
		for i, bn := range exact.Norms() {
			want, _ := bn.Running()
			mean, _ := b.Norms()[i].Running()
			if c := cosine(mean.Data, want.Data); c < 0.999 {
				t.Errorf("%s: cosine of the running means of %s is %.5f", k.Name(), bn.Name(), c)
			}
		}
	}
}

func cosine(a, b []float32) float64 {
	var ab, aa, bb float64
	for i, v := range a {
		ab += float64(v) * float64(b[i])
		aa += float64(v) * float64(v)
		bb += float64(b[i]) * float64(b[i])
	}
	return ab / math.Sqrt(aa*bb)
}

func TestMixedStepsDoNotDependOnThreads(t *testing.T) {
	for _, k := range mixed() {
		gradients := func(threads int) (all []float32) {
			b := require.Value(Plan{Widths: narrow}.Build(1, Options{Threads: threads, Mixed: k}))(t)
			m := b.Forward(resnettest.Pictures(5, 40, 6), nil)
			b.Backward(m.Tensor().Data)
			for _, p := range b.Params() {
				all = append(all, p.Grad...)
			}
			return all
		}
		want := gradients(1)
		for i, v := range gradients(3) {
			if v != want[i] {
				t.Fatalf("%s: gradient %d is %g on three threads, %g on one", k.Name(), i, v, want[i])
			}
		}
	}
}
