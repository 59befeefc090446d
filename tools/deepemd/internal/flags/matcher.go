package flags

import (
	"fmt"

	"github.com/spf13/pflag"

	"github.com/deepemd/deepemd/core/match"
	"github.com/deepemd/deepemd/trainer/methods"
)

// Matcher are the flags that say how two pictures are matched.
type Matcher struct {
	Weighting, Solver string
}

// Register adds the flags.
func (f *Matcher) Register(flags *pflag.FlagSet) {
	flags.StringVar(&f.Weighting, "weighting", "cross-reference", "node weights: "+methods.Weightings)
	flags.StringVar(&f.Solver, "solver", "simplex", "how the flow of a match is found: "+methods.Solvers)
}

// Settings are what the flags say.
func (f *Matcher) Settings() (s methods.Settings, err error) {
	if s.Weighting, err = methods.ParseWeighting(f.Weighting); err != nil {
		return s, fmt.Errorf("--weighting: %w", err)
	}
	if s.Solver, err = methods.ParseSolver(f.Solver); err != nil {
		return s, fmt.Errorf("--solver: %w", err)
	}
	return s, nil
}

// Matcher returns a new matcher as the flags describe it.
func (f *Matcher) Matcher() (*match.Matcher, error) {
	s, err := f.Settings()
	if err != nil {
		return nil, err
	}
	return &match.Matcher{Weighting: s.Weighting, Solver: s.Solver.New()}, nil
}
