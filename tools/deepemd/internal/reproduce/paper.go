package reproduce

import (
	_ "embed"
	"encoding/csv"
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
func ReadPaper() *Paper {
	lines, err := csv.NewReader(strings.NewReader(paperFile)).ReadAll()
	number := func(text string) (value float64) { // 0 for ""
		if text != "" && err == nil {
			value, err = strconv.ParseFloat(text, 64)
		}
		return value
	}
	p := &Paper{Times: map[timedCell]float64{}}
	for _, l := range lines[1:] {
		if l[3] != "" {
			p.Figures = append(p.Figures, &Figure{Table: l[0], Row: l[1], Column: l[2], Data: l[3], Value: number(l[4]), Interval: number(l[5]), Clusters: number(l[7])})
			continue
		}
		side, channels, _ := strings.Cut(l[2], "x") // a time has no data
		p.Times[timedCell{Solver: l[1], Side: int(number(side)), Channels: int(number(channels))}] = number(l[4])
	}
	if err != nil {
		panic("reproduce: paper.csv: " + err.Error()) // it is embedded
	}
	return p
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
