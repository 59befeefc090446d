package reproduce

import (
	"fmt"
	"slices"

	"github.com/deepemd/deepemd/trainer/evaluate"
)

// Verdict states whether the paper's order of two methods holds.
type Verdict struct {
	Better, Worse, Column string // keys
	// Difference is the mean difference of the accuracy over the same episodes, and Half half the
	// width of its 95% interval.
	Difference, Half float64
}

// Confirmed reports whether the difference is significant and has the paper's sign.
func (v Verdict) Confirmed() bool { return v.Difference > v.Half }

// Reversed reports whether the difference is significant and has the opposite sign.
func (v Verdict) Reversed() bool { return v.Difference < -v.Half }

// String returns the difference with its interval in percentage points, and whether it confirms the paper.
func (v Verdict) String() string {
	what := fmt.Sprintf("%+.2f ± %.2f", 100*v.Difference, 100*v.Half)
	switch {
	case v.Confirmed():
		return what + ", holds"
	case v.Reversed():
		return "**" + what + ", does not hold**"
	}
	return what + ", open"
}

// verdicts judges the orders of a table by the results, two methods after the other in all columns.
func (l *Lab) verdicts(t *Table) (all []Verdict) {
	for _, order := range t.Orders {
		for _, worse := range order.Worse {
			for _, c := range t.Columns {
				best, other := l.Outcome(Cell{t, t.row(order.Better), c}), l.Outcome(Cell{t, t.row(worse), c})
				if best == nil || other == nil || order.Columns != nil && !slices.Contains(order.Columns, c.Key) {
					continue
				}
				v := Verdict{Better: order.Better, Worse: worse, Column: c.Key}
				v.Difference, v.Half = evaluate.Difference(best.Accuracies(), other.Accuracies())
				all = append(all, v)
			}
		}
	}
	return all
}

func (t *Table) row(key string) Row {
	for _, r := range t.Rows {
		if r.Key == key {
			return r
		}
	}
	panic(fmt.Sprintf("reproduce: %s has no row %q", t.Name, key)) // the tables are ours
}
