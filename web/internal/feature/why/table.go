package why

import (
	"math"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/ui"
)

// tableDrawing draws all pairs of a match: a row per part of the image, a column per part of the
// example, and a cell for their flow.
type tableDrawing struct{}

func (tableDrawing) element(c *board) app.HTMLCanvas {
	return c.onPoint(app.Canvas().ID("pairs").TabIndex(0).Role(takesKeys).Aria("label", c.Name).OnKeyDown(c.step), c.pairAt)
}

// grid returns the layout of the table of a match.
func (c *board) grid(m *kernel.Match) tableGrid {
	return gridIn(min(c.size.W, c.size.H), m.From.N(), m.To.N())
}

type tableGrid struct {
	rows, columns int
	head          float64 // side of the patches at the edge
	cell          float64
}

// gridIn fits a table into a square, with slightly larger patches on the left and top.
func gridIn(size float64, rows, columns int) tableGrid {
	n := float64(max(rows, columns))
	cell := math.Min(40, size/(n+1.9))
	return tableGrid{rows: rows, columns: columns, head: size - cell*n, cell: cell}
}

func (g tableGrid) box(row, column int) browser.Box {
	return browser.Box{X: g.head + float64(column)*g.cell, Y: g.head + float64(row)*g.cell, W: g.cell, H: g.cell}
}

// patches returns the positions of the parts of a row and a column.
func (g tableGrid) patches(row, column int) (left, top browser.Box) {
	side := math.Min(g.head-6, g.cell*1.5)
	c := g.box(row, column).Center()
	return browser.Box{X: g.head - 6 - side, Y: c.Y - g.cell/2, W: side, H: g.cell},
		browser.Box{X: c.X - g.cell/2, Y: g.head - 6 - side, W: g.cell, H: side}
}

// at returns the cell at a point; for the patches, row or column is -1.
func (g tableGrid) at(p browser.Point) (row, column int, ok bool) {
	row, column = int(math.Floor((p.Y-g.head)/g.cell)), int(math.Floor((p.X-g.head)/g.cell))
	row, column = max(row, -1), max(column, -1)
	return row, column, row < g.rows && column < g.columns && (row >= 0 || column >= 0)
}

func (tableDrawing) draw(c *board, m *kernel.Match, why State) {
	g, pair := c.grid(m), why.Comparison.Pair
	c.lines(g, pair)
	wholeA, wholeB := browser.Box{W: c.picture.Width, H: c.picture.Height}, browser.Box{W: c.example.Width, H: c.example.Height}
	for i, n := range m.From {
		left, _ := g.patches(i, 0)
		c.Picture(c.picture, fit(partBox(wholeA, n.Region), left), inset(left, .5), 1)
	}
	for j, n := range m.To {
		_, top := g.patches(0, j)
		c.Picture(c.example, fit(partBox(wholeB, n.Region), top), inset(top, .5), 1)
	}
	for _, link := range m.Flow {
		strength := math.Sqrt(link.Flow / m.Flow[0].Flow)
		c.Fill(inset(g.box(link.From, link.To), 1), "", .12+.88*strength)
	}
	left, top := g.patches(pair.From, pair.To)
	for _, b := range []browser.Box{left, top, g.box(pair.From, pair.To)} {
		c.mark(inset(b, -1), 4)
	}
}

// lines draws the empty cells, and the row and column of the pair.
func (c *board) lines(g tableGrid, pair Pair) {
	const gray = "rgb(128 140 158)"
	all := g.box(0, 0)
	all.W, all.H = g.cell*float64(g.columns), g.cell*float64(g.rows)
	c.Fill(all, gray, .1)
	row, column := all, all
	row.Y, row.H = g.box(pair.From, 0).Y, g.cell
	column.X, column.W = g.box(0, pair.To).X, g.cell
	c.Fill(row, gray, .18)
	c.Fill(column, gray, .18)
	for i := 1; i < g.rows; i++ {
		c.Fill(browser.Box{X: all.X, Y: g.box(i, 0).Y - .25, W: all.W, H: .5}, gray, .3)
	}
	for j := 1; j < g.columns; j++ {
		c.Fill(browser.Box{X: g.box(0, j).X - .25, Y: all.Y, W: .5, H: all.H}, gray, .3)
	}
}

// inset shrinks a box on every side.
func inset(b browser.Box, by float64) browser.Box {
	return browser.Box{X: b.X + by, Y: b.Y + by, W: b.W - 2*by, H: b.H - 2*by}
}

// pairAt returns the pair at a point: for a part at the edge, its strongest pair.
func (c *board) pairAt(m *kernel.Match, at browser.Point) (Pair, bool) {
	row, column, ok := c.grid(m).at(at)
	switch {
	case !ok:
		return Pair{}, false
	case row < 0:
		row = m.Reverse().Best(column)
	case column < 0:
		column = m.Best(row)
	}
	return Pair{From: row, To: column}, row >= 0 && column >= 0
}

// step moves between cells.
func (c *board) step(_ app.Context, e app.Event) {
	compared := c.Why.State().Comparison
	step, ok := ui.Arrows[e.Get("key").String()]
	if !ok || compared == nil {
		return
	}
	e.PreventDefault()
	p := compared.Pair
	p.From = min(max(p.From+step[1], 0), compared.Match.From.N()-1)
	p.To = min(max(p.To+step[0], 0), compared.Match.To.N()-1)
	c.Why.PickPair(p)
}

// pairDrawing shows the parts of the pointed-at pair, enlarged, with their flow.
type pairDrawing struct{}

func (pairDrawing) element(c *board) app.HTMLCanvas {
	return app.Canvas().Role("img").Aria("label", c.Name)
}

func (pairDrawing) draw(c *board, m *kernel.Match, why State) {
	w, h, pair := c.size.W, c.size.H, why.Comparison.Pair
	if flow := m.Mass(pair.From, pair.To); flow > 0 {
		most := m.Flow[0].Flow
		c.Ribbon(browser.Point{X: h + 6, Y: h / 2}, browser.Point{X: w - h - 6, Y: h / 2}, "", 1.5+thick*flow/most, 0, 1)
	}
	enlarge := func(box browser.Box, img *browser.Image, region answer.Region) {
		part := partBox(browser.Box{W: img.Width, H: img.Height}, region)
		c.Clip(box, 8, func() { c.Picture(img, part, fit(box, part), 1) })
	}
	enlarge(browser.Box{W: h, H: h}, c.picture, m.From[pair.From].Region)
	enlarge(browser.Box{X: w - h, W: h, H: h}, c.example, m.To[pair.To].Region)
}

// fit returns the largest box of a shape, centered in another.
func fit(in, shape browser.Box) browser.Box {
	scale := min(in.W/shape.W, in.H/shape.H)
	w, h := shape.W*scale, shape.H*scale
	return browser.Box{X: in.X + (in.W-w)/2, Y: in.Y + (in.H-h)/2, W: w, H: h}
}
