package wasm

import (
	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/core/match"
)

// matching is what the options say of how pictures are matched.
type matching struct {
	weighting   match.Weighting
	solver      func() match.Solver // nil from it stands for the exact one
	temperature float64             // 0 for the usual one
}

// newMatching checks the options.
func newMatching(opt Options) (m matching, err error) {
	if m.weighting, err = newWeighting(opt); err != nil {
		return m, err
	}
	switch opt.Solver {
	case "", "simplex":
		m.solver = func() match.Solver { return nil }
	case "dense":
		m.solver = func() match.Solver { return new(match.Dense) }
	default:
		return m, fail(CodeBadArgument, `there is no solver %q: want "simplex" or "dense"`, opt.Solver)
	}
	m.temperature = opt.Temperature
	if !(m.temperature >= 0 && m.temperature <= maxTemperature) {
		return m, fail(CodeBadArgument, "temperature %g: want it above 0, up to %d; %g is usual", opt.Temperature, maxTemperature, match.Temperature)
	}
	return m, nil
}

// maxTemperature bounds what is believed: beyond it every answer is 0 or 1.
const maxTemperature = 1000

// matcher returns a matcher of its own working memory.
func (m matching) matcher() match.Matcher {
	return match.Matcher{Weighting: m.weighting, Solver: m.solver(), Temperature: m.temperature}
}

// usual returns a matcher whose scores are those of the usual temperature.
func (m matching) usual() match.Matcher {
	return match.Matcher{Weighting: m.weighting, Solver: m.solver()}
}

// newClassifier returns the classifier that the options name.
func newClassifier(opt Options, m matching) (fewshot.Classifier, error) {
	switch opt.Classifier {
	case "", "prototype":
		return &fewshot.Prototype{Matcher: m.matcher(), Skip: opt.Skip, Balance: true}, nil
	case "nearest":
		return &fewshot.Nearest{Matcher: m.matcher(), Skip: opt.Skip}, nil
	case "fusion":
		return &fewshot.Fusion{Matcher: m.matcher()}, nil
	case "merge":
		return &fewshot.Merge{Matcher: m.matcher()}, nil
	case "cosine":
		return &fewshot.Global{Temperature: temperatureOf(m)}, nil
	default:
		return nil, fail(CodeBadArgument, `there is no classifier %q: want "prototype", "nearest", "fusion", "merge" or "cosine"`, opt.Classifier)
	}
}

func temperatureOf(m matching) float64 {
	if m.temperature == 0 {
		return match.Temperature
	}
	return m.temperature
}

// Configure changes the classifier, the node weights, the solver and the
// temperature. Examples stay as they are: the embedder and the network are those
// that the engine was started with, whatever the options say of them.
//
// Errors: "bad-argument", after which nothing has changed.
func (e *Engine) Configure(opt Options) error {
	m, err := newMatching(opt)
	if err != nil {
		return err
	}
	classifier, err := newClassifier(opt, m)
	if err != nil {
		return err
	}
	e.matching, e.classifier = m, classifier
	e.changed()
	e.explainer = explainer{matcher: m.matcher()}
	e.strangers = strangers{}
	return nil
}

// EnableClass has a class considered or passed over, with all its examples. Classes
// are enabled when they are added. Errors: "unknown-class".
func (e *Engine) EnableClass(id string, enabled bool) error {
	c, err := e.class(id)
	if err != nil {
		return err
	}
	if c.disabled == enabled {
		c.disabled = !enabled
		e.changed()
	}
	return nil
}
