package evaluate

import (
	"fmt"
	"io"
	"strings"

	"github.com/deepemd/deepemd/trainer/evaluate"
)

// table is what classifiers make of a set, by numbers of examples.
type table []tableColumn

// tableColumn is a number of examples.
type tableColumn struct {
	shot  string
	cells []*evaluate.Cell // by classifier; the others are compared with the first
}

// write writes the table as Markdown.
func (t table) write(w io.Writer, name string) error {
	first, rows := t[0].cells[0], len(t[0].cells)
	episodes := 0
	for _, column := range t {
		for _, cell := range column.cells {
			episodes = max(episodes, len(cell.Accuracies))
		}
	}
	var text strings.Builder
	fmt.Fprintf(&text, "%d-way, %d queries a class, %d episodes or as many as brackets say, %s of %s (%s); differences are paired.\n\n",
		first.Way, first.Query, episodes, first.Source, name, first.Network)
	t.heading(&text, "examples of a class")
	t.row(&text, first.Classifier, func(c tableColumn) string {
		mean, half := evaluate.Interval(c.cells[0].Accuracies)
		return fmt.Sprintf("%.1f ± %.1f", 100*mean, 100*half) + few(len(c.cells[0].Accuracies), episodes)
	})
	for k := 1; k < rows; k++ {
		t.row(&text, t[0].cells[k].Classifier, func(c tableColumn) string {
			mean, half, n := c.cells[k].Against(c.cells[0])
			return fmt.Sprintf("%+.2f ± %.2f", 100*mean, 100*half) + few(n, episodes)
		})
	}
	fmt.Fprintln(&text)
	t.heading(&text, "calibration error, points")
	for k := range rows {
		t.row(&text, t[0].cells[k].Classifier, func(c tableColumn) string {
			return fmt.Sprintf("%.1f", 100*c.cells[k].Reliability.Error())
		})
	}
	_, err := io.WriteString(w, text.String())
	return err
}

// heading writes the numbers of examples.
func (t table) heading(w io.Writer, corner string) {
	t.row(w, corner, func(c tableColumn) string { return c.shot })
	fmt.Fprintln(w, "|"+strings.Repeat(" --- |", 1+len(t)))
}

// row writes what is said of each number of examples.
func (t table) row(w io.Writer, title string, say func(tableColumn) string) {
	fmt.Fprintf(w, "| %s |", title)
	for _, column := range t {
		fmt.Fprintf(w, " %s |", say(column))
	}
	fmt.Fprintln(w)
}

// few says how many episodes a cell has where others have more.
func few(n, most int) string {
	if n == most {
		return ""
	}
	return fmt.Sprintf(" (%d)", n)
}
