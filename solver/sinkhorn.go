package solver

import (
	"cmp"
	"math"
	"slices"
)

// Sinkhorn solves a transport problem with an entropy term,
//
//	minimize Σ c·x + Strength·Σ x·(ln x − 1),
//
// by Sinkhorn's iteration in the log domain (Cuturi, "Sinkhorn Distances", 2013; Peyré and Cuturi,
// Computational Optimal Transport, section 4.4), and differentiates the solution by the implicit
// function theorem. The zero value has the strength [Strength].
//
// Sinkhorn's iteration converges linearly. After some rounds Newton's method on the duals, whose
// matrix is a Schur complement like Interior's, converges in a few steps. If the entropy is too weak for
// that, the strength is reduced in steps, each of which starts from the previous solution. Small weights
// are raised as in [Interior].
type Sinkhorn struct {
	Strength float64 // 0 means the constant Strength

	m, k           int
	supply, demand []float64
	cost           []float64 // divided by the strength
	x, p           []float64
	y, dy, rhs     []float64 // logarithms of the scalings: duals
	schur          schur
}

// Strength is the default entropy term, for costs of about 1.
const Strength = 0.01

const (
	sinkhornRounds = 30    // of Sinkhorn's iteration before Newton's method
	newtonSteps    = 40    // maximum
	marginError    = 1e-12 // to aim at, relative to the total weight
)

// Forward implements [Layer].
//
// # Errors
//
// The same as [Simplex.Solve], and ErrConvergence.
func (s *Sinkhorn) Forward(p *Problem) ([]float64, error) {
	s.m = 0
	if err := p.Validate(); err != nil {
		return nil, err
	}
	strength := cmp.Or(s.Strength, Strength)
	if !(strength > 0) {
		return nil, notPositive("entropy of strength", strength)
	}
	total, err := s.load(p, strength)
	if err != nil {
		return nil, err
	}
	m, k := p.Rows, p.Cols
	clear(s.y)
	failed, err := s.converge(m, k, total)
	if err != nil || failed > marginError*total {
		if failed, err = s.approach(p, strength, total); err != nil {
			return nil, err
		}
	}
	if !(failed <= Imbalance*total) {
		return nil, &fault{"Sinkhorn's margins are off by " + roughly(failed), ErrConvergence, "raise Strength"}
	}
	s.m, s.k = m, k
	return s.x, nil
}

// converge iterates from the current scalings and returns the sum of the absolute margin errors.
func (s *Sinkhorn) converge(m, k int, total float64) (failed float64, err error) {
	failed = s.iterate(m, k)
	for range newtonSteps {
		if failed <= marginError*total {
			break
		}
		if failed, err = s.newton(m, k, failed); err != nil {
			return failed, err
		}
	}
	return failed, nil
}

// approach solves with the strength of the largest cost, halves it down to the given strength, and
// returns the sum of the absolute margin errors.
func (s *Sinkhorn) approach(p *Problem, strength, total float64) (failed float64, err error) {
	m, k := p.Rows, p.Cols
	halvings, top := 0, maxAbs(p.Cost)
	for ; strength*math.Ldexp(1, halvings) < top; halvings++ {
	}
	clear(s.y)
	for ; halvings >= 0; halvings-- {
		at := strength * math.Ldexp(1, halvings)
		for i, c := range p.Cost {
			s.cost[i] = c / at
		}
		if failed, err = s.converge(m, k, total); err != nil || halvings == 0 {
			return failed, err
		}
		for i := range s.y {
			s.y[i] *= 2 // duals are relative to the strength, like costs
		}
	}
	return failed, nil
}

// load scales the problem and returns the sum of the weights of a side.
func (s *Sinkhorn) load(p *Problem, strength float64) (total float64, err error) {
	m, k := p.Rows, p.Cols
	total, err = p.weight()
	if err != nil {
		return 0, err
	}
	s.supply = scaleWeights(slices.Grow(s.supply[:0], m)[:m], p.Supply, total)
	s.demand = scaleWeights(slices.Grow(s.demand[:0], k)[:k], p.Demand, total)
	for _, v := range []*[]float64{&s.cost, &s.x, &s.p} {
		*v = slices.Grow((*v)[:0], m*k)[:m*k]
	}
	for _, v := range []*[]float64{&s.y, &s.dy, &s.rhs} {
		*v = slices.Grow((*v)[:0], m+k)[:m+k]
	}
	s.schur.resize(m, k)
	for i, c := range p.Cost {
		s.cost[i] = c / strength
	}
	return total, nil
}

// iterate runs Sinkhorn's iteration and returns the sum of the absolute margin errors.
func (s *Sinkhorn) iterate(m, k int) float64 {
	rows, columns := s.y[:m], s.y[m:][:k]
	for range sinkhornRounds {
		s.scale(rows, columns, s.supply, k, 1)
		s.scale(columns, rows, s.demand, 1, k)
	}
	return s.flowError(m, k)
}

// scale sets the scalings y of rows or columns so that their flows sum to weights. The index of a cost
// is i·row + j·col.
func (s *Sinkhorn) scale(y, others, weights []float64, row, col int) {
	for i, w := range weights {
		costs, top, sum := s.cost[i*row:], math.Inf(-1), 0.0
		for j, other := range others {
			top = max(top, other-costs[j*col])
		}
		for j, other := range others {
			sum += math.Exp(other - costs[j*col] - top)
		}
		y[i] = math.Log(w) - top - math.Log(sum)
	}
}

// flowError computes the flow of the current scalings, writes the margin errors to s.rhs, and
// returns the sum of their absolute values.
func (s *Sinkhorn) flowError(m, k int) float64 {
	copy(s.rhs, s.supply)
	copy(s.rhs[m:], s.demand)
	for i := range m {
		for j := range k {
			x := math.Exp(s.y[i] + s.y[m+j] - s.cost[i*k+j])
			s.x[i*k+j] = x
			s.rhs[i] -= x
			s.rhs[m+j] -= x
		}
	}
	sum := 0.0
	for _, r := range s.rhs {
		sum += math.Abs(r)
	}
	return sum
}

// newton takes a Newton step on the duals, halved until the margin errors decrease, and returns
// their sum.
func (s *Sinkhorn) newton(m, k int, failed float64) (float64, error) {
	copy(s.schur.theta, s.x)
	if err := s.schur.factor(s.cost, 0); err != nil {
		return 0, err
	}
	copy(s.dy, s.rhs)
	s.schur.duals(s.dy)
	objective, slope := s.dual(m), dot(s.rhs, s.dy)
	if now, ok := s.search(m, k, 8, func(now, _ float64) bool { return now < failed }); ok {
		return now, nil
	}
	// If the margin errors do not decrease: the step is an ascent direction of the concave dual
	// objective.
	uphill := func(_, length float64) bool { return s.dual(m) > objective+1e-4*length*slope }
	if now, ok := s.search(m, k, 30, uphill); ok {
		return now, nil
	}
	return s.iterate(m, k), nil // no progress at this precision
}

// search halves the step until good accepts the result, at most the given number of times, and
// returns the margin errors. If no step is accepted it restores the duals.
func (s *Sinkhorn) search(m, k, lengths int, good func(failed, length float64) bool) (failed float64, ok bool) {
	for at, length := 0, 1.0; at < lengths; at, length = at+1, length/2 {
		for i, d := range s.dy {
			s.y[i] += length * d
		}
		if failed = s.flowError(m, k); good(failed, length) {
			return failed, true
		}
		for i, d := range s.dy {
			s.y[i] -= length * d
		}
	}
	return failed, false
}

// dual returns the dual objective, Σ b·y − Σ x, of the current flow.
func (s *Sinkhorn) dual(m int) float64 {
	return dot(s.supply, s.y) + dot(s.demand, s.y[m:]) - sum(s.x)
}

// Backward implements [Layer]. The optimality conditions are c + Strength·ln x = Aᵀ·y and A·x = b,
// so D of [schur] is Strength/x.
func (s *Sinkhorn) Backward(g *Gradient, upstream []float64) error {
	if err := checkUpstream(upstream, s.m, s.k); err != nil {
		return err
	}
	strength := cmp.Or(s.Strength, Strength)
	for e, x := range s.x {
		s.schur.theta[e] = x / strength
	}
	if err := s.schur.factor(s.cost, 0); err != nil {
		return err
	}
	g.resize(s.m, s.k)
	clear(s.rhs)
	s.schur.solve(s.p, s.dy, upstream, s.rhs)
	for e, p := range s.p {
		g.Cost[e] = -p
	}
	g.setWeights(s.dy)
	return nil
}
