package view

import (
	"slices"

	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/web/internal/session"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// What can be chosen of a method: the names of package method that the page's engine
// knows, in that package's order, in the words of the page.

func classifiers(t *texts.Texts, chosen string) []option {
	return named(method.Classifiers(), chosen, map[string]string{
		method.Mixture: t.Setup.Mixture, method.Prototype: t.Setup.Prototype, method.Nearest: t.Setup.Nearest, method.Fusion: t.Setup.Fusion,
		method.Merge: t.Setup.Merge, method.Cosine: t.Setup.Cosine,
	})
}

func weightings(t *texts.Texts, chosen string) []option {
	return named(method.Weightings(), chosen, map[string]string{
		method.CrossReference: t.Setup.Cross, method.Equal: t.Setup.Equal,
	})
}

func solvers(t *texts.Texts, chosen string) []option {
	return named(method.Solvers(), chosen, map[string]string{
		method.Simplex: t.Setup.Exact, method.Dense: t.Setup.Dense,
	})
}

// named are the names that the page has words for. A project may have been made with
// another, which then stands there by its name.
func named(names []method.Name, chosen string, words map[string]string) []option {
	var options []option
	for _, n := range names {
		if text, ok := words[n.Name]; ok {
			options = append(options, option{n.Name, text})
		}
	}
	return with(options, chosen)
}

// with returns options among which is the one that was chosen.
func with(options []option, chosen string) []option {
	if !slices.ContainsFunc(options, func(o option) bool { return o.value == chosen }) {
		options = append(options, option{chosen, chosen})
	}
	return options
}

// embedders are some of the many ways to take a picture apart; their values are what
// method.Embedder.String says of them.
func embedders(t *texts.Texts, chosen method.Embedder) []option {
	few := method.Embedder{Kind: method.Sampling}.Complete()
	many := method.Embedder{Kind: method.Sampling, Patches: manyCrops}
	grid := method.Embedder{Kind: method.Grid}.Complete()
	passes := 0
	for _, cells := range grid.Grid {
		passes += cells * cells
	}
	return with([]option{
		{session.Fast.Method().Embedder.String(), t.Setup.Positions},
		{session.Balanced.Method().Embedder.String(), t.Setup.Pyramid},
		{grid.String(), t.Setup.Grid(passes)},
		{few.String(), t.Setup.Crops(few.Patches)},
		{many.String(), t.Setup.Crops(many.Patches)},
	}, chosen.String())
}

// manyCrops is the largest number of crops in the paper's tables.
const manyCrops = 25

// setEmbedder takes one of the embedders over, by its value.
func setEmbedder(m *method.Method, value string) {
	without := *m
	without.Embedder = method.Embedder{}
	if chosen, err := without.With(value); err == nil {
		m.Embedder = chosen.Embedder
	}
}
