// Package method is the value that says how things are recognised: which local
// embeddings a picture becomes, how two pictures are matched, which classifier
// learns the classes, and whether strangers are named. The defaults of the whole
// project stand here and nowhere else. The project file, the flags of every
// command, the options of a page and the tables of the paper all hold a [Method].
//
// A Method holds names, not code. A program hands package learner the constructors
// for them, and links only those.
package method

import "slices"

// Temperature is T in DeepEMD's score, (T/N)·Σ(1−c_ij)·x_ij, the factor between
// similarities and logits, as in the published code.
const Temperature = 12.5

// SFCRate is the learning rate of the structured fully connected layer, as in the authors'
// evaluation: that of features like theirs, see fewshot.SFC. Their training script has 0.1, with
// which the layer hardly learns.
const SFCRate = 100

// Method is a complete way to recognize images. Start with Default or Paper: the zero value is not
// valid.
type Method struct {
	Embedder    Embedder  `json:"embedder"`
	Classifier  string    `json:"classifier"`  // one of Classifiers, with its setting, such as "sfc:100"
	Weighting   string    `json:"weighting"`   // one of Weightings, with its setting, such as "k-means:5"
	Solver      string    `json:"solver"`      // one of Solvers, with its setting, such as "sinkhorn:0.02"
	Temperature float64   `json:"temperature"` // the factor between similarities and logits, above 0
	Balance     bool      `json:"balance"`     // compensate for different numbers of examples per class
	Strangers   Strangers `json:"strangers"`
}

// Embedder is the way an image becomes local embeddings. The settings of other kinds are
// zero.
type Embedder struct {
	Kind    string  `json:"kind"`              // one of Embedders
	Pyramid []int   `json:"pyramid,omitempty"` // of fcn: sides of the pooled maps, in addition to the raw map
	Grid    []int   `json:"grid,omitempty"`    // of grid: cells on a side, for each level
	Ratio   float64 `json:"ratio,omitempty"`   // of grid: side of a crop, in cells
	Patches int     `json:"patches,omitempty"` // of sampling: crops per image
	Seed    uint64  `json:"seed,omitempty"`    // of sampling: seed of the random crops
}

// Strangers sets whether images that belong to no class are reported as unknown. Images that
// resemble background examples are unknown in any case: see learner.AddBackgroundClass.
type Strangers struct {
	Name       bool    `json:"name"`       // report them
	Strictness float64 `json:"strictness"` // from 0, which accepts most images, to 1, which rejects most
}

// Default is the method of every program that asks for no other.
func Default() Method {
	return Method{
		Embedder:    Embedder{Kind: FCN},
		Classifier:  Mixture,
		Weighting:   CrossReference,
		Solver:      Simplex,
		Temperature: Temperature,
		Balance:     true,
		// The strictest that turns away at most 12% of pictures of the classes, from
		// five examples of each: about half of all strangers pass (measured on classes
		// that the network has not learned, see RESULTS.md).
		Strangers: Strangers{Name: true, Strictness: 0.42},
	}
}

// Paper is the published method, which the paper's tables measure: the mean of a
// class's examples stands for it, classes with more examples are not held back, and
// every picture belongs to some class.
func Paper() Method {
	m := Default()
	m.Classifier = Prototype
	m.Balance = false
	m.Strangers.Name = false
	return m
}

// IsZero reports whether the method is the zero value.
func (m Method) IsZero() bool { return m.Equal(Method{}) }

// Equal reports whether two methods have the same settings. A setting left at zero
// differs from its default: compare what Complete returns.
func (m Method) Equal(o Method) bool {
	return m.Embedder.Equal(o.Embedder) && m.Classifier == o.Classifier && m.Weighting == o.Weighting && m.Solver == o.Solver &&
		m.Temperature == o.Temperature && m.Balance == o.Balance && m.Strangers == o.Strangers
}

// Equal reports whether two embedders have the same settings.
func (e Embedder) Equal(o Embedder) bool {
	return e.Kind == o.Kind && slices.Equal(e.Pyramid, o.Pyramid) && slices.Equal(e.Grid, o.Grid) &&
		e.Ratio == o.Ratio && e.Patches == o.Patches && e.Seed == o.Seed
}

// Complete returns the method with the default for every absent name, number or
// setting of the embedder. Balance and Strangers stay the same, because false and 0
// are choices there.
func (m Method) Complete() Method {
	d := Default()
	fill(&m.Classifier, d.Classifier)
	if m.Classifier == SFC {
		m.Classifier += ":" + number(SFCRate) // projects from before there was a rate have none, see project.ParseManifest
	}
	fill(&m.Weighting, d.Weighting)
	fill(&m.Solver, d.Solver)
	if m.Temperature == 0 {
		m.Temperature = d.Temperature
	}
	m.Embedder = m.Embedder.Complete()
	return m
}

// Complete returns the embedder with the defaults of its kind: those of the
// published method, and as many crops as a page embeds in about a second.
func (e Embedder) Complete() Embedder {
	fill(&e.Kind, FCN)
	switch e.Kind {
	case Grid:
		if len(e.Grid) == 0 {
			e.Grid = []int{2, 3}
		}
		if e.Ratio == 0 {
			e.Ratio = 2
		}
	case Sampling:
		if e.Patches == 0 {
			e.Patches = 9
		}
	}
	return e
}

func fill(s *string, with string) {
	if *s == "" {
		*s = with
	}
}
