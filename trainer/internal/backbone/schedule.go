package backbone

import (
	"fmt"
	"math"
)

// Schedule gives the learning rate of a step, as a share of the base rate; step
// counts from 0 to steps−1.
type Schedule interface {
	Share(step, steps int) float64
}

// Step multiplies the rate by Gamma at each of the milestones, which are shares
// of the whole run.
type Step struct {
	Milestones []float64
	Gamma      float64
}

// Share implements [Schedule].
func (s Step) Share(step, steps int) float64 {
	share := 1.0
	for _, m := range s.Milestones {
		if float64(step) >= m*float64(steps) {
			share *= s.Gamma
		}
	}
	return share
}

// Every multiplies the rate by Gamma every Interval steps: the schedule of
// meta-training (500 episodes, one half).
type Every struct {
	Interval int
	Gamma    float64
}

// Share implements [Schedule].
func (e Every) Share(step, _ int) float64 { return math.Pow(e.Gamma, float64(step/e.Interval)) }

// Cosine falls from 1 to 0 along half a cosine.
type Cosine struct{}

// Share implements [Schedule].
func (Cosine) Share(step, steps int) float64 {
	return (1 + math.Cos(math.Pi*float64(step)/float64(steps))) / 2
}

// OneCycle rises along half a cosine from 1/25 to 1 in the first share Rise of
// the run, and falls along another to almost nothing (Smith & Topin,
// "Super-Convergence", 2018).
type OneCycle struct{ Rise float64 }

// Share implements [Schedule].
func (o OneCycle) Share(step, steps int) float64 {
	const start, end = 1. / 25, 1e-4
	at := float64(step) / float64(max(steps-1, 1))
	from, to, part := start, 1.0, at/o.Rise
	if at > o.Rise {
		from, to, part = 1, end, (at-o.Rise)/(1-o.Rise)
	}
	return to + (from-to)*(1+math.Cos(math.Pi*part))/2
}

// Flat keeps the rate until the last share Fall of the run, in which it falls in a line to
// nothing: a run can be made longer, or continued elsewhere, until then (Hägele et al.,
// "Scaling Laws and Compute-Optimal Training Beyond Fixed Training Durations", 2024).
type Flat struct{ Fall float64 }

// Share implements [Schedule].
func (f Flat) Share(step, steps int) float64 {
	return min((1-float64(step)/float64(steps))/f.Fall, 1)
}

// WarmUp raises the rate of another schedule in a line from nothing during the
// first steps.
type WarmUp struct {
	Steps int
	Then  Schedule
}

// Share implements [Schedule].
func (w WarmUp) Share(step, steps int) float64 {
	share := w.Then.Share(step, steps)
	if step < w.Steps {
		share *= float64(step+1) / float64(w.Steps)
	}
	return share
}

// ParseSchedule returns the schedule that settings name: "step" (÷10 at 60% and 85% of
// the run), "cosine", "one-cycle" or "flat".
//
// # Errors
//
// Another name, listing these.
func ParseSchedule(name string) (Schedule, error) {
	switch name {
	case "step":
		return Step{Milestones: []float64{0.6, 0.85}, Gamma: 0.1}, nil
	case "cosine":
		return Cosine{}, nil
	case "one-cycle":
		return OneCycle{Rise: 0.25}, nil
	case "flat":
		return Flat{Fall: 0.25}, nil
	}
	return nil, fmt.Errorf("schedule %q: use step, cosine, one-cycle or flat", name)
}
