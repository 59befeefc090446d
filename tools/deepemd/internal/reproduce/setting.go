package reproduce

import (
	"cmp"
	"fmt"

	"github.com/deepemd/deepemd/core/method"
)

// Roles of networks and datasets.
const (
	Main       = ""           // the main network or dataset
	Pretrained = "pretrained" // a network after pre-training alone; by default the main one
	Plain      = "plain"      // a network that was pre-trained without rotations
	Augmented  = "augmented"  // a network that was pre-trained with rotated images, without their task
	Rotated    = "rotated"    // a network that was pre-trained with the task of rotations
	Onto       = "onto"       // a dataset that the network was not trained on
)

// Setting is one measurement: a method, and the episodes that it classifies. IDs of results are
// computed from its JSON, so that must not change.
type Setting struct {
	Network string `json:"network,omitempty"` // Main, Pretrained, Plain, Augmented or Rotated
	Data    string `json:"data,omitempty"`    // Main or Onto
	// Pictures is the number of images per class, the first by name; 0 for all.
	Pictures int    `json:"pictures,omitempty"`
	Way      int    `json:"way"`
	Shot     int    `json:"shot"`
	Query    int    `json:"query"` // per class
	Episodes int    `json:"episodes"`
	Seed     uint64 `json:"seed"`
	// The variation of the paper's method. Its node weights may also be "mean-shift~0.5": half the mean
	// of the estimated bandwidths.
	Embedder   storedEmbedder `json:"embedder"`
	Classifier string         `json:"classifier"`
	Weighting  string         `json:"weighting"`
	Solver     string         `json:"solver"`
}

// storedEmbedder is an embedder whose JSON has all fields under their Go names; the kind fcn is "".
type storedEmbedder struct {
	Kind    string
	Pyramid []int
	Grid    []int
	Ratio   float64
	Patches int
	Seed    uint64
}

func store(e method.Embedder) storedEmbedder {
	if e.Kind == method.FCN {
		e.Kind = ""
	}
	return storedEmbedder(e)
}

func (s Setting) method() method.Method {
	m := method.Paper()
	m.Embedder, m.Classifier, m.Weighting, m.Solver = method.Embedder(s.Embedder).Complete(), s.Classifier, s.Weighting, s.Solver
	return m
}

// String describes the setting: "sfc, fcn, 5-way 5-shot".
func (s Setting) String() string {
	usual, what := method.Paper(), s.Classifier
	if s.Weighting != usual.Weighting {
		what += " of " + s.Weighting
	}
	if s.Solver != usual.Solver {
		what += " by " + s.Solver
	}
	return fmt.Sprintf("%s, %s, %d-way %d-shot", what, describe(method.Embedder(s.Embedder)), s.Way, s.Shot)
}

func describe(c method.Embedder) string {
	switch c.Kind {
	case method.Grid:
		return fmt.Sprint("grids ", c.Grid)
	case method.Sampling:
		return fmt.Sprint(c.Patches, " random crops")
	}
	if len(c.Pyramid) > 0 {
		return fmt.Sprint("fcn with pyramid ", c.Pyramid)
	}
	return "fcn"
}

// crops returns the number of passes through the network per image.
func crops(c method.Embedder) int {
	switch c.Kind {
	case method.Grid:
		n := 0
		for _, level := range c.Grid {
			n += level * level
		}
		return n
	case method.Sampling:
		return c.Patches
	}
	return 1
}

// Table is one of the paper's tables, or its figure of k shots.
type Table struct {
	Name, Title string
	About       string // a description in a few sentences
	Columns     []Column
	Rows        []Row
	// Crops is set if some rows crop images, and all rows use the same images: see
	// [Plan].CropPictures.
	Crops bool
	// Draws is set for a figure: accuracy by shots.
	Draws bool
	// Layer is set for times of the EMD layer, with rows and columns as in [Timing].
	Layer bool
	// Orders are the paper's claims.
	Orders []Order
}

// Column is a number of classes and of examples per class.
type Column struct {
	Key, Label string // "5w1s", "5-way 1-shot"
	Way, Shot  int
}

// Row is a method: method.Paper with the given changes.
type Row struct {
	Key, Label    string
	Network, Data string
	Embedder      method.Embedder
	Classifier    string
	// Several replaces Classifier for several shots, if set.
	Several           string
	Weighting, Solver string
}

// Order is a claim of the paper: the row Better has a higher accuracy than each of the rows Worse,
// in the given columns or in all.
type Order struct {
	Better  string
	Worse   []string
	Columns []string
}

// Plan limits the measurements.
type Plan struct {
	Episodes        int    // of cells with several shots
	OneShotEpisodes int    // of cells with one shot
	Seed            uint64 // of the episodes
	Query           int    // per class
	// CropPictures is the number of images per class in rows and tables with crops; 0 for all.
	CropPictures int
	// LayerEpisodes is the number of episodes of cells with the structured fully connected layer,
	// which learns slowly.
	LayerEpisodes int
	Shots         []int // in the figure of k shots
}

// of names the cells that have the number of episodes of s, or returns "" if it is the usual number.
func (p Plan) of(s Setting) string {
	switch {
	case s.Episodes == p.Episodes && p.OneShotEpisodes == p.Episodes:
		return ""
	case s.Classifier == layer:
		return " for the structured fully connected layer"
	case s.Shot == 1:
		return " for one shot"
	}
	return " for several shots"
}

func (p Plan) setting(t *Table, r Row, c Column) Setting {
	usual, embedder := method.Paper(), r.Embedder.Complete()
	s := Setting{
		Network: r.Network, Data: r.Data, Way: c.Way, Shot: c.Shot, Query: p.Query, Episodes: p.Episodes, Seed: p.Seed,
		Embedder: store(embedder), Classifier: cmp.Or(r.Classifier, usual.Classifier),
		Weighting: cmp.Or(r.Weighting, usual.Weighting), Solver: cmp.Or(r.Solver, usual.Solver),
	}
	if c.Shot > 1 && r.Several != "" {
		s.Classifier = r.Several
	}
	if t.Crops || crops(embedder) > 1 {
		s.Pictures = p.CropPictures
	}
	switch {
	case s.Classifier == layer:
		s.Episodes = p.LayerEpisodes
	case c.Shot == 1:
		s.Episodes = p.OneShotEpisodes
	}
	return s
}
