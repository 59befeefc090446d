// Package parts makes what a [method.Method] names: embedders, classifiers, node
// weights and solvers. A [Kit] holds the constructors; a program that names its own
// few links no others, and All has every one there is.
package parts

import (
	"fmt"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/core/match"
	"github.com/deepemd/deepemd/core/method"
)

// Kit holds constructors by the names that methods give them.
type Kit struct {
	Embedders   map[string]func(method.Embedder) embed.Embedder
	Classifiers map[string]func(Settings) fewshot.Classifier
	// Weightings take the number behind the name's colon, 0 where there is none.
	Weightings map[string]func(value float64) match.Weighting
	// Solvers likewise; nil made by one stands for match.Matcher's own, the exact one.
	Solvers map[string]func(strength float64) match.Solver
}

// Settings are what classifiers are made with.
type Settings struct {
	Matcher match.Matcher // of its own working memory
	Balance bool          // make up for different numbers of examples
	Tuning
}

// Tuning is what says nothing of how things are recognised, but of the work.
type Tuning struct {
	Skip   bool // leave classes that cannot win unsolved, where a classifier can
	Passes int  // over the support, of the classifiers that learn; 0 for each one's own
}

// Embedder makes an embedder, whose absent settings are the defaults.
//
// It returns an error for one that method.Embedder.Validate refuses, and one that
// the kit does not hold.
func (k Kit) Embedder(e method.Embedder) (embed.Embedder, error) {
	e = e.Complete()
	if err := e.Validate(); err != nil {
		return nil, err
	}
	return made(k.Embedders, "embedder", e.Kind, e)
}

// Classifier makes the classifier of a method, which matches as the method says.
//
// It returns an error for a method that Validate refuses, and for a part that the
// kit does not hold.
func (k Kit) Classifier(m method.Method, t Tuning) (fewshot.Classifier, error) {
	if err := m.Validate(); err != nil {
		return nil, err
	}
	matcher, err := k.Matcher(m)
	if err != nil {
		return nil, err
	}
	return made(k.Classifiers, "classifier", m.Classifier, Settings{Matcher: matcher, Balance: m.Balance, Tuning: t})
}

// Matcher makes a matcher of a method's weighting, solver and temperature, with
// working memory of its own. Errors are those of Classifier.
func (k Kit) Matcher(m method.Method) (match.Matcher, error) {
	weighting, err := k.Weighting(m.Weighting)
	if err != nil {
		return match.Matcher{}, err
	}
	solver, err := k.Solver(m.Solver)
	if err != nil {
		return match.Matcher{}, err
	}
	return match.Matcher{Weighting: weighting, Solver: solver, Temperature: m.Temperature}, nil
}

// Weighting makes node weights by name, "k-means:5". Errors are those of Classifier.
func (k Kit) Weighting(text string) (match.Weighting, error) {
	name, value, err := method.ParseSetting("node weights", method.Weightings(), text)
	if err != nil {
		return nil, err
	}
	return made(k.Weightings, "node weights", name, value)
}

// Solver makes a solver by name, "sinkhorn:0.02", with working memory of its own;
// nil stands for the exact one. Errors are those of Classifier.
func (k Kit) Solver(text string) (match.Solver, error) {
	name, strength, err := method.ParseSetting("solver", method.Solvers(), text)
	if err != nil {
		return nil, err
	}
	return made(k.Solvers, "solver", name, strength)
}

// made calls the constructor of a name.
func made[S, T any](makers map[string]func(S) T, what, name string, with S) (T, error) {
	maker := makers[name]
	if maker == nil {
		var none T
		return none, fmt.Errorf("this program is built without the %s %q: choose another, or hand it a kit that has it", what, name)
	}
	return maker(with), nil
}
