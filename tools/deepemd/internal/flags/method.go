package flags

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/core/match"
	"github.com/deepemd/deepemd/core/method"
)

// Method are the flags of the recognition method: --method, a line of named settings, and a flag for
// each setting, which takes precedence. A verb registers the flags that it uses; [Method.Apply]
// returns the method.
type Method struct {
	set    *pflag.FlagSet // has the values of single flags
	line   string
	passes int
}

// use registers --method once.
func (f *Method) use(set *pflag.FlagSet) {
	if f.set == nil {
		f.set = set
		set.StringVar(&f.line, "method", "", "recognition method, as a line of settings such as \"weighting=equal solver=sinkhorn:0.02\"; single flags take precedence")
	}
}

// RegisterEmbedder adds the flags of the embedder.
func (f *Method) RegisterEmbedder(set *pflag.FlagSet) {
	f.use(set)
	grid, sampling := method.Embedder{Kind: method.Grid}.Complete(), method.Embedder{Kind: method.Sampling}.Complete()
	set.String("embedder", method.Default().Embedder.Kind, "embedder, which computes the local embeddings of a picture:"+describe(method.Embedders()))
	set.IntSlice("pyramid", nil, "with fcn: further levels of the feature pyramid, such as 2,1")
	set.IntSlice("grid", nil, fmt.Sprintf("with grid: cells per side of each grid (default %s)", strings.Trim(strings.ReplaceAll(fmt.Sprint(grid.Grid), " ", ","), "[]")))
	set.Float64("ratio", 0, fmt.Sprintf("with grid: side of a crop relative to its cell (default %g)", grid.Ratio))
	set.Int("patches", 0, fmt.Sprintf("with sampling: crops per picture (default %d)", sampling.Patches))
	set.Uint64("patch-seed", 0, "with sampling: seed of the crops; the same seed and picture give the same crops (default 0)")
}

// RegisterMatcher adds the flags of the matcher.
func (f *Method) RegisterMatcher(set *pflag.FlagSet) {
	f.use(set)
	d := method.Default()
	set.String("weighting", d.Weighting, "node weights; some take a parameter after a colon, such as k-means:5:"+describe(method.Weightings()))
	set.String("solver", d.Solver, "solver of matches; some take a parameter after a colon, such as sinkhorn:0.02:"+describe(method.Solvers()))
	set.Float64("temperature", d.Temperature, "factor between similarities and logits")
}

// RegisterClassifier adds the flags of the classifier, with the defaults of base. With several, the
// user may name more than one.
func (f *Method) RegisterClassifier(set *pflag.FlagSet, base method.Method, several bool) {
	help := "classifier:" + describe(method.Classifiers())
	if several {
		help += "\nall, or several separated by commas, on the same episodes"
	}
	f.use(set)
	set.String("classifier", base.Classifier, help)
	f.RegisterMatcher(set)
	set.Bool("balance", base.Balance, "compensate for different numbers of examples per class")
	set.IntVar(&f.passes, "passes", 0, "passes over the examples, for classifiers that train on them (default 100)")
}

// RegisterStrangers adds the flag for unknown images.
func (f *Method) RegisterStrangers(set *pflag.FlagSet) {
	f.use(set)
	set.String("strangers", fmt.Sprint(method.Default().Strangers.Strictness),
		"strictness of the verdict unknown, from 0, which accepts most pictures, to 1; or off. With five classes of five photographs, the default accepts about a third of the photographs of other classes and rejects about one in ten of your own; it accepts more of similar things")
}

// settings maps flags to settings of a method. An embedder comes before its settings.
var settings = []struct{ flag, name string }{
	{"embedder", "embedder"}, {"pyramid", "pyramid"}, {"grid", "grid"}, {"ratio", "ratio"}, {"patches", "patches"}, {"patch-seed", "seed"},
	{"classifier", "classifier"}, {"weighting", "weighting"}, {"solver", "solver"}, {"temperature", "temperature"}, {"balance", "balance"},
	{"strangers", "strangers"},
}

// text returns the value of a flag in the syntax of --method.
func text(flag *pflag.Flag) string {
	switch value := flag.Value.String(); flag.Value.Type() {
	case "intSlice":
		return strings.Trim(value, "[]")
	case "bool":
		return map[string]string{"true": "on", "false": "off"}[value]
	default:
		return value
	}
}

// Apply returns base with the changes of the flags.
//
// # Errors
//
// Invalid lines, unknown names, and invalid or incompatible settings. They name the flag.
func (f *Method) Apply(base method.Method) (method.Method, error) {
	m, err := f.apply(base)
	if err == nil {
		err = f.withFlag(m, m.Validate())
	}
	return m, err
}

// apply is Apply without checking whether classifier and node weights are compatible.
func (f *Method) apply(m method.Method) (method.Method, error) {
	var err error
	if f.line != "" {
		if m, err = m.With(f.line); err != nil {
			return m, fmt.Errorf("--method: %s", strings.TrimPrefix(err.Error(), "method: "))
		}
		if err := f.checkUse(); err != nil {
			return m, err
		}
	}
	for _, one := range settings {
		if !f.set.Changed(one.flag) {
			continue
		}
		value := text(f.set.Lookup(one.flag))
		if err := m.Set(one.name, value); err != nil {
			return m, fmt.Errorf("--%s: %s", one.flag, strings.TrimPrefix(err.Error(), "method: "))
		}
	}
	m.Embedder = m.Embedder.Complete()
	if err := m.Embedder.Validate(); err != nil {
		return m, fmt.Errorf("--embedder %s: %w", m.Embedder.Kind, err)
	}
	if _, _, err := method.ParseSetting("node weights", method.Weightings(), m.Weighting); err != nil {
		return m, fmt.Errorf("--weighting: %w", err)
	}
	if _, _, err := method.ParseSetting("solver", method.Solvers(), m.Solver); err != nil {
		return m, fmt.Errorf("--solver: %w", err)
	}
	if f.passes < 0 {
		return m, errors.New("--passes: want a positive number, or 0 for the classifier's default")
	}
	return m, nil
}

// checkUse returns an error for settings of --method that a verb without a classifier does not use.
// Other verbs take a whole method, as classify prints it.
func (f *Method) checkUse() error {
	has := func(flag string) bool { return f.set.Lookup(flag) != nil }
	if has("classifier") || !has("weighting") {
		return nil
	}
	for _, field := range strings.Fields(f.line) {
		name, _, _ := strings.Cut(field, "=")
		for _, one := range settings {
			if one.name == name && !has(one.flag) {
				return fmt.Errorf("--method: this command does not use %s: leave it out", name)
			}
		}
	}
	return nil
}

// withFlag prefixes an error of incompatible settings with its flag.
func (f *Method) withFlag(m method.Method, err error) error {
	switch {
	case err == nil:
		return nil
	case strings.HasPrefix(err.Error(), "temperature"):
		return fmt.Errorf("--temperature: %w", err)
	case strings.HasPrefix(err.Error(), "strictness"):
		return fmt.Errorf("--strangers: %w, or off", err)
	}
	return fmt.Errorf("--classifier %s: %w", m.Classifier, err)
}

// Tuning returns the settings of the work.
func (f *Method) Tuning() learner.Tuning { return learner.Tuning{Passes: f.passes} }

// Chosen is a classifier to evaluate: its method and its constructor.
type Chosen struct {
	method.Method
	New func() fewshot.Classifier
}

// allClassifiers is the name for all classifiers.
const allClassifiers = "all"

// Classifiers returns the named classifiers, over base: one, several with commas, or all that are compatible
// with the node weights.
func (f *Method) Classifiers(base method.Method) ([]Chosen, error) {
	m, err := f.apply(base)
	if err != nil {
		return nil, err
	}
	names := strings.Split(m.Classifier, ",")
	if m.Classifier == allClassifiers {
		names = nil
		for _, c := range method.Classifiers() {
			names = append(names, c.Name)
		}
	}
	kit := learner.AllParts()
	var chosen []Chosen
	seen := map[string]bool{}
	for _, name := range names {
		one := m
		one.Classifier = strings.TrimSpace(name)
		if seen[one.Classifier] {
			return nil, fmt.Errorf("--classifier %s: classifier %q is named twice", m.Classifier, one.Classifier)
		}
		seen[one.Classifier] = true
		if err := one.Validate(); err != nil && m.Classifier == allClassifiers {
			continue
		}
		if _, err := kit.Classifier(one, f.Tuning()); err != nil {
			return nil, f.withFlag(one, err)
		}
		chosen = append(chosen, Chosen{one, func() fewshot.Classifier {
			c, err := kit.Classifier(one, f.Tuning())
			if err != nil {
				panic("flags: a classifier that could be made cannot be made again: " + err.Error())
			}
			return c
		}})
	}
	return chosen, nil
}

// Matcher returns a constructor of matchers for a method that Apply has checked.
func Matcher(m method.Method) func() *match.Matcher {
	kit := learner.AllParts()
	return func() *match.Matcher {
		matcher, err := kit.Matcher(m)
		if err != nil {
			panic("flags: a method that makes no sense: " + err.Error())
		}
		return &matcher
	}
}

// describe returns names with their descriptions, one per line.
func describe(names []method.Name) string {
	var text strings.Builder
	for _, n := range names {
		fmt.Fprintf(&text, "\n%s: %s", n.Name, n.What)
	}
	return text.String()
}
