package backbone

import (
	"math"
	"testing"
)

// isTheSlope reports every parameter along whose gradient the loss does not rise by the
// gradient's square times the step, to a twentieth. The gradients are those that the
// parameters hold; loss computes the loss of the weights as they are. A parameter is moved
// so far that the loss changes by step times the gradient's norm: small enough for it to
// be straight, large enough for float32.
func isTheSlope(t *testing.T, params []*Param, loss func() float64, step float64) {
	t.Helper()
	for _, p := range params {
		grad, norm := append([]float32(nil), p.Grad...), 0.0
		for _, g := range grad {
			norm += float64(g) * float64(g)
		}
		if norm < 1e-6 {
			t.Errorf("%s: no gradient", p.Name)
			continue
		}
		by := step / math.Sqrt(norm)
		if slope := (along(p, grad, by, loss) - along(p, grad, -by, loss)) / (2 * by); math.Abs(slope/norm-1) > 0.05 {
			t.Errorf("%s: the loss rises by %g along the gradient, whose square is %g", p.Name, slope, norm)
		}
	}
}

// along is the loss after a step along a gradient, which is taken back.
func along(p *Param, grad []float32, by float64, loss func() float64) float64 {
	held := append([]float32(nil), p.Value...)
	moved := append([]float32(nil), held...)
	for i, g := range grad {
		moved[i] += float32(by * float64(g))
	}
	defer set(p, held)
	set(p, moved)
	return loss()
}

func set(p *Param, values []float32) {
	copy(p.Value, values)
	if p.Changed != nil {
		p.Changed()
	}
}
