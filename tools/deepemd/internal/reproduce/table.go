package reproduce

import (
	"cmp"

	"github.com/deepemd/deepemd/core/method"
)

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
