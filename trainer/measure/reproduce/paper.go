package reproduce

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

//go:embed paper.toml
var paperFile string

// Figure is an accuracy that the paper gives, in percent.
type Figure struct {
	Table    []string
	Row      []string
	Column   string
	Data     string // as PaperName has it
	Value    float64
	Interval float64 // half of it, 95%; 0 where it is not known
	Source   string
}

// PaperTime is a time that the paper gives for timedPairs pairs.
type PaperTime struct {
	Solver       string
	Side         int
	Milliseconds float64
	Source       string
}

// Paper is what is known of the paper's figures.
type Paper struct {
	Figure []Figure
	Time   []PaperTime
}

// ReadPaper returns the paper's figures.
func ReadPaper() (*Paper, error) {
	p := new(Paper)
	meta, err := toml.Decode(paperFile, p)
	if err != nil {
		return nil, fmt.Errorf("paper.toml: %w", err)
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		return nil, fmt.Errorf("paper.toml: %v is no part of a figure", unknown)
	}
	return p, nil
}

// Find returns the figure of a cell on a data set, nil where none is known.
func (p *Paper) Find(table, row, column, data string) *Figure {
	for i, f := range p.Figure {
		if f.Column == column && f.Data == data && slices.Contains(f.Table, table) && slices.Contains(f.Row, row) {
			return &p.Figure[i]
		}
	}
	return nil
}

// FindTime returns the time of a layer, nil where none is known.
func (p *Paper) FindTime(solver string, side int) *PaperTime {
	for i, t := range p.Time {
		if t.Solver == solver && t.Side == side {
			return &p.Time[i]
		}
	}
	return nil
}

// PaperName is what the paper calls a data set, found out by what the set, its form
// or its split are called; miniImageNet, of which the paper has most figures, for
// one that it does not have.
func PaperName(called ...string) string {
	all := strings.ToLower(strings.Join(called, " "))
	all = strings.NewReplacer("-", "", "_", "", " ", "").Replace(all)
	for _, set := range []struct{ mark, name string }{
		{"cifarfs", "CIFAR-FS"}, {"fc100", "FC100"}, {"tiered", "tieredImageNet"}, {"cub", "CUB"},
	} {
		if strings.Contains(all, set.mark) {
			return set.name
		}
	}
	return "miniImageNet"
}
