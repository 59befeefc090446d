package methods

import (
	"fmt"
	"slices"
	"strings"

	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/core/match"
	"github.com/deepemd/deepemd/core/method"
)

// Settings are what classifiers have in common. The zero value is DeepEMD's.
type Settings struct {
	Weighting match.Weighting // of the classifiers that match; nil for cross-reference
	Solver    Solver          // of the same
	Passes    int             // over the support, of the classifiers that learn; 0 for each one's own
}

func (s Settings) matcher() match.Matcher {
	return match.Matcher{Weighting: s.Weighting, Solver: s.Solver.New()}
}

func (s Settings) descent() fewshot.Descent { return fewshot.Descent{Passes: s.Passes} }

// Classifier is a classifier that has a name.
type Classifier struct {
	Name string
	What string // it does, in a line
	// New makes one. Classifiers made at different times share nothing.
	New func(Settings) fewshot.Classifier
}

// classifiers are all, the usual one first.
var classifiers = []Classifier{
	{"prototype", "DeepEMD with the mean of a class's examples, node by node", func(s Settings) fewshot.Classifier {
		return &fewshot.Prototype{Matcher: s.matcher()}
	}},
	{"sfc", "DeepEMD with sets of nodes learned from the examples: the structured fully connected layer", func(s Settings) fewshot.Classifier {
		return &fewshot.SFC{Matcher: s.matcher(), Descent: s.descent()}
	}},
	{"nearest", "DeepEMD with the best of a class's examples (EMD+NN)", func(s Settings) fewshot.Classifier {
		return &fewshot.Nearest{Matcher: s.matcher()}
	}},
	{"fusion", "DeepEMD, the mean of the scores of a class's examples (EMD+Fusion)", func(s Settings) fewshot.Classifier {
		return &fewshot.Fusion{Matcher: s.matcher()}
	}},
	{"merge", "DeepEMD with all nodes of a class's examples in one set (EMD+Merge)", func(s Settings) fewshot.Classifier {
		return &fewshot.Merge{Matcher: s.matcher()}
	}},
	{"cosine", "prototypes of mean features, by cosine", func(Settings) fewshot.Classifier {
		return &fewshot.Global{Temperature: method.Temperature}
	}},
	{"euclidean", "prototypes of mean features, by distance", func(Settings) fewshot.Classifier {
		return &fewshot.Global{Euclidean: true}
	}},
	{"matching", "matching network: attention to the examples' mean features", func(Settings) fewshot.Classifier {
		return &fewshot.Matching{}
	}},
	{"cosine-head", "cosine classifier of mean features, learned on the examples", func(s Settings) fewshot.Classifier {
		return &fewshot.CosineHead{Descent: s.descent()}
	}},
	{"linear-head", "linear classifier of mean features, learned on the examples", func(s Settings) fewshot.Classifier {
		return &fewshot.LinearHead{Descent: s.descent()}
	}},
	{"dn4", "each node's 3 nearest among a class's nodes", func(Settings) fewshot.Classifier {
		return &fewshot.LocalNearest{}
	}},
	{"prediction-fusion", "each node classified on its own (dense classification)", func(Settings) fewshot.Classifier {
		return &fewshot.PredictionFusion{}
	}},
}

// All is the name that stands for all classifiers.
const All = "all"

// Classifiers lists all classifiers, the usual one first.
func Classifiers() []Classifier { return slices.Clone(classifiers) }

// ParseClassifiers returns the classifiers of a list of names with commas, or of
// "all". It returns an error that lists the names for one that there is not, and
// for one that is named twice.
func ParseClassifiers(names string) ([]Classifier, error) {
	if names == All {
		return Classifiers(), nil
	}
	var list []Classifier
	for _, name := range strings.Split(names, ",") {
		name = strings.TrimSpace(name)
		is := func(c Classifier) bool { return c.Name == name }
		at := slices.IndexFunc(classifiers, is)
		if at < 0 {
			var known []string
			for _, c := range classifiers {
				known = append(known, c.Name)
			}
			return nil, fmt.Errorf("no classifier %q: want %s or %s", name, strings.Join(known, ", "), All)
		}
		if slices.ContainsFunc(list, is) {
			return nil, fmt.Errorf("classifier %q is there twice", name)
		}
		list = append(list, classifiers[at])
	}
	return list, nil
}

// Learnable returns the classifiers that go with a weighting: all but those that
// learn nodes, where it merges them.
func Learnable(list []Classifier, weighting match.Weighting) []Classifier {
	if _, merges := weighting.(match.Grouping); !merges {
		return list
	}
	return slices.DeleteFunc(slices.Clone(list), func(c Classifier) bool {
		_, learns := c.New(Settings{}).(*fewshot.SFC)
		return learns
	})
}
