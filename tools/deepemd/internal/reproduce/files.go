package reproduce

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/internal/chart"
)

// csv writes a table as CSV: a line per cell with all settings.
func (r *Report) csv(w io.Writer, t *Table) error {
	rows := r.accuracyRows
	if t.Layer {
		rows = r.timeRows
	}
	return csv.NewWriter(w).WriteAll(rows(t))
}

// accuracyRows returns the lines of a table of accuracies.
func (r *Report) accuracyRows(t *Table) [][]string {
	rows := [][]string{{
		"table", "row", "method", "way", "shot", "accuracy", "interval95", "paper", "paper_interval95", "paper_data", "paper_source",
		"ms_per_query", "ms_to_learn", "timed_alone", "episodes", "queries", "pictures_a_class", "seed", "data", "split", "part",
		"network", "weights_sha256", "embedder", "classifier", "weighting", "solver", "clusters", "date", "commit",
	}}
	for _, row := range t.Rows {
		for _, c := range t.Columns {
			fields := []string{t.Name, row.Key, row.Label, strconv.Itoa(c.Way), strconv.Itoa(c.Shot)}
			o := r.Lab.Outcome(Cell{t, row, c})
			if o == nil {
				fields = append(fields, "", "")
			} else {
				mean, half := o.Accuracy()
				fields = append(fields, fmt.Sprintf("%.6f", mean), fmt.Sprintf("%.6f", half))
			}
			if f := r.figure(t, row, c); f == nil {
				fields = append(fields, "", "", "", "")
			} else {
				interval := ""
				if f.Interval > 0 {
					interval = fmt.Sprintf("%.4f", f.Interval/100)
				}
				fields = append(fields, fmt.Sprintf("%.4f", f.Value/100), interval, f.Data, f.Source())
			}
			if o == nil {
				fields = append(fields, make([]string, 19)...)
			} else {
				s := o.Setting
				fields = append(fields,
					fmt.Sprintf("%.5f", o.QueryMS), fmt.Sprintf("%.4f", o.LearnMS), strconv.FormatBool(o.Alone), strconv.Itoa(s.Episodes), strconv.Itoa(s.Query),
					strconv.Itoa(s.Pictures), strconv.FormatUint(s.Seed, 10), o.Data, o.Split, o.Part, o.Network, o.SHA256,
					describe(method.Embedder(s.Embedder)), s.Classifier, o.Weighting, s.Solver, fmt.Sprintf("%.2f", o.Clusters), o.Date, o.Commit)
			}
			rows = append(rows, fields)
		}
	}
	return rows
}

// colors are distinct to color-blind readers too (Okabe and Ito, 2002).
var colors = []string{"#d55e00", "#0072b2", "#009e73", "#cc79a7", "#56b4e9", "#555555", "#e69f00", "#8c564b"}

// draw draws the accuracies by the number of shots as SVG.
func (r *Report) draw(w io.Writer, t *Table) error {
	// Neighboring rows have their points next to each other, so that error bars do not overlap.
	const aside = 1.018
	c := chart.Chart{X: "examples of each class", Y: "accuracy, %", LegendLeft: true}
	for _, column := range t.Columns {
		c.Ticks = append(c.Ticks, float64(column.Shot))
	}
	for i, row := range t.Rows {
		line := chart.Line{Name: row.Label, Color: colors[i%len(colors)], Width: 1.5, Dots: true}
		if i == 0 {
			line.Width = 3
		}
		for _, column := range t.Columns {
			if o := r.Lab.Outcome(Cell{t, row, column}); o != nil {
				mean, half := o.Accuracy()
				x := float64(column.Shot) * math.Pow(aside, float64(i)-float64(len(t.Rows)-1)/2)
				line.Points = append(line.Points, chart.Point{X: x, Y: 100 * mean, Half: 100 * half})
			}
		}
		if line.Points != nil {
			c.Lines = append(c.Lines, line)
		}
	}
	return chart.Write(w, 800, 550, c)
}
