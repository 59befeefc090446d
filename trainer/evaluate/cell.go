package evaluate

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/deepemd/deepemd/internal/atomicfile"
)

// Cell is what one classifier makes of one kind of episodes, as far as it is measured:
// further episodes of the same kind may follow.
type Cell struct {
	CellKind
	// Accuracies, [episodes], are the shares of queries classified rightly.
	Accuracies  []float64   `json:"accuracies"`
	Reliability Reliability `json:"reliability"`
	// Fitting and Scoring are the time that the classifier took for all support sets
	// and for all queries, on one thread.
	Fitting time.Duration `json:"fittingNanoseconds"`
	Scoring time.Duration `json:"scoringNanoseconds"`
}

// CellKind says which episodes and which classifier a cell is of. Cells of kinds that
// differ in the classifier and the method alone are of the same episodes.
type CellKind struct {
	Data    string `json:"data"`    // name of the pictures' set
	Network string `json:"network"` // that embedded them
	Source  string `json:"source"`  // of the episodes, for people
	Seed    uint64 `json:"seed"`
	Way     int    `json:"way"`
	Shot    string `json:"shot"`  // examples of a class, or of classes in turn: "1:20"
	Query   int    `json:"query"` // queries of a class

	Classifier string `json:"classifier"`
	Method     string `json:"method"` // all of it, in a line
}

// ReadCell reads the cell of a kind, or returns an empty one where there is no file.
//
// # Errors
//
// Those of reading, text that is no cell, and a cell of another kind.
func ReadCell(path string, kind CellKind) (*Cell, error) {
	cell := &Cell{CellKind: kind}
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return cell, nil
	}
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(text, cell); err != nil {
		return nil, fmt.Errorf("%s: not a cell of a table: %w", path, err)
	}
	if cell.CellKind != kind {
		return nil, fmt.Errorf("%s: measured otherwise (%+v; now %+v): remove it, or use another folder", path, cell.CellKind, kind)
	}
	return cell, nil
}

// Write writes the cell to a file.
func (c *Cell) Write(path string) error {
	return atomicfile.Write(path, func(w io.Writer) error { return json.NewEncoder(w).Encode(c) })
}

// Add adds what came of further episodes.
func (c *Cell) Add(r *Result) {
	c.Accuracies = append(c.Accuracies, r.Accuracies...)
	c.Reliability.Add(r.Logits, r.Way)
	c.Fitting += r.Fitting
	c.Scoring += r.Scoring
}

// Against is the mean difference of the accuracy to that of another cell over the
// episodes that both have, half the width of its 95% interval, and how many those are.
func (c *Cell) Against(other *Cell) (mean, half float64, episodes int) {
	episodes = min(len(c.Accuracies), len(other.Accuracies))
	differences := make([]float64, episodes)
	for i := range differences {
		differences[i] = c.Accuracies[i] - other.Accuracies[i]
	}
	mean, half = Interval(differences)
	return mean, half, episodes
}
