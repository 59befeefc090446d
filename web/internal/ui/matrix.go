package ui

import (
	"cmp"
	"slices"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// mostInMatrix is the maximum number of classes in a table, which people can still read.
const mostInMatrix = 30

// Matrix returns a table of counts, by actual class and answer: a row for each actual class, a column for each
// answer. With many classes, it shows the ones that are mixed up most. open returns the click handler of a cell; it may
// be nil. A wide table scrolls by mouse and keys.
func Matrix(t *texts.Texts, title string, rows, columns []kernel.Class, counts map[[2]string]int, open func(row, column kernel.Class) app.EventHandler) app.UI {
	var caption app.UI
	if max(len(rows), len(columns)) > mostInMatrix {
		rows, columns = mixedUp(rows, columns, counts)
		caption = app.Caption().Text(t.Improve.MixedUp(mostInMatrix))
	}
	head := []app.UI{app.Th().Class("corner").Body(app.Span().Text(t.Improve.Row+" ↓"), app.Span().Text(t.Improve.Column+" →"))}
	for _, c := range columns {
		head = append(head, app.Th().Scope("col").Class(Hue(c)).Title(c.Label).Body(app.Span().Class("swatch"), app.Span().Class("label").Dir("auto").Text(c.Label)))
	}
	var body []app.UI
	for _, row := range rows {
		most := 0
		for _, column := range columns {
			most += counts[[2]string{row.ID, column.ID}]
		}
		cells := []app.UI{app.Th().Scope("row").Class(Hue(row)).Title(row.Label).Body(app.Span().Class("swatch"), app.Span().Class("label").Dir("auto").Text(row.Label))}
		for _, column := range columns {
			n := counts[[2]string{row.ID, column.ID}]
			cell := app.Td().Class(When(row.ID == column.ID, "right"), When(n > 0 && row.ID != column.ID, "wrong"), shade(n, most))
			if n == 0 {
				cells = append(cells, cell.Body(app.Span().Class("zero").Text("·")))
				continue
			}
			label := t.Improve.Cell(n, row.Label, column.Label)
			if open != nil {
				cell.Body(app.Button().Type("button").Aria("label", label).Title(label).
					DataSet("cell", row.ID+" "+column.ID).OnClick(open(row, column), row.ID, column.ID).Text(n))
			} else {
				cell.Body(app.Span().Title(label).Text(n))
			}
			cells = append(cells, cell)
		}
		body = append(body, app.Tr().Body(cells...))
	}
	return app.Div().Class("matrix").TabIndex(0).Role("region").Aria("label", title).Body(app.Table().Body(caption, app.THead().Body(app.Tr().Body(head...)), app.TBody().Body(body...)))
}

// mixedUp returns the rows and columns of the classes with the most mistakes, in the given order.
func mixedUp(rows, columns []kernel.Class, counts map[[2]string]int) (fewRows, fewColumns []kernel.Class) {
	mistakes := map[string]int{}
	for cell, n := range counts {
		if cell[0] != cell[1] {
			mistakes[cell[0]] += n
			mistakes[cell[1]] += n
		}
	}
	var ids []string
	for _, c := range append(slices.Clip(rows), columns...) {
		ids = append(ids, c.ID)
	}
	slices.SortStableFunc(ids, func(a, b string) int { return cmp.Compare(mistakes[b], mistakes[a]) })
	most := map[string]bool{}
	for _, id := range ids {
		if most[id] = true; len(most) == mostInMatrix {
			break
		}
	}
	others := func(c kernel.Class) bool { return !most[c.ID] }
	return slices.DeleteFunc(slices.Clone(rows), others), slices.DeleteFunc(slices.Clone(columns), others)
}

// shade returns the CSS class for a cell's color, in quarters of its row.
func shade(n, most int) string {
	if n == 0 || most == 0 {
		return ""
	}
	return []string{"shade-1", "shade-2", "shade-3", "shade-4"}[min(3, 4*n/(most+1))]
}
