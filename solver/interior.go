package solver

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
)

// ErrConvergence: an iteration did not reach its tolerance.
var ErrConvergence = errors.New("no convergence")

// Form selects the quadratic term that makes the problem strictly convex, so that its solution has
// a derivative. Both forms are from the reference implementation.
type Form int

const (
	// L2 minimizes c·x + ε/2·‖x‖².
	L2 Form = iota
	// QP minimizes (c·x)²/2 + ε/2·‖x‖². For positive costs it has the same minimum as the linear
	// cost.
	QP
)

// Epsilon is the default quadratic term. The flow usually agrees with the linear problem's to six
// digits.
const Epsilon = 1e-6

// Interior solves a transport problem with a small quadratic term by a primal-dual interior point
// method, and differentiates the solution by the implicit function theorem. The zero value has the
// form L2 and [Epsilon].
//
// The method is Mehrotra's predictor-corrector (SIAM Journal on Optimization 2, 1992; Nocedal and
// Wright, Numerical Optimization, chapter 16). Each step eliminates the flow and solves the Schur
// complement for the duals. Weights below 1e-9 of their side's mean are raised to that value.
type Interior struct {
	Form    Form
	Epsilon float64 // 0 means the constant Epsilon

	m, k           int
	cost           []float64 // scaled
	supply, demand []float64 // floored and balanced, scaled to a mean of 1
	weightScale    float64
	costScale      float64
	epsilon, gamma float64 // of the scaled problem: ε/2·‖x‖² + γ/2·(c·x)²

	x, z, dx, dz, r []float64 // [m, k]
	y, dy, rhs      []float64 // [m+k]: duals of rows and columns
	schur           schur
	flow            []float64
}

const (
	maxIterations = 100
	// gap is the mean complementarity x·z at which the iteration ends, for costs and weights scaled
	// to 1. A flow of zero is then below 1e-8 if its reduced cost is above 1e-5 of the largest
	// cost.
	gap = 1e-13
	// stepShare is the share of the way to the boundary that a step takes.
	stepShare = 0.995
)

// Forward implements [Layer].
//
// # Errors
//
// The same as [Simplex.Solve], and ErrConvergence.
func (s *Interior) Forward(p *Problem) ([]float64, error) {
	s.m = 0
	if err := p.Validate(); err != nil {
		return nil, err
	}
	if err := s.load(p); err != nil {
		return nil, err
	}
	s.begin()
	for range maxIterations {
		mu := s.complementarity()
		if mu <= gap {
			s.flow = slices.Grow(s.flow[:0], p.Rows*p.Cols)[:p.Rows*p.Cols]
			for i, v := range s.x {
				s.flow[i] = v * s.weightScale
			}
			return s.flow, nil
		}
		if err := s.step(mu); err != nil {
			s.m = 0
			return nil, err
		}
	}
	s.m = 0
	return nil, &fault{"interior point after " + strconv.Itoa(maxIterations) + " iterations at a gap of " + roughly(s.complementarity()), ErrConvergence, "raise Epsilon, or use the exact flow (ConstantFlow)"}
}

// load scales the problem: weights to a mean of 1, costs to at most 1.
func (s *Interior) load(p *Problem) error {
	epsilon := cmp.Or(s.Epsilon, Epsilon)
	if !(epsilon > 0) {
		return notPositive("quadratic term", epsilon)
	}
	supply, err := p.weight()
	if err != nil {
		return err
	}
	s.m, s.k = p.Rows, p.Cols
	s.weightScale = supply / float64(s.m)
	s.supply = scaleWeights(slices.Grow(s.supply[:0], s.m)[:s.m], p.Supply, float64(s.m))
	s.demand = scaleWeights(slices.Grow(s.demand[:0], s.k)[:s.k], p.Demand, float64(s.m))

	s.costScale = cmp.Or(maxAbs(p.Cost), 1)
	s.cost = slices.Grow(s.cost[:0], s.m*s.k)[:s.m*s.k]
	for i, c := range p.Cost {
		s.cost[i] = c / s.costScale
	}
	// With x = w·x' and c = C·c' the objective divided by C·w, or by (C·w)² for
	// the form QP, has these terms.
	if s.Form == QP {
		s.gamma, s.epsilon = 1, epsilon/(s.costScale*s.costScale)
	} else {
		s.gamma, s.epsilon = 0, epsilon*s.weightScale/s.costScale
	}
	return nil
}

// scaleWeights scales positive weights to the given sum, and raises smaller ones to a floor first.
func scaleWeights(dst, weights []float64, to float64) []float64 {
	const floor = 1e-9
	mean, floored := sum(weights)/float64(len(weights)), 0.0
	for i, w := range weights {
		dst[i] = max(w, floor*mean)
		floored += dst[i]
	}
	for i := range dst {
		dst[i] *= to / floored
	}
	return dst
}

// begin chooses an interior start: a flow in proportion to supply and demand, and duals below every
// cost.
func (s *Interior) begin() {
	n := s.m * s.k
	for _, v := range []*[]float64{&s.x, &s.z, &s.dx, &s.dz, &s.r} {
		*v = slices.Grow((*v)[:0], n)[:n]
	}
	for _, v := range []*[]float64{&s.y, &s.dy, &s.rhs} {
		*v = slices.Grow((*v)[:0], s.m+s.k)[:s.m+s.k]
	}
	s.schur.resize(s.m, s.k)
	total := sum(s.supply)
	for i, a := range s.supply {
		for j, b := range s.demand {
			s.x[i*s.k+j] = a * b / total
		}
	}
	linear := s.gradient(s.r, s.x)
	lowest := slices.Min(linear)
	clear(s.y)
	for i := range s.m {
		s.y[i] = lowest - 0.1
	}
	for e, g := range linear {
		s.z[e] = g - lowest + 0.1
	}
}

// gradient writes the gradient of the objective at x to dst.
func (s *Interior) gradient(dst, x []float64) []float64 {
	slope := 1.0
	if s.Form == QP {
		slope = dot(s.cost, x)
	}
	for e, c := range s.cost {
		dst[e] = slope*c + s.epsilon*x[e]
	}
	return dst
}

// complementarity returns the mean of x·z.
func (s *Interior) complementarity() float64 { return dot(s.x, s.z) / float64(len(s.x)) }

// step takes a predictor step, whose length determines the target of the corrector step.
func (s *Interior) step(mu float64) error {
	if err := s.factor(); err != nil {
		return err
	}
	s.solve(0, false)
	primal, dual := s.maxStep(1)
	after := 0.0
	for e := range s.x {
		after += (s.x[e] + primal*s.dx[e]) * (s.z[e] + dual*s.dz[e])
	}
	ratio := after / float64(len(s.x)) / mu
	s.solve(ratio*ratio*ratio*mu, true)
	// Primal and dual steps have the same length, because a quadratic term couples flow and duals.
	primal, dual = s.maxStep(stepShare)
	length := min(primal, dual)
	for e := range s.x {
		s.x[e] += length * s.dx[e]
		s.z[e] += length * s.dz[e]
	}
	for i := range s.y {
		s.y[i] += length * s.dy[i]
	}
	return nil
}

// factor factors the linear system at x and z.
func (s *Interior) factor() error {
	for e, x := range s.x {
		s.schur.theta[e] = 1 / (s.epsilon + s.z[e]/x)
	}
	return s.schur.factor(s.cost, s.gamma)
}

// solve computes the step dx, dy, dz towards x·z = target. A corrector step adds the second-order
// term of the previous step.
func (s *Interior) solve(target float64, corrector bool) {
	gradient := s.gradient(s.r, s.x)
	for i := range s.m {
		for j := range s.k {
			e := i*s.k + j
			second := 0.0
			if corrector {
				second = s.dx[e] * s.dz[e]
			}
			// −(∇f − Aᵀy − z) + (target − x·z − second)/x
			gradient[e] = s.y[i] + s.y[s.m+j] + (target-second)/s.x[e] - gradient[e]
			s.dz[e] = second
		}
	}
	for i, w := range s.supply {
		s.rhs[i] = w - sum(s.x[i*s.k:][:s.k])
	}
	copy(s.rhs[s.m:], s.demand)
	for e, x := range s.x {
		s.rhs[s.m+e%s.k] -= x
	}
	s.schur.solve(s.dx, s.dy, s.r, s.rhs)
	for e, x := range s.x {
		s.dz[e] = (target - s.dz[e] - s.z[e]*s.dx[e]) / x
		s.dz[e] -= s.z[e]
	}
}

// maxStep returns the largest steps of x and z, at most 1, that go the given share of the way to the
// boundary.
func (s *Interior) maxStep(share float64) (primal, dual float64) {
	primal, dual = 1, 1
	for e := range s.x {
		if s.dx[e] < 0 {
			primal = min(primal, -share*s.x[e]/s.dx[e])
		}
		if s.dz[e] < 0 {
			dual = min(dual, -share*s.z[e]/s.dz[e])
		}
	}
	return primal, dual
}

// Backward implements [Layer] with the implicit function theorem for the optimality conditions. For
// the upstream gradient U it solves
//
//	(∇²f + Z/X)·p + Aᵀ·q = U,  A·p = 0,
//
// with the matrix of the last step. −p is the gradient with respect to the costs' contribution to
// ∇f, and q is the gradient with respect to the weights.
func (s *Interior) Backward(g *Gradient, upstream []float64) error {
	if err := checkUpstream(upstream, s.m, s.k); err != nil {
		return err
	}
	if err := s.factor(); err != nil {
		return err
	}
	g.resize(s.m, s.k)
	clear(s.rhs)
	s.schur.solve(s.dx, s.dy, upstream, s.rhs) // dx = p, dy = −q, because schur has −Aᵀ
	total, slope := 0.0, 1.0
	if s.Form == QP {
		// ∇f contains c·(c·x), which depends on c twice.
		total, slope = dot(s.cost, s.dx), dot(s.cost, s.x)
	}
	for e, p := range s.dx {
		g.Cost[e] = -(slope*p + total*s.x[e]) * s.weightScale / s.costScale
	}
	g.setWeights(s.dy)
	return nil
}
