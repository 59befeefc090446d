package learner

import (
	"fmt"
	"slices"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/core/match"
	"github.com/deepemd/deepemd/core/method"
)

// Kit holds the constructors of the embedders, classifiers, node weights and solvers that a
// [method.Method] names. A program links only the parts of its kit. Package method lists the names: a
// kit can replace a part, but not add a name.
type Kit struct {
	Embedders   map[string]func(method.Embedder) embed.Embedder
	Classifiers map[string]func(Settings) fewshot.Classifier
	// Weightings receive the number after the colon, 0 if absent.
	Weightings map[string]func(value float64) match.Weighting
	// Solvers likewise. A nil solver selects the exact solver of match.Matcher.
	Solvers map[string]func(strength float64) match.Solver
}

// Settings are the arguments of a classifier's constructor.
type Settings struct {
	Matcher match.Matcher // with its own working memory
	Rate    float64       // the number after the classifier's colon, 0 if absent
	Balance bool          // compensate for different numbers of examples per class
	Tuning
}

// Tuning changes the amount of work, and not the method.
type Tuning struct {
	Skip   bool // skip the matches of classes that cannot win, if the classifier supports it
	Passes int  // training passes of classifiers that learn; 0 for the classifier's default
}

// Embedder returns an embedder, with the defaults for absent settings.
//
// It returns the errors of method.Embedder.Validate, and an error if the kit lacks the embedder.
func (k Kit) Embedder(e method.Embedder) (embed.Embedder, error) {
	e = e.Complete()
	if err := e.Validate(); err != nil {
		return nil, err
	}
	maker, _, err := find(k.Embedders, "embedder", method.Embedders(), e.Kind)
	if err != nil {
		return nil, err
	}
	return maker(e), nil
}

// Classifier returns the classifier of a method, with the method's matcher.
//
// It returns the errors of method.Method.Validate, and an error if the kit lacks a part or Passes is below 0.
func (k Kit) Classifier(m method.Method, t Tuning) (fewshot.Classifier, error) {
	if t.Passes < 0 {
		return nil, fmt.Errorf("%d passes: want a positive number, or 0 for the classifier's default", t.Passes)
	}
	maker, rate, err := find(k.Classifiers, "classifier", method.Classifiers(), m.Classifier)
	if err != nil {
		return nil, err
	}
	matcher, err := k.Matcher(m)
	if err != nil {
		return nil, err
	}
	if err := m.Validate(); err != nil {
		return nil, err
	}
	return maker(Settings{Matcher: matcher, Rate: rate, Balance: m.Balance, Tuning: t}), nil
}

// Matcher returns a matcher with the method's weighting, solver and temperature, and with its
// own working memory. It returns the same errors as Classifier.
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

// Weighting returns the node weights of a name such as "k-means:5". It returns the same errors as Classifier.
func (k Kit) Weighting(text string) (match.Weighting, error) {
	maker, value, err := find(k.Weightings, "node weights", method.Weightings(), text)
	if err != nil {
		return nil, err
	}
	return maker(value), nil
}

// Solver returns the solver of a name such as "sinkhorn:0.02", with its own working memory, or
// nil for the exact solver. It returns the same errors as Classifier.
func (k Kit) Solver(text string) (match.Solver, error) {
	maker, strength, err := find(k.Solvers, "solver", method.Solvers(), text)
	if err != nil {
		return nil, err
	}
	return maker(strength), nil
}

// find returns the constructor that text names, and the number after the colon. Its error for
// a name that the kit lacks lists the kit's names.
func find[S, T any](makers map[string]func(S) T, what string, all []method.Name, text string) (func(S) T, float64, error) {
	names := slices.DeleteFunc(slices.Clone(all), func(n method.Name) bool { return makers[n.Name] == nil })
	if len(names) == 0 {
		return nil, 0, fmt.Errorf("the kit has no %s: add some to it, or use CommonParts", what)
	}
	name, value, err := method.ParseSetting(what, names, text)
	if err != nil && len(names) < len(all) {
		if _, _, unknown := method.ParseSetting(what, all, text); unknown == nil {
			err = fmt.Errorf("%w (Go: Options.Kit can be AllParts)", err)
		}
	}
	return makers[name], value, err
}
