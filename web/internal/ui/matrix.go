package ui

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// Matrix returns a table of counts: a row for each actual class, a column for each answer. open returns
// the click handler of a cell; it may be nil. A wide table scrolls by mouse and keys.
func Matrix(t *texts.Texts, title string, rows, columns []kernel.Class, count func(row, column string) int, open func(row, column kernel.Class) app.EventHandler) app.UI {
	head := []app.UI{app.Th().Class("corner").Body(app.Span().Text(t.Improve.Row+" ↓"), app.Span().Text(t.Improve.Column+" →"))}
	for _, c := range columns {
		head = append(head, app.Th().Scope("col").Class(Hue(c)).Title(c.Label).Body(app.Span().Class("swatch"), app.Span().Class("label").Dir("auto").Text(c.Label)))
	}
	var body []app.UI
	for _, row := range rows {
		most := 0
		for _, column := range columns {
			most += count(row.ID, column.ID)
		}
		cells := []app.UI{app.Th().Scope("row").Class(Hue(row)).Title(row.Label).Body(app.Span().Class("swatch"), app.Span().Class("label").Dir("auto").Text(row.Label))}
		for _, column := range columns {
			n := count(row.ID, column.ID)
			cell := app.Td().Class(When(row.ID == column.ID, "right"), When(n > 0 && row.ID != column.ID, "wrong"), shade(n, most))
			label := t.Improve.Cell(n, row.Label, column.Label)
			switch {
			case n > 0 && open != nil:
				cell.Body(app.Button().Type("button").Aria("label", label).Title(label).
					DataSet("cell", row.ID+" "+column.ID).OnClick(open(row, column), row.ID, column.ID).Text(n))
			case n > 0:
				cell.Body(app.Span().Title(label).Text(n))
			default:
				cell.Body(app.Span().Class("zero").Text("·"))
			}
			cells = append(cells, cell)
		}
		body = append(body, app.Tr().Body(cells...))
	}
	return app.Div().Class("matrix").TabIndex(0).Role("region").Aria("label", title).Body(app.Table().Body(app.THead().Body(app.Tr().Body(head...)), app.TBody().Body(body...)))
}

// shade returns the CSS class for a cell's color, in quarters of its row.
func shade(n, most int) string {
	if n == 0 || most == 0 {
		return ""
	}
	return []string{"shade-1", "shade-2", "shade-3", "shade-4"}[min(3, 4*n/(most+1))]
}
