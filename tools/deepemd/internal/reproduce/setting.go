package reproduce

import (
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

// Rough costs in microseconds on one thread, which only the estimate of the time
// left is made of. It is corrected by the time that the first cells take.
const (
	costOfMatch    = 30   // of 25 with 25 nodes
	costOfLearning = 35   // a match and the way back
	costOfHead     = 1    // an example and a class in a pass of learning by mean features
	costOfGlobal   = 3    // a query and a class by mean features
	costOfMerging  = 1000 // a picture's nodes
	costOfPass     = 5000 // of a picture or a crop through the network
)

// cost estimates how long the episodes take.
func (s Setting) cost() float64 {
	queries := float64(s.Episodes * s.Way * s.Query)
	pairs := queries * float64(s.Way)
	switch s.Method.Classifier {
	case "cosine", "euclidean", "matching", "prediction-fusion":
		return pairs * costOfGlobal
	case "cosine-head", "linear-head":
		return pairs*costOfGlobal + float64(s.Episodes*100*s.Shot*s.Way*s.Way)*costOfHead
	case "dn4":
		return pairs * costOfMatch / 2 * float64(s.Shot)
	case "nearest", "fusion", "merge":
		return pairs * costOfMatch * float64(s.Shot)
	case layer:
		return pairs*costOfMatch + float64(s.Episodes*100*s.Shot*s.Way*s.Way)*costOfLearning
	}
	cost := pairs * costOfMatch
	if w := s.Method.Weighting; w != method.CrossReference && w != method.Equal {
		cost += queries * costOfMerging
	}
	return cost
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
