package solver

import (
	"fmt"
	"math"
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
// the end in a few steps.
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
	newtonSteps    = 100   // at most
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
		return nil, fmt.Errorf("solver: entropy of strength %g: want a positive one", strength)
	}
	total, err := s.load(p, strength)
	if err != nil {
		return nil, err
	}
	m, k := p.Rows, p.Cols
	clear(s.y)
	for range sinkhornRounds {
		s.scaleRows(m, k)
		s.scaleColumns(m, k)
	}
	failed := s.flowError(m, k)
	for range newtonSteps {
		if failed <= marginError*total {
			s.m, s.k = m, k
			return s.x, nil
		}
		if failed, err = s.newton(m, k, failed); err != nil {
			return nil, err
		}
	}
	return nil, fmt.Errorf("solver: Sinkhorn's margins are off by %.2g: %w; raise Strength", failed, ErrConvergence)
}

// load scales the problem and returns the sum of all weights of a side.
func (s *Sinkhorn) load(p *Problem, strength float64) (total float64, err error) {
	m, k := p.Rows, p.Cols
	supply, demand := 0.0, 0.0
	for _, w := range p.Supply {
		supply += w
	}
	for _, w := range p.Demand {
		demand += w
	}
	switch {
	case supply == 0 && demand == 0:
		return 0, fmt.Errorf("solver: all weights are zero: %w; give at least one supply and one demand above zero", ErrEmpty)
	case math.Abs(supply-demand) > Imbalance*max(supply, demand):
		return 0, fmt.Errorf("solver: supplies sum to %g, demands to %g: %w; scale one side to the sum of the other", supply, demand, ErrUnbalanced)
	}
	s.supply = scaleWeights(resize(s.supply, m), p.Supply, supply)
	s.demand = scaleWeights(resize(s.demand, k), p.Demand, supply)
	for _, v := range []*[]float64{&s.cost, &s.x, &s.p, &s.r} {
		*v = resize(*v, m*k)
	}
	for _, v := range []*[]float64{&s.y, &s.dy, &s.rhs} {
		*v = resize(*v, m+k)
	}
	s.schur.resize(m, k)
	for i, c := range p.Cost {
		s.cost[i] = c / strength
	}
	return supply, nil
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
	for step, length := 0, 1.0; step < 8; step++ {
		for i, d := range s.dy {
			s.y[i] += length * d
		}
		if now := s.flowError(m, k); now < failed {
			return now, nil
		}
		for i, d := range s.dy {
			s.y[i] -= length * d
		}
		length /= 2
	}
	// Too far for Newton: more of the plain iteration, which always gets nearer.
	for range sinkhornRounds {
		s.scaleRows(m, k)
		s.scaleColumns(m, k)
	}
	return s.flowError(m, k), nil
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
	for i := range s.m {
		g.Supply[i] = -s.dy[i]
	}
	for j := range s.k {
		g.Demand[j] = -s.dy[s.m+j]
	}
	return nil
}
