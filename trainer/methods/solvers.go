package methods

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/deepemd/deepemd/core/match"
	"github.com/deepemd/deepemd/solver"
)

// Solver is a way to find the flow of a match. The zero value is the exact one.
type Solver struct {
	name     string
	strength float64 // of the regularisation; 0 for none
	new      func(strength float64) match.Solver
}

// Solvers says which there are, for people.
const Solvers = "simplex (exact), sinkhorn (or sinkhorn:STRENGTH, of the entropy), interior (or interior:STRENGTH, of the quadratic term) or dense (every node connected with every other, no transport)"

var solvers = []Solver{
	{name: "simplex"},
	{"sinkhorn", solver.Strength, func(strength float64) match.Solver { return &solver.Sinkhorn{Strength: strength} }},
	{"interior", solver.Epsilon, func(strength float64) match.Solver { return &solver.Interior{Epsilon: strength} }},
	{"dense", 0, func(float64) match.Solver { return new(match.Dense) }},
}

// ParseSolver returns the solver of a name: "simplex", "sinkhorn",
// "sinkhorn:0.02", "interior", "interior:1e-4", "dense".
func ParseSolver(name string) (Solver, error) {
	kind, setting, given := strings.Cut(name, ":")
	for _, s := range solvers {
		if s.name != kind {
			continue
		}
		if given && s.strength == 0 {
			return Solver{}, fmt.Errorf("solver %q: %s has nothing to set", name, kind)
		}
		if given {
			var err error
			if s.strength, err = parseStrength(name, setting); err != nil {
				return Solver{}, err
			}
		}
		return s, nil
	}
	return Solver{}, fmt.Errorf("no solver %q: want %s", name, Solvers)
}

// parseStrength returns the positive number of a name's setting.
func parseStrength(name, setting string) (float64, error) {
	strength, err := strconv.ParseFloat(setting, 64)
	if err != nil || !(strength > 0) || math.IsInf(strength, 0) {
		return 0, fmt.Errorf("solver %q: want a strength above zero after the colon, or no colon", name)
	}
	return strength, nil
}

// New makes a solver for one matcher; nil, which stands for the exact one, where
// that is it.
func (s Solver) New() match.Solver {
	if s.new == nil {
		return nil
	}
	return s.new(s.strength)
}

// Exact reports whether flows are optimal.
func (s Solver) Exact() bool { return s.new == nil }

// String is the name, with the strength of the regularisation where there is one.
func (s Solver) String() string {
	switch {
	case s.Exact():
		return "simplex"
	case s.strength == 0:
		return s.name
	}
	return fmt.Sprintf("%s:%g", s.name, s.strength)
}
