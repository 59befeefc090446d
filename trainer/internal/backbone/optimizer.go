package backbone

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/deepemd/deepemd/trainer/internal/device"
)

// SGD is stochastic gradient descent with momentum and weight decay as in PyTorch: v ← m·v + (g +
// d·w), and w ← w − lr·v, or w ← w − lr·(g + d·w + m·v) with Nesterov's correction.
type SGD struct {
	Momentum    float64
	WeightDecay float64 // of the parameters with Decay
	Nesterov    bool
	Threads     int // at least 1
	// Resident updates the parameters that it holds; nil if there are none.
	Resident device.Resident
	// Velocity is the velocity of each parameter.
	Velocity [][]float32

	params []*device.Param
}

// NewSGD returns an optimizer of parameters without velocity.
func NewSGD(params []*device.Param, momentum, decay float64, nesterov bool, threads int) *SGD {
	s := &SGD{Momentum: momentum, WeightDecay: decay, Nesterov: nesterov, Threads: threads, params: params}
	for _, p := range params {
		s.Velocity = append(s.Velocity, make([]float32, len(p.Value)))
	}
	return s
}

// stripe is the number of weights per unit of work.
const stripe = 1 << 16

// Step updates all weights with their gradients times scale (for clipping).
func (s *SGD) Step(rate, scale float64) {
	all := device.Update{Rate: float32(rate), Scale: float32(scale), Momentum: float32(s.Momentum), Decay: float32(s.WeightDecay), Nesterov: s.Nesterov}
	if s.Resident != nil {
		s.Resident.Step(all)
	}
	eachStripe(s.params, s.Resident, s.Threads, func(i, from, to int) {
		p, u := s.params[i], all
		if !p.Decay {
			u.Decay = 0
		}
		update(p.Value[from:to], p.Grad[from:to], s.Velocity[i][from:to], u)
	})
	for _, p := range s.params {
		if !device.Holds(s.Resident, p) {
			p.Changed()
		}
	}
}

func update(value, grad, velocity []float32, u device.Update) {
	rate, scale, m, decay := u.Rate, u.Scale, u.Momentum, u.Decay
	if u.Nesterov {
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

// eachStripe calls do concurrently for stripes that cover all parameters, unless except holds them.
func eachStripe(params []*device.Param, except device.Resident, threads int, do func(param, from, to int)) {
	var wait sync.WaitGroup
	for worker := range threads {
		wait.Go(func() {
			n := 0
			for i, p := range params {
				if device.Holds(except, p) {
					continue
				}
				for from := 0; from < len(p.Value); from += stripe {
					if n%threads == worker {
						do(i, from, min(from+stripe, len(p.Value)))
					}
					n++
				}
			}
		})
	}
	wait.Wait()
}

// GradientNorm returns the Euclidean norm of all gradients together; resident, unless nil, adds the
// gradients that it holds. It is NaN if a gradient is NaN. It returns the error of the device.
func GradientNorm(params []*device.Param, resident device.Resident, threads int) (norm float64, err error) {
	starts, stripes := make([]int, len(params)), 0
	for i, p := range params {
		starts[i] = stripes
		stripes += (len(p.Grad) + stripe - 1) / stripe
	}
	squares := make([]float64, stripes)
	eachStripe(params, resident, threads, func(i, from, to int) {
		// Four sums avoid waiting for each addition.
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
	if resident != nil {
		sum, err = resident.Squares()
	}
	for _, s := range squares {
		sum += s
	}
	return math.Sqrt(sum), err
}

// ClipScale returns the factor that limits gradients of the given norm to limit, if that is positive.
func ClipScale(norm, limit float64) float64 {
	if limit <= 0 || norm <= limit {
		return 1
	}
	return limit / norm
}

// Schedule is the learning rate of a step as a share of the base rate. step is from 0 to steps−1.
type Schedule func(step, steps int) float64

// ParseSchedule returns a schedule: "cosine" (from 1 to 0 along half a cosine), "one-cycle", "flat" or
// "halving", which halves the rate every interval steps. It returns an error for other names, and for
// an interval below 1.
func ParseSchedule(name string, interval int) (Schedule, error) {
	switch name {
	case "cosine":
		return falling, nil
	case "one-cycle":
		return oneCycle, nil
	case "flat":
		return flat, nil
	case "halving":
		if interval < 1 {
			return nil, fmt.Errorf("halve_every is %d, want at least 1 for the schedule halving", interval)
		}
		return func(step, _ int) float64 { return math.Pow(0.5, float64(step/interval)) }, nil
	}
	return nil, fmt.Errorf("schedule %q: use cosine, one-cycle, flat or halving", name)
}

func falling(step, steps int) float64 {
	return (1 + math.Cos(math.Pi*float64(step)/float64(steps))) / 2
}

// oneCycle rises along half a cosine from 1/25 to 1 in the first quarter of the run, and falls
// along another to almost zero (Smith & Topin, "Super-Convergence", 2018).
func oneCycle(step, steps int) float64 {
	const rise, start, end = 0.25, 1. / 25, 1e-4
	at := float64(step) / float64(max(steps-1, 1))
	from, to, part := start, 1.0, at/rise
	if at > rise {
		from, to, part = 1, end, (at-rise)/(1-rise)
	}
	return to + (from-to)*(1+math.Cos(math.Pi*part))/2
}

// flat keeps the rate until the last quarter of the run, and then falls linearly to zero. Until
// then, a run can be extended or continued elsewhere (Hägele et al., "Scaling Laws and
// Compute-Optimal Training Beyond Fixed Training Durations", 2024).
func flat(step, steps int) float64 {
	const fall = 0.25
	return min((1-float64(step)/float64(steps))/fall, 1)
}

// WarmUp raises the rate of another schedule linearly from zero during the first n steps.
func WarmUp(n int, then Schedule) Schedule {
	return func(step, steps int) float64 {
		share := then(step, steps)
		if step < n {
			share *= float64(step+1) / float64(n)
		}
		return share
	}
}

// Average is an exponential moving average of weights. The running statistics of batch
// normalization do not match the averaged weights and must be measured again.
type Average struct {
	Decay   float64
	Threads int
	// Resident averages the parameters that it holds; nil if there are none.
	Resident device.Resident
	// Values are the averages of each parameter, after Steps updates.
	Values [][]float32
	Steps  int

	params []*device.Param
}

// NewAverage starts at the current weights.
func NewAverage(params []*device.Param, decay float64, threads int) *Average {
	a := &Average{Decay: decay, Threads: threads, params: params}
	for _, p := range params {
		a.Values = append(a.Values, slices.Clone(p.Value))
	}
	return a
}

// Update moves the average toward the current weights. The first updates have a larger weight,
// with a decay of (1 + n)/(10 + n), to forget the start soon.
func (a *Average) Update() {
	decay := min(a.Decay, float64(1+a.Steps)/float64(10+a.Steps))
	a.Steps++
	keep := float32(decay)
	if a.Resident != nil {
		a.Resident.Average(keep)
	}
	eachStripe(a.params, a.Resident, a.Threads, func(i, from, to int) {
		values := a.Values[i][from:to]
		for j, v := range a.params[i].Value[from:to] {
			values[j] += (1 - keep) * (v - values[j])
		}
	})
}

// Swap exchanges the weights with their averages, both of the host. A second call undoes it.
func (a *Average) Swap() {
	for i, p := range a.params {
		for j, v := range p.Value {
			p.Value[j], a.Values[i][j] = a.Values[i][j], v
		}
		p.Changed()
	}
}
