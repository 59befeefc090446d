package solver

import (
	"math"
	"slices"
)

// Sinkhorn solves a transport problem with an entropy term,
//
//	minimise Σ c·x + Strength·Σ x·(ln x − 1),
//
// by Sinkhorn's iteration on the logarithms of the scalings (Cuturi, "Sinkhorn
// Distances", 2013; Peyré and Cuturi, Computational Optimal Transport, section
// 4.4), and differentiates the solution by the implicit function theorem. The
// zero value has the strength [Strength].
//
// The iteration converges in a straight line; once it is near, Newton's method
// on the duals, whose matrix is that of [schur] with θ = x/Strength, takes it to
// the end in a few steps. Where the entropy is too weak for that, it is weakened
// in steps, each of which begins where the last one ended.
type Sinkhorn struct {
	Strength float64 // 0 stands for the constant Strength

	m, k           int
	supply, demand []float64
	cost           []float64 // divided by the strength
	x, p, r        []float64
	y, dy, rhs     []float64 // logarithms of the scalings
	schur          schur
}

// Strength is the entropy term where a layer's Strength is zero, for costs of
// the size of 1.
const Strength = 0.01

const (
	sinkhornRounds = 30    // of plain iterations before Newton's steps
	newtonSteps    = 40    // at most
	marginError    = 1e-12 // of the margins, relative to all weight
)

// Forward implements [Layer].
//
// # Errors
//
// Those of [Simplex.Solve] for bad problems, and ErrConvergence.
func (s *Sinkhorn) Forward(p *Problem) ([]float64, error) {
	s.m = 0 // no solution
	if err := p.Validate(); err != nil {
		return nil, err
	}
	strength := s.Strength
	if strength == 0 {
		strength = Strength
	}
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
	if failed > marginError*total {
		return nil, &fault{"Sinkhorn's margins are off by " + roughly(failed), ErrConvergence, "raise Strength"}
	}
	s.m, s.k = m, k
	return s.x, nil
}

// converge goes from the present scalings to the solution, if it gets there, and
// returns what the margins lack.
func (s *Sinkhorn) converge(m, k int, total float64) (failed float64, err error) {
	for range sinkhornRounds {
		s.scaleRows(m, k)
		s.scaleColumns(m, k)
	}
	failed = s.flowError(m, k)
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

// approach solves with an entropy as strong as the largest cost, then half of
// it, and so on down to the strength, and returns what the margins lack.
func (s *Sinkhorn) approach(p *Problem, strength, total float64) (failed float64, err error) {
	m, k := p.Rows, p.Cols
	halvings, top := 0, 0.0
	for _, c := range p.Cost {
		top = max(top, math.Abs(c))
	}
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
			s.y[i] *= 2 // what they stand for is divided by the strength, as costs are
		}
	}
	return failed, nil
}

// load scales the problem and returns the sum of all weights of a side.
func (s *Sinkhorn) load(p *Problem, strength float64) (total float64, err error) {
	m, k := p.Rows, p.Cols
	total, err = p.weight()
	if err != nil {
		return 0, err
	}
	s.supply = scaleWeights(slices.Grow(s.supply[:0], m)[:m], p.Supply, total)
	s.demand = scaleWeights(slices.Grow(s.demand[:0], k)[:k], p.Demand, total)
	for _, v := range []*[]float64{&s.cost, &s.x, &s.p, &s.r} {
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

// scaleRows sets each row's scaling so that the row sends its supply.
func (s *Sinkhorn) scaleRows(m, k int) {
	columns := s.y[m:][:k]
	for i := range m {
		costs, top, sum := s.cost[i*k:][:k], math.Inf(-1), 0.0
		for j, c := range costs {
			top = max(top, columns[j]-c)
		}
		for j, c := range costs {
			sum += math.Exp(columns[j] - c - top)
		}
		s.y[i] = math.Log(s.supply[i]) - top - math.Log(sum)
	}
}

// scaleColumns sets each column's scaling so that the column gets its demand.
func (s *Sinkhorn) scaleColumns(m, k int) {
	for j := range k {
		top, sum := math.Inf(-1), 0.0
		for i := range m {
			top = max(top, s.y[i]-s.cost[i*k+j])
		}
		for i := range m {
			sum += math.Exp(s.y[i] - s.cost[i*k+j] - top)
		}
		s.y[m+j] = math.Log(s.demand[j]) - top - math.Log(sum)
	}
}

// flowError computes the flow of the present scalings, leaves what the margins
// lack in s.rhs, and returns the sum of their absolute values.
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

// newton takes a step on the duals, halved until the margins get better, and
// returns their error.
func (s *Sinkhorn) newton(m, k int, failed float64) (float64, error) {
	copy(s.schur.theta, s.x)
	if err := s.schur.factor(s.cost, 0); err != nil {
		return 0, err
	}
	copy(s.dy, s.rhs)
	s.schur.duals(s.dy)
	objective, slope := s.dual(m), 0.0
	for i, r := range s.rhs {
		slope += r * s.dy[i]
	}
	if now, ok := s.search(m, k, 8, func(now, _ float64) bool { return now < failed }); ok {
		return now, nil
	}
	// Too far for that. The step goes uphill on the dual objective, which is
	// concave, whatever the margins do.
	uphill := func(_, length float64) bool { return s.dual(m) > objective+1e-4*length*slope }
	if now, ok := s.search(m, k, 30, uphill); ok {
		return now, nil
	}
	for range sinkhornRounds { // at the end of precision
		s.scaleRows(m, k)
		s.scaleColumns(m, k)
	}
	return s.flowError(m, k), nil
}

// search tries the step, half of it, and so on, at most the given number of
// lengths, and stays with the first that is good, of which it returns the
// margins' error; else where it was.
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

// dual is the dual objective, Σ b·y − Σ x, for the flow that is there.
func (s *Sinkhorn) dual(m int) float64 {
	sum := 0.0
	for i, b := range s.supply {
		sum += b * s.y[i]
	}
	for j, b := range s.demand {
		sum += b * s.y[m+j]
	}
	for _, x := range s.x {
		sum -= x
	}
	return sum
}

// Backward implements [Layer]: the conditions of optimality are c + Strength·ln x
// = Aᵀ·y and A·x = b, so D of [schur] is Strength/x.
func (s *Sinkhorn) Backward(g *Gradient, upstream []float64) error {
	if err := checkUpstream(upstream, s.m, s.k); err != nil {
		return err
	}
	strength := s.Strength
	if strength == 0 {
		strength = Strength
	}
	for e, x := range s.x {
		s.schur.theta[e] = x / strength
	}
	if err := s.schur.factor(s.cost, 0); err != nil {
		return err
	}
	g.resize(s.m, s.k)
	clear(s.rhs)
	copy(s.r, upstream)
	s.schur.solve(s.p, s.dy, s.r, s.rhs)
	for e, p := range s.p {
		g.Cost[e] = -p
	}
	g.setWeights(s.dy)
	return nil
}
