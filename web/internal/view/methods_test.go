package view

import (
	"slices"
	"testing"

	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/web/internal/texts"
	"github.com/deepemd/deepemd/web/internal/ui"
)

// The page offers exactly the methods of its engine.
func TestWhatCanBeChosenIsWhatTheEngineKnows(t *testing.T) {
	kit, m := learner.CommonParts(), method.Default()
	for _, c := range []struct {
		name    string
		options []ui.Option
		known   int
		try     func(value string) error
	}{
		{"classifier", named(texts.In("en"), method.Classifiers()), len(kit.Classifiers), func(v string) error {
			m := method.Default()
			m.Classifier = v
			_, err := kit.Classifier(m, learner.Tuning{})
			return err
		}},
		{"weighting", named(texts.In("en"), method.Weightings()), len(kit.Weightings), func(v string) error {
			_, err := kit.Weighting(v)
			return err
		}},
		{"solver", named(texts.In("en"), method.Solvers()), len(kit.Solvers), func(v string) error {
			_, err := kit.Solver(v)
			return err
		}},
		{"embedder", embedders(texts.In("en"), m.Embedder), 5, func(v string) error {
			m := method.Default()
			setEmbedder(&m, v)
			if got := m.Embedder.String(); got != v {
				t.Errorf("choosing %q gives %q", v, got)
			}
			_, err := kit.Embedder(m.Embedder)
			return err
		}},
	} {
		if len(c.options) != c.known {
			t.Errorf("%s: %d to choose from, the engine knows %d", c.name, len(c.options), c.known)
		}
		for _, o := range c.options {
			if err := c.try(o.Value); err != nil || o.Text == "" {
				t.Errorf("%s %q, called %q: %v", c.name, o.Value, o.Text, err)
			}
		}
	}
}

// The page also shows an embedder that it has no words for.
func TestWhatAProjectWasMadeWithStandsThere(t *testing.T) {
	chosen := method.Embedder{Kind: method.Grid, Grid: []int{4}, Ratio: 1}
	if options := embedders(texts.In("en"), chosen); !slices.Contains(options, ui.Option{Value: chosen.String(), Text: chosen.String()}) {
		t.Errorf("%q is not among %+v", chosen, options)
	}
}

func TestAnEmbedderThatIsNoneChangesNothing(t *testing.T) {
	m := method.Default()
	setEmbedder(&m, "embedder=eye")
	if !m.Equal(method.Default()) {
		t.Errorf("%v", m)
	}
}
