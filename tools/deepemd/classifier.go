package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/trainer/methods"
)

// classifierFlags are the flags that choose a classifier.
type classifierFlags struct {
	method  string
	matcher matcherFlags
	passes  int
}

// register adds the flags; several says whether more than one may be named.
func (f *classifierFlags) register(flags *pflag.FlagSet, several bool) {
	all := methods.Classifiers()
	var help strings.Builder
	for i, c := range all {
		if i > 0 {
			help.WriteString("\n")
		}
		fmt.Fprintf(&help, "%s: %s", c.Name, c.What)
	}
	if several {
		help.WriteString("\nall, or several with commas: each on the same episodes")
	}
	flags.StringVar(&f.method, "classifier", all[0].Name, help.String())
	f.matcher.register(flags)
	flags.IntVar(&f.passes, "passes", 0, "over the examples, for classifiers that learn from them (default 100)")
}

// named is a classifier that was asked for.
type named struct {
	name string
	new  func() fewshot.Classifier
}

// all returns what makes the classifiers that were named. Of "all", those are left
// out that do not go with the weighting.
func (f *classifierFlags) all() ([]named, error) {
	settings, err := f.settings()
	if err != nil {
		return nil, err
	}
	list, err := methods.ParseClassifiers(f.method)
	if err != nil {
		return nil, fmt.Errorf("--classifier %s: %w", f.method, err)
	}
	if f.method == methods.All {
		list = methods.Learnable(list, settings.Weighting)
	}
	chosen := make([]named, len(list))
	for i, c := range list {
		chosen[i] = named{c.Name, func() fewshot.Classifier { return c.New(settings) }}
	}
	return chosen, nil
}

// settings are what the flags say of all classifiers.
func (f *classifierFlags) settings() (s methods.Settings, err error) {
	if s, err = f.matcher.settings(); err != nil {
		return s, err
	}
	if f.passes < 0 {
		return s, errors.New("--passes: want a number above zero, or 0 for each classifier's own")
	}
	s.Passes = f.passes
	return s, nil
}

// factory returns what makes the one classifier that was named.
func (f *classifierFlags) factory() (func() fewshot.Classifier, error) {
	list, err := f.all()
	if err != nil {
		return nil, err
	}
	if len(list) > 1 {
		return nil, fmt.Errorf("--classifier %s: one at a time here", f.method)
	}
	return list[0].new, nil
}
