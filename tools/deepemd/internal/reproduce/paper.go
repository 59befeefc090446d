package reproduce

import (
	_ "embed"
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"
)

// paperFile has the paper's figures of the cells in our tables. TestPaperFile generates it.
//
//go:embed paper.csv
var paperFile string

// Figure is an accuracy in the paper, in percent.
type Figure struct {
	Table, Row, Column string
	Data               string // see PaperName
	Value              float64
	Interval           float64 // half of the 95% interval; 0 if not printed
	Clusters           float64 // mean number of clusters per image; 0 if not printed
}

// Paper has the paper's figures.
type Paper struct {
	Figures []*Figure
	Times   map[timedCell]float64 // of the forward pass in milliseconds
}

// ReadPaper returns the paper's figures.
func ReadPaper() (*Paper, error) {
	lines, err := csv.NewReader(strings.NewReader(paperFile)).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("paper.csv: %w", err)
	}
	p := &Paper{Times: map[timedCell]float64{}}
	for _, l := range lines[1:] {
		value, err := strconv.ParseFloat(l[4], 64)
		if err != nil {
			return nil, fmt.Errorf("paper.csv: %q: %w", l, err)
		}
		if l[3] == "" { // a time has no data
			c := timedCell{Solver: l[1]}
			if _, err := fmt.Sscanf(l[2], "%dx%d", &c.Side, &c.Channels); err != nil {
				return nil, fmt.Errorf("paper.csv: %q: %w", l, err)
			}
			p.Times[c] = value
			continue
		}
		f := &Figure{Table: l[0], Row: l[1], Column: l[2], Data: l[3], Value: value}
		for text, number := range map[string]*float64{l[5]: &f.Interval, l[7]: &f.Clusters} {
			if text == "" {
				continue
			}
			if *number, err = strconv.ParseFloat(text, 64); err != nil {
				return nil, fmt.Errorf("paper.csv: %q: %w", l, err)
			}
		}
		p.Figures = append(p.Figures, f)
	}
	return p, nil
}

// Find returns the figure of a cell on a dataset, or nil.
func (p *Paper) Find(table, row, column, data string) *Figure {
	return first(p.Figures, func(f *Figure) bool {
		return f.Table == table && f.Row == row && f.Column == column && f.Data == data
	})
}

// PaperOnto is the dataset that the paper's network was not trained on.
const PaperOnto = "CUB"

// PaperName returns the paper's name of a dataset with the given names of the set, its form or its
// split. Other datasets are compared with miniImageNet, which has most figures in the paper.
func PaperName(called ...string) string {
	all := strings.ToLower(strings.Join(called, " "))
	all = strings.NewReplacer("-", "", "_", "", " ", "").Replace(all)
	for _, set := range []struct{ mark, name string }{
		{"cifarfs", "CIFAR-FS"}, {"fc100", "FC100"}, {"tiered", "tieredImageNet"}, {"cub", PaperOnto},
	} {
		if strings.Contains(all, set.mark) {
			return set.name
		}
	}
	return "miniImageNet"
}
