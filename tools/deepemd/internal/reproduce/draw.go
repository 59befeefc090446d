package reproduce

import (
	"io"
	"math"

	"github.com/deepemd/deepemd/internal/chart"
)

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
