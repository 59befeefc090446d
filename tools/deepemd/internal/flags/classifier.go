package flags

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/trainer/methods"
)

// Classifier are the flags that choose a classifier.
type Classifier struct {
	Method  string
	Matcher Matcher
	Passes  int
}

// Register adds the flags; several says whether more than one may be named.
func (f *Classifier) Register(flags *pflag.FlagSet, several bool) {
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
	flags.StringVar(&f.Method, "classifier", all[0].Name, help.String())
	f.Matcher.Register(flags)
	flags.IntVar(&f.Passes, "passes", 0, "over the examples, for classifiers that learn from them (default 100)")
}

// Named is a classifier that was asked for.
type Named struct {
	Name string
	New  func() fewshot.Classifier
}

// All returns what makes the classifiers that were named. Of "all", those are left
// out that do not go with the weighting.
func (f *Classifier) All() ([]Named, error) {
	settings, err := f.Settings()
	if err != nil {
		return nil, err
	}
	list, err := methods.ParseClassifiers(f.Method)
	if err != nil {
		return nil, fmt.Errorf("--classifier %s: %w", f.Method, err)
	}
	if f.Method == methods.All {
		list = methods.Learnable(list, settings.Weighting)
	}
	chosen := make([]Named, len(list))
	for i, c := range list {
		chosen[i] = Named{c.Name, func() fewshot.Classifier { return c.New(settings) }}
	}
	return chosen, nil
}

// Settings are what the flags say of all classifiers.
func (f *Classifier) Settings() (s methods.Settings, err error) {
	if s, err = f.Matcher.Settings(); err != nil {
		return s, err
	}
	if f.Passes < 0 {
		return s, errors.New("--passes: want a number above zero, or 0 for each classifier's own")
	}
	s.Passes = f.Passes
	return s, nil
}

// Factory returns what makes the one classifier that was named.
func (f *Classifier) Factory() (func() fewshot.Classifier, error) {
	list, err := f.All()
	if err != nil {
		return nil, err
	}
	if len(list) > 1 {
		return nil, fmt.Errorf("--classifier %s: one at a time here", f.Method)
	}
	return list[0].New, nil
}
