package backbone

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/deepemd/deepemd/internal/nn"
)

// TestFrozenBatchNorm: with running statistics, a normalisation is one affine map
// for each channel, and so are its gradients.
func TestFrozenBatchNorm(t *testing.T) {
	eachContext(t, func(t *testing.T, ctx *nn.Context) {
		r := rand.New(rand.NewPCG(5, 5))
		const n, h, w, c = 2, 3, 3, 18
		bn := NewBatchNorm("bn", c)
		bn.Frozen = true
		for i := range c {
			bn.Weight.Value[i], bn.Bias.Value[i] = float32(1+0.3*r.NormFloat64()), float32(r.NormFloat64())
			bn.Mean[i], bn.Variance[i] = float32(r.NormFloat64()), float32(0.5+r.Float64())
		}
		means, variances := slices.Clone(bn.Mean), slices.Clone(bn.Variance)
		weight, bias := exported(bn.Weight, bn.Weight.Value), exported(bn.Bias, bn.Bias.Value)
		z, g := randomField(r, n, h, w, c), randomField(r, n, h, w, c)
		output := func() []float64 {
			y := make([]float64, len(z.v))
			for i, v := range z.v {
				k := i % c
				y[i] = (v-float64(means[k]))/math.Sqrt(float64(variances[k])+nn.BatchNormEpsilon)*weight[k] + bias[k]
			}
			return y
		}
		in, out, grad := z.toMap(), nn.NewMap(n, h, w, c), g.toMap()
		bn.Measure(ctx, in)
		bn.Apply(ctx, out, in, nil, nn.Linear)
		checkNear(t, "output", fromMap(out).v, output(), 2e-5)
		bn.Backward(ctx, grad, grad, in)
		loss := func() float64 { return dot(output(), g.v) }
		checkGradient(t, "weight", r, weight, exported(bn.Weight, bn.Weight.Grad), loss)
		checkGradient(t, "bias", r, bias, exported(bn.Bias, bn.Bias.Grad), loss)
		checkGradient(t, "input", r, z.v, fromMap(grad).v, loss)
		if !slices.Equal(bn.Mean, means) || !slices.Equal(bn.Variance, variances) {
			t.Error("the running statistics were changed")
		}
	})
}
