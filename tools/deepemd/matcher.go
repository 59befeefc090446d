package main

import (
	"fmt"

	"github.com/spf13/pflag"

	"github.com/deepemd/deepemd/core/match"
	"github.com/deepemd/deepemd/trainer/methods"
)

// matcherFlags are the flags that say how two pictures are matched.
type matcherFlags struct {
	weighting, solver string
}

func (f *matcherFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.weighting, "weighting", "cross-reference", "node weights: "+methods.Weightings)
	flags.StringVar(&f.solver, "solver", "simplex", "how the flow of a match is found: "+methods.Solvers)
}

// settings are what the flags say.
func (f *matcherFlags) settings() (s methods.Settings, err error) {
	if s.Weighting, err = methods.ParseWeighting(f.weighting); err != nil {
		return s, fmt.Errorf("--weighting: %w", err)
	}
	if s.Solver, err = methods.ParseSolver(f.solver); err != nil {
		return s, fmt.Errorf("--solver: %w", err)
	}
	return s, nil
}

// matcher returns a new matcher as the flags describe it.
func (f *matcherFlags) matcher() (*match.Matcher, error) {
	s, err := f.settings()
	if err != nil {
		return nil, err
	}
	return &match.Matcher{Weighting: s.Weighting, Solver: s.Solver.New()}, nil
}
