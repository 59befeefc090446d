package reproduce

import (
	"cmp"
	"encoding/json"
	"fmt"

	"github.com/deepemd/deepemd/core/method"
)

// Names of networks and data sets that a setting may ask for.
const (
	Main        = ""         // the network, or the data set, that everything is about
	Plain       = "plain"    // a network pre-trained without the auxiliary task of rotations
	ForGrid     = "grid"     // a network taught with the crops of grids; without one the main one
	ForSampling = "sampling" // a network taught with random crops; likewise
	Onto        = "onto"     // a data set that the network was not trained on
)

// Setting is one measurement: a method, and the episodes that it classifies.
type Setting struct {
	Network string // Main, Plain, ForGrid or ForSampling
	Data    string // Main or Onto
	// Pictures is how many of each class take part, the first by name; 0 for all.
	Pictures int
	Way      int
	Shot     int
	Query    int // a class
	Episodes int
	Seed     uint64
	// Method is the paper's but for what is measured. Its node weights may also be
	// "mean-shift~0.5": a bandwidth of half the mean one that is estimated.
	Method method.Method
}

// stored is a setting in a report's file, and what its identity is made of: outcomes
// that were measured before are found by it, so that its form stays.
type stored struct {
	Network  string `json:"network,omitempty"`
	Data     string `json:"data,omitempty"`
	Pictures int    `json:"pictures,omitempty"`
	Way      int    `json:"way"`
	Shot     int    `json:"shot"`
	Query    int    `json:"query"`
	Episodes int    `json:"episodes"`
	Seed     uint64 `json:"seed"`
	// Embedder has its fields under their own names, all of them; the kind fcn is "".
	Embedder   storedEmbedder `json:"embedder"`
	Classifier string         `json:"classifier"`
	Weighting  string         `json:"weighting"`
	Solver     string         `json:"solver"`
}

// storedEmbedder is an embedder in a report's file.
type storedEmbedder struct {
	Kind    string
	Pyramid []int
	Grid    []int
	Ratio   float64
	Patches int
	Seed    uint64
}

// store returns the form in which an embedder is kept.
func store(e method.Embedder) storedEmbedder {
	if e.Kind == method.FCN {
		e.Kind = ""
	}
	return storedEmbedder(e)
}

// MarshalJSON implements json.Marshaler.
func (s Setting) MarshalJSON() ([]byte, error) {
	return json.Marshal(stored{
		s.Network, s.Data, s.Pictures, s.Way, s.Shot, s.Query, s.Episodes, s.Seed,
		store(s.Method.Embedder), s.Method.Classifier, s.Method.Weighting, s.Method.Solver,
	})
}

// UnmarshalJSON implements json.Unmarshaler.
func (s *Setting) UnmarshalJSON(text []byte) error {
	var in stored
	if err := json.Unmarshal(text, &in); err != nil {
		return err
	}
	*s = Setting{in.Network, in.Data, in.Pictures, in.Way, in.Shot, in.Query, in.Episodes, in.Seed, method.Paper()}
	m := &s.Method
	m.Embedder, m.Classifier, m.Weighting, m.Solver = method.Embedder(in.Embedder).Complete(), in.Classifier, in.Weighting, in.Solver
	return nil
}

// String says it for people: "sfc, 5-way 5-shot".
func (s Setting) String() string {
	m, usual := s.Method, method.Paper()
	what := m.Classifier
	if m.Weighting != usual.Weighting {
		what += " of " + m.Weighting
	}
	if m.Solver != usual.Solver {
		what += " by " + m.Solver
	}
	return fmt.Sprintf("%s, %s, %d-way %d-shot", what, describe(m.Embedder), s.Way, s.Shot)
}

// describe names an embedder for people.
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

// crops is how many passes through the network a picture takes.
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

// Table is one of the paper's, or its figure of k shots.
type Table struct {
	Name, Title string
	About       string // what is compared, and how, in a few sentences
	Columns     []Column
	Rows        []Row
	// Crops says that pictures are cut into many crops, so that a part of them may
	// have to do: see [Plan].CropPictures.
	Crops bool
	// Draws says that the table is a figure: accuracy by shots.
	Draws bool
	// Layer says that the table is of times of the transport layer. Its rows and
	// columns are those of [Timings].
	Layer bool
	// Finds says that the table is of retrieval: see [Lab].Find.
	Finds bool
	// Orders are what the paper says is better than what.
	Orders []Order
}

// Column is a number of classes and of examples of each.
type Column struct {
	Key, Label string // "5w1s", "5-way 1-shot"
	Way, Shot  int
}

// Row is a method: the paper's, method.Paper, but for what a row names.
type Row struct {
	Key, Label    string
	Network, Data string
	Embedder      method.Embedder
	Classifier    string
	// Several is the classifier where there are several shots; empty for Classifier.
	Several           string
	Weighting, Solver string
}

// Order is a claim of the paper: the row Better has a higher accuracy than each of
// the rows Worse, in the columns named, or in all.
type Order struct {
	Better  string
	Worse   []string
	Columns []string
}

// Plan says how much is measured.
type Plan struct {
	Episodes int // of every cell
	// OneShotEpisodes are those of cells with one example of each class, of which the field
	// takes more; 0 for Episodes.
	OneShotEpisodes int
	Seed            uint64 // of the episodes
	Query           int    // queries a class
	// CropPictures is how many pictures of each class take part in tables with crops;
	// 0 for all.
	CropPictures int
	// GalleryPictures is how many pictures of each class retrieval searches; 0 for all.
	GalleryPictures int
	// Shots are those of the figure of k shots, and ShotEpisodes its episodes.
	Shots        []int
	ShotEpisodes int
}

// setting is the one of a cell.
func (p Plan) setting(t *Table, r Row, c Column) Setting {
	s := Setting{
		Network: r.Network, Data: r.Data, Way: c.Way, Shot: c.Shot, Query: p.Query, Episodes: p.Episodes, Seed: p.Seed,
		Method: method.Paper(),
	}
	m := &s.Method
	m.Embedder = r.Embedder.Complete()
	m.Classifier = cmp.Or(r.Classifier, m.Classifier)
	m.Weighting, m.Solver = cmp.Or(r.Weighting, m.Weighting), cmp.Or(r.Solver, m.Solver)
	if c.Shot > 1 && r.Several != "" {
		m.Classifier = r.Several
	}
	if t.Crops {
		s.Pictures = p.CropPictures
	}
	switch {
	case t.Draws:
		s.Episodes = p.ShotEpisodes
	case c.Shot == 1 && p.OneShotEpisodes > 0:
		s.Episodes = p.OneShotEpisodes
	}
	return s
}
