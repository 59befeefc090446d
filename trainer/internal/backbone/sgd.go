package backbone

import (
	"math"
	"sync"
)

// SGD is stochastic gradient descent with momentum and weight decay, as PyTorch
// defines it: v ← m·v + (g + d·w), and w ← w − lr·v, or w ← w − lr·(g + d·w + m·v)
// with Nesterov's correction.
type SGD struct {
	Momentum    float64
	WeightDecay float64 // of the parameters that ask for it
	Nesterov    bool
	Threads     int // at most this many at the same time; at least 1

	params   []*Param
	velocity [][]float32
}

// NewSGD returns an optimizer of the given parameters.
func NewSGD(params []*Param, momentum, decay float64, nesterov bool, threads int) *SGD {
	s := &SGD{Momentum: momentum, WeightDecay: decay, Nesterov: nesterov, Threads: threads, params: params}
	for _, p := range params {
		s.velocity = append(s.velocity, make([]float32, len(p.Value)))
	}
	return s
}

// Velocity is the momentum of each parameter, for checkpoints.
func (s *SGD) Velocity() [][]float32 { return s.velocity }

// stripe is how many weights one goroutine takes at a time.
const stripe = 1 << 16

// Step changes all weights by their gradients times scale (for clipping) at a learning rate.
func (s *SGD) Step(rate, scale float64) {
	each(s.params, s.Threads, func(i, from, to int) {
		p := s.params[i]
		decay := float32(0)
		if p.Decay {
			decay = float32(s.WeightDecay)
		}
		s.update(p.Value[from:to], p.Grad[from:to], s.velocity[i][from:to], float32(rate), float32(scale), decay)
	})
	for _, p := range s.params {
		if p.Changed != nil {
			p.Changed()
		}
	}
}

func (s *SGD) update(value, grad, velocity []float32, rate, scale, decay float32) {
	m := float32(s.Momentum)
	if s.Nesterov {
		for i, w := range value {
			g := grad[i]*scale + decay*w
			v := m*velocity[i] + g
			velocity[i] = v
			value[i] = w - rate*(g+m*v)
		}
		return
	}
	for i, w := range value {
		v := m*velocity[i] + grad[i]*scale + decay*w
		velocity[i] = v
		value[i] = w - rate*v
	}
}

// each calls do for stripes that together cover all parameters, on several
// goroutines.
func each(params []*Param, threads int, do func(param, from, to int)) {
	var wait sync.WaitGroup
	for worker := range threads {
		wait.Go(func() {
			n := 0
			for i, p := range params {
				for from := 0; from < size(p); from += stripe {
					if n%threads == worker {
						do(i, from, min(from+stripe, size(p)))
					}
					n++
				}
			}
		})
	}
	wait.Wait()
}

// size is the number of weights, whichever of the two slices there is.
func size(p *Param) int { return max(len(p.Value), len(p.Grad)) }

// GradientNorm is the Euclidean norm of all gradients together. It is not a
// number when one of them is not.
func GradientNorm(params []*Param, threads int) float64 {
	starts, stripes := make([]int, len(params)), 0
	for i, p := range params {
		starts[i] = stripes
		stripes += (len(p.Grad) + stripe - 1) / stripe
	}
	squares := make([]float64, stripes)
	each(params, threads, func(i, from, to int) {
		// Four sums at a time: one alone would wait for itself at every addition.
		var s [4]float64
		g := params[i].Grad[from:to]
		for ; len(g) >= len(s); g = g[len(s):] {
			for k := range s {
				s[k] += float64(g[k]) * float64(g[k])
			}
		}
		for k, v := range g {
			s[k] += float64(v) * float64(v)
		}
		squares[starts[i]+from/stripe] = (s[0] + s[1]) + (s[2] + s[3])
	})
	sum := 0.0
	for _, s := range squares {
		sum += s
	}
	return math.Sqrt(sum)
}

// ClipScale is the factor for gradients of this norm, so that
// they have at most the norm limit; no limit is 0.
func ClipScale(norm, limit float64) float64 {
	if limit <= 0 || norm <= limit {
		return 1
	}
	return limit / norm
}
