package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"deepemd/core/fewshot"
	"deepemd/core/match"
)

// method is a classifier that can be named on the command line.
type method struct {
	name, what string
	new        func(match.Matcher) fewshot.Classifier
}

// methods are all classifiers of the project, the usual one first.
var methods = []method{
	{"prototype", "DeepEMD with the mean of a class's examples, node by node", func(m match.Matcher) fewshot.Classifier { return &fewshot.Prototype{Matcher: m} }},
	{"nearest", "DeepEMD with the best of a class's examples", func(m match.Matcher) fewshot.Classifier { return &fewshot.Nearest{Matcher: m} }},
	{"cosine", "mean features and their cosine, no matching", func(match.Matcher) fewshot.Classifier { return &fewshot.Global{} }},
	{"euclidean", "mean features and their distance, no matching", func(match.Matcher) fewshot.Classifier { return &fewshot.Global{Euclidean: true} }},
}

// everyMethod is the value of --classifier that stands for all of them.
const everyMethod = "all"

// classifierFlags are the flags that choose a classifier.
type classifierFlags struct{ method, weighting string }

// register adds the flags; several says whether more than one may be named.
func (f *classifierFlags) register(flags *pflag.FlagSet, several bool) {
	var help []string
	for _, m := range methods {
		help = append(help, fmt.Sprintf("%s (%s)", m.name, m.what))
	}
	if several {
		help = append(help, everyMethod+", or several with commas")
	}
	flags.StringVar(&f.method, "classifier", methods[0].name, strings.Join(help, ", "))
	flags.StringVar(&f.weighting, "weighting", "cross-reference", "node weights: cross-reference or equal")
}

// named is a classifier that was asked for.
type named struct {
	name string
	new  func() fewshot.Classifier
}

// all returns what makes the classifiers that were named.
func (f *classifierFlags) all() ([]named, error) {
	weighting, err := match.ParseWeighting(f.weighting)
	if err != nil {
		return nil, fmt.Errorf("--weighting %s: want cross-reference or equal", f.weighting)
	}
	names := strings.Split(f.method, ",")
	if f.method == everyMethod {
		names = nil
		for _, m := range methods {
			names = append(names, m.name)
		}
	}
	var list []named
	for _, name := range names {
		at := slices.IndexFunc(methods, func(m method) bool { return m.name == strings.TrimSpace(name) })
		if at < 0 {
			var known []string
			for _, m := range methods {
				known = append(known, m.name)
			}
			return nil, fmt.Errorf("--classifier %s: want one of %s", name, strings.Join(known, ", "))
		}
		m := methods[at]
		list = append(list, named{m.name, func() fewshot.Classifier { return m.new(match.Matcher{Weighting: weighting}) }})
	}
	return list, nil
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
