package figure

import (
	"image"

	"github.com/deepemd/deepemd/core/imaging"
)

// Sheet is a contact sheet of search results.
type Sheet struct {
	Title, Subtitle, Footer string
	Rows                    []SheetRow
}

// SheetRow is one query with its results, the best first.
type SheetRow struct {
	Query Cell
	Found []Cell
}

// Cell is an image with text below.
type Cell struct {
	Picture *imaging.Image // nil if it is not available
	Name    string
	Note    string // such as a score
}

// Sizes of a sheet in units of the page.
const (
	thumb     = 112
	thumbGap  = 14
	thumbText = 38
	queryGap  = 34
	perRow    = 10
	sheetGap  = 18
)

// MaxRows limits the queries of a sheet.
const MaxRows = 40

// Draw draws the sheet: a row for each of 1 to [MaxRows] queries with at most ten images.
func (s *Sheet) Draw() image.Image {
	columns := 1
	for _, row := range s.Rows {
		columns = max(columns, min(perRow, len(row.Found)))
	}
	width := max(700, 2*margin+thumb+queryGap+float64(columns)*(thumb+thumbGap)-thumbGap)
	const rowHeight = thumb + thumbText + sheetGap
	c, top := newPage(header{title: s.Title, subtitle: s.Subtitle, footer: s.Footer}, width, float64(len(s.Rows))*rowHeight-sheetGap, 2)
	for k, row := range s.Rows {
		y := top + float64(k)*rowHeight
		c.cell(point{margin, y}, row.Query)
		x := margin + thumb + float64(queryGap)
		c.fill(rect{x - queryGap/2 - 0.5, y, 1, thumb + thumbText}, 0, panel)
		for _, t := range row.Found[:min(len(row.Found), perRow)] {
			c.cell(point{x, y}, t)
			x += thumb + thumbGap
		}
	}
	return c.img
}

// cell draws a whole image with its text below.
func (c *canvas) cell(at point, t Cell) {
	r := rect{at.x, at.y, thumb, thumb}
	c.fill(r, 6, panel)
	if t.Picture == nil {
		c.write(point{at.x + thumb/2, at.y + thumb/2 + 4}, 0.5, smallStyle, faint, "not at hand")
	} else {
		img := rgba(t.Picture)
		c.picture(fit(r, img.Rect), img)
	}
	c.write(point{at.x, at.y + thumb + 16}, 0, smallStyle, ink, c.ellipsis(smallStyle, t.Name, thumb))
	c.write(point{at.x, at.y + thumb + 31}, 0, smallStyle, faint, c.ellipsis(smallStyle, t.Note, thumb))
}
