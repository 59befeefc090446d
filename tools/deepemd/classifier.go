package main

import (
	"fmt"

	"github.com/spf13/pflag"

	"deepemd/core/fewshot"
	"deepemd/core/match"
)

// classifierFlags are the flags that choose a classifier.
type classifierFlags struct{ method, weighting string }

func (f *classifierFlags) register(flags *pflag.FlagSet) {
	flags.StringVar(&f.method, "classifier", "prototype", "prototype (a class is the mean of its examples) or nearest (the best of them)")
	flags.StringVar(&f.weighting, "weighting", "cross-reference", "node weights: cross-reference or equal")
}

// factory returns what makes a classifier.
func (f *classifierFlags) factory() (func() fewshot.Classifier, error) {
	weighting, err := match.ParseWeighting(f.weighting)
	if err != nil {
		return nil, fmt.Errorf("--weighting %s: want cross-reference or equal", f.weighting)
	}
	switch f.method {
	case "prototype":
		return func() fewshot.Classifier { return &fewshot.Prototype{Matcher: match.Matcher{Weighting: weighting}} }, nil
	case "nearest":
		return func() fewshot.Classifier { return &fewshot.Nearest{Matcher: match.Matcher{Weighting: weighting}} }, nil
	}
	return nil, fmt.Errorf("--classifier %s: want prototype or nearest", f.method)
}
