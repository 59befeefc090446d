package why

import (
	"math"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/texts"
	"github.com/deepemd/deepemd/web/internal/ui"
)

// TableCanvas draws all pairs of a match: a row per part of the image, a column per part of the
// example, and a cell for their flow.
type TableCanvas struct {
	app.Compo
	watching
	Why   *Why
	Texts *texts.Texts

	canvas           *browser.Canvas
	picture, example *browser.Image
	grid             tableGrid
}

// OnMount starts to follow the comparison.
func (t *TableCanvas) OnMount(ctx app.Context) {
	t.canvas = canvasOf(ctx, &t.watching, t.Why, t.draw)
}

// Render shows the canvas.
func (t *TableCanvas) Render() app.UI {
	return app.Canvas().ID("pairs").TabIndex(0).Role("img").Aria("label", t.Texts.Why.Table).
		On("pointermove", t.pointed).On("pointerdown", t.pointed).OnKeyDown(t.key)
}

// tableGrid is the layout of a table.
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

// box returns the position of a cell.
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

// draw draws the table.
func (t *TableCanvas) draw() {
	w, h, shown := t.canvas.Begin()
	compared := t.Why.State().Comparison
	if !shown || compared == nil {
		return
	}
	m, pair := compared.Match, compared.Pair
	t.picture, t.example = browser.ImageOf(t.picture, m.Seen), browser.ImageOf(t.example, m.Example)
	g := gridIn(min(w, h), m.From.N(), m.To.N())
	t.grid = g
	t.lines(pair)
	wholeA, wholeB := browser.Box{W: t.picture.Width, H: t.picture.Height}, browser.Box{W: t.example.Width, H: t.example.Height}
	for i, n := range m.From {
		left, _ := g.patches(i, 0)
		t.canvas.Picture(t.picture, fit(partBox(wholeA, n.Region), left), inset(left, .5), 1)
	}
	for j, n := range m.To {
		_, top := g.patches(0, j)
		t.canvas.Picture(t.example, fit(partBox(wholeB, n.Region), top), inset(top, .5), 1)
	}
	for _, link := range m.Flow {
		strength := math.Sqrt(link.Flow / m.Flow[0].Flow)
		t.canvas.Fill(inset(g.box(link.From, link.To), 1), "", .12+.88*strength)
	}
	left, top := g.patches(pair.From, pair.To)
	for _, b := range []browser.Box{left, top, g.box(pair.From, pair.To)} {
		t.canvas.Frame(inset(b, -1), outline, 4, .9)
		t.canvas.Frame(inset(b, -1), "", 2, 1)
	}
}

// lines draws the empty cells, and the row and column of the pair.
func (t *TableCanvas) lines(pair Pair) {
	g := t.grid
	const gray = "rgb(128 140 158)"
	all := g.box(0, 0)
	all.W, all.H = g.cell*float64(g.columns), g.cell*float64(g.rows)
	t.canvas.Fill(all, gray, .1)
	row, column := all, all
	row.Y, row.H = g.box(pair.From, 0).Y, g.cell
	column.X, column.W = g.box(0, pair.To).X, g.cell
	t.canvas.Fill(row, gray, .18)
	t.canvas.Fill(column, gray, .18)
	for i := 1; i < g.rows; i++ {
		t.canvas.Fill(browser.Box{X: all.X, Y: g.box(i, 0).Y - .25, W: all.W, H: .5}, gray, .3)
	}
	for j := 1; j < g.columns; j++ {
		t.canvas.Fill(browser.Box{X: g.box(0, j).X - .25, Y: all.Y, W: .5, H: all.H}, gray, .3)
	}
}

// inset shrinks a box on every side.
func inset(b browser.Box, by float64) browser.Box {
	return browser.Box{X: b.X + by, Y: b.Y + by, W: b.W - 2*by, H: b.H - 2*by}
}

func (t *TableCanvas) pointed(_ app.Context, e app.Event) {
	compared := t.Why.State().Comparison
	if compared == nil {
		return
	}
	row, column, ok := t.grid.at(browser.Point{X: e.Get("offsetX").Float(), Y: e.Get("offsetY").Float()})
	if !ok {
		return
	}
	switch {
	case row < 0: // a part of the example: its strongest pair
		row = compared.Match.Reverse().Best(column)
	case column < 0:
		column = compared.Match.Best(row)
	}
	if row >= 0 && column >= 0 {
		t.Why.PickPair(Pair{From: row, To: column})
	}
}

// key moves between cells.
func (t *TableCanvas) key(_ app.Context, e app.Event) {
	compared := t.Why.State().Comparison
	step, ok := ui.Arrows[e.Get("key").String()]
	if !ok || compared == nil {
		return
	}
	e.PreventDefault()
	p := compared.Pair
	p.From = min(max(p.From+step[1], 0), compared.Match.From.N()-1)
	p.To = min(max(p.To+step[0], 0), compared.Match.To.N()-1)
	t.Why.PickPair(p)
}

// PairCanvas shows the parts of the pointed-at pair, enlarged, with their flow.
type PairCanvas struct {
	app.Compo
	watching
	Why   *Why
	Texts *texts.Texts

	canvas           *browser.Canvas
	picture, example *browser.Image
}

// OnMount starts to follow the comparison.
func (p *PairCanvas) OnMount(ctx app.Context) {
	p.canvas = canvasOf(ctx, &p.watching, p.Why, p.draw)
}

// Render shows the canvas.
func (p *PairCanvas) Render() app.UI {
	return app.Canvas().Role("img").Aria("label", p.Texts.Why.PairLabel)
}

// draw draws the pair.
func (p *PairCanvas) draw() {
	w, h, shown := p.canvas.Begin()
	compared := p.Why.State().Comparison
	if !shown || compared == nil {
		return
	}
	m, pair := compared.Match, compared.Pair
	p.picture, p.example = browser.ImageOf(p.picture, m.Seen), browser.ImageOf(p.example, m.Example)
	left, right := browser.Box{W: h, H: h}, browser.Box{X: w - h, W: h, H: h}
	if flow := m.Mass(pair.From, pair.To); flow > 0 {
		most := m.Flow[0].Flow
		p.canvas.Ribbon(browser.Point{X: h + 6, Y: h / 2}, browser.Point{X: w - h - 6, Y: h / 2}, "", 1.5+thick*flow/most, 0, 1)
	}
	enlarge := func(box browser.Box, img *browser.Image, region answer.Region) {
		part := partBox(browser.Box{W: img.Width, H: img.Height}, region)
		p.canvas.Clip(box, 8, func() { p.canvas.Picture(img, part, fit(box, part), 1) })
	}
	enlarge(left, p.picture, m.From[pair.From].Region)
	enlarge(right, p.example, m.To[pair.To].Region)
}

// fit returns the largest box of a shape, centered in another.
func fit(in, shape browser.Box) browser.Box {
	scale := min(in.W/shape.W, in.H/shape.H)
	w, h := shape.W*scale, shape.H*scale
	return browser.Box{X: in.X + (in.W-w)/2, Y: in.Y + (in.H-h)/2, W: w, H: h}
}
