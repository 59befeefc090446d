// Package method defines the recognition settings: the embedder of images, the matching of
// two images, the classifier, and the detection of unknown images. It contains all default
// settings of the project. The project file, the flags of every command, the options of a
// page and the tables of the paper all use [Method].
//
// A Method contains names, not code. A program passes the constructors for the names to
// package learner, and links only these.
package method

import (
	"cmp"
	"slices"
)

// Temperature is T in DeepEMD's score, (T/N)·Σ(1−c_ij)·x_ij, the factor between
// similarities and logits, as in the published code.
const Temperature = 12.5

// SFCRate is the learning rate of the structured fully connected layer in the authors'
// evaluation, for features on their scale; see fewshot.SFC. At the rate of their training
// script, 0.1, the layer hardly learns.
const SFCRate = 100

// Method is a complete way to recognize images. Start with Default or Paper: the zero value is not
// valid.
type Method struct {
	Embedder    Embedder  `json:"embedder"`
	Classifier  string    `json:"classifier"`  // one of Classifiers, with its setting if it has one
	Weighting   string    `json:"weighting"`   // one of Weightings, with its setting if it has one
	Solver      string    `json:"solver"`      // one of Solvers, with its setting if it has one
	Temperature float64   `json:"temperature"` // the factor between similarities and logits, above 0
	Balance     bool      `json:"balance"`     // compensate for different numbers of examples per class
	Strangers   Strangers `json:"strangers"`
}

// Embedder is the way an image becomes local embeddings. The settings of other kinds are
// zero.
type Embedder struct {
	Kind    string  `json:"kind" ts:"\"fcn\" | \"grid\" | \"sampling\""` // one of Embedders
	Pyramid []int   `json:"pyramid,omitempty" ts:"readonly number[]"`    // of fcn: sides of the pooled maps, in addition to the raw map
	Grid    []int   `json:"grid,omitempty" ts:"readonly number[]"`       // of grid: cells on a side, for each level
	Ratio   float64 `json:"ratio,omitempty"`                             // of grid: side of a crop, in cells
	Patches int     `json:"patches,omitempty"`                           // of sampling: crops per image
	Seed    uint64  `json:"seed,omitempty"`                              // of sampling: seed of the random crops
}

// Strangers sets whether images that belong to no class are reported as unknown. An image of one
// color belongs to none unless an example has one color. Images that resemble background examples
// are unknown in any case: see learner.AddBackgroundClass.
type Strangers struct {
	Name       bool    `json:"name"`       // report them
	Strictness float64 `json:"strictness"` // from 0, which accepts most images, to 1, which rejects most
}

// Default returns the default method of all programs.
func Default() Method {
	return Method{
		Embedder:    Embedder{Kind: FCN},
		Classifier:  Mixture,
		Weighting:   CrossReference,
		Solver:      Simplex,
		Temperature: Temperature,
		Balance:     true,
		// The strictest setting that rejects at most 12% of images of the classes, with
		// five examples per class. About half of the unknown images pass (measured on
		// classes that the network was not trained on, see RESULTS.md).
		Strangers: Strangers{Name: true, Strictness: 0.42},
	}
}

// Paper returns the published method, as measured in the paper's tables: prototypes,
// without balancing of the classes' numbers of examples and without detection of unknown
// images.
func Paper() Method {
	m := Default()
	m.Classifier = Prototype
	m.Balance = false
	m.Strangers.Name = false
	return m
}

// IsZero reports whether the method is the zero value.
func (m Method) IsZero() bool { return m.Equal(Method{}) }

// Equal reports whether two methods have the same settings. A zero setting differs from its
// default: call Complete on both methods first.
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
// are choices there. The result shares no memory with m.
func (m Method) Complete() Method {
	d := Default()
	m.Classifier = cmp.Or(m.Classifier, d.Classifier)
	if m.Classifier == SFC {
		m.Classifier += ":" + number(SFCRate)
	}
	m.Weighting, m.Solver = cmp.Or(m.Weighting, d.Weighting), cmp.Or(m.Solver, d.Solver)
	m.Temperature = cmp.Or(m.Temperature, d.Temperature)
	m.Embedder = m.Embedder.Complete()
	return m
}

// Complete returns the embedder with the defaults of its kind, which are the published
// settings, and shares no memory with e. The default number of crops takes a page about a second.
func (e Embedder) Complete() Embedder {
	e.Pyramid, e.Grid = slices.Clone(e.Pyramid), slices.Clone(e.Grid)
	e.Kind = cmp.Or(e.Kind, FCN)
	switch e.Kind {
	case Grid:
		if len(e.Grid) == 0 {
			e.Grid = []int{2, 3}
		}
		e.Ratio = cmp.Or(e.Ratio, 2)
	case Sampling:
		e.Patches = cmp.Or(e.Patches, 9)
	}
	return e
}
