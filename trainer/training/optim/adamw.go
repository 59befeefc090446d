package optim

import "math"

// AdamW is Adam with decoupled weight decay (Loshchilov & Hutter, "Decoupled Weight Decay
// Regularization", 2019), as PyTorch defines it: with the moments m ← β₁·m + (1 − β₁)·g and
// v ← β₂·v + (1 − β₂)·g² of the gradient,
//
//	w ← w·(1 − lr·d) − lr · m/(1 − β₁ᵗ) / (√(v/(1 − β₂ᵗ)) + ε)
//
// at step t, where d is the weight decay.
type AdamW struct {
	Beta1, Beta2 float64
	WeightDecay  float64 // of the parameters that ask for it
	Threads      int     // at most this many at the same time; at least 1

	params         []*Param
	first, squares [][]float32 // moments
	steps          int
}

// adamEpsilon is PyTorch's default.
const adamEpsilon = 1e-8

// NewAdamW returns an optimizer of the given parameters.
func NewAdamW(params []*Param, beta1, beta2, decay float64, threads int) *AdamW {
	a := &AdamW{Beta1: beta1, Beta2: beta2, WeightDecay: decay, Threads: threads, params: params}
	for _, p := range params {
		a.first, a.squares = append(a.first, make([]float32, len(p.Value))), append(a.squares, make([]float32, len(p.Value)))
	}
	return a
}

// Memory implements [Optimizer].
func (a *AdamW) Memory() map[string][][]float32 {
	return map[string][][]float32{".first_moment": a.first, ".second_moment": a.squares}
}

// Resume implements [Optimizer].
func (a *AdamW) Resume(steps int) { a.steps = steps }

// Step implements [Optimizer].
func (a *AdamW) Step(rate, scale float64) {
	a.steps++
	t := float64(a.steps)
	size := float32(rate / (1 - math.Pow(a.Beta1, t)))
	spread := float32(1 / math.Sqrt(1-math.Pow(a.Beta2, t)))
	each(a.params, a.Threads, func(i, from, to int) {
		p := a.params[i]
		keep := float32(1)
		if p.Decay {
			keep = float32(1 - rate*a.WeightDecay)
		}
		a.update(p.Value[from:to], p.Grad[from:to], a.first[i][from:to], a.squares[i][from:to], keep, float32(scale), size, spread)
	})
	for _, p := range a.params {
		if p.Changed != nil {
			p.Changed()
		}
	}
}

// update changes some weights: keep is what decay leaves of them, size the rate over the
// correction of the first moment, and spread the inverse root of that of the second.
func (a *AdamW) update(value, grad, first, squares []float32, keep, scale, size, spread float32) {
	beta1, beta2 := float32(a.Beta1), float32(a.Beta2)
	rest1, rest2 := float32(1-a.Beta1), float32(1-a.Beta2)
	for i, w := range value {
		g := grad[i] * scale
		m := beta1*first[i] + rest1*g
		v := beta2*squares[i] + rest2*g*g
		first[i], squares[i] = m, v
		value[i] = w*keep - size*m/(float32(math.Sqrt(float64(v)))*spread+adamEpsilon)
	}
}
