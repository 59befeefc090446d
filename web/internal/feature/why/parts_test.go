package why

import (
	"math"
	"testing"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/web/internal/browser"
)

// squareParts returns n×n parts of equal weight.
func squareParts(n int) answer.Side {
	var side answer.Side
	step := 1 / float32(n)
	for i := range n * n {
		x, y := float32(i%n)*step, float32(i/n)*step
		side = append(side, answer.Node{Region: answer.Region{X0: x, Y0: y, X1: x + step, Y1: y + step}, Weight: 1})
	}
	return side
}

func TestPartAt(t *testing.T) {
	box := browser.Box{X: 100, Y: 50, W: 200, H: 200}
	overlapping := append(squareParts(2),
		answer.Node{Region: answer.Region{X0: .4, Y0: .4, X1: .6, Y1: .6}},
		answer.Node{Region: answer.Region{X1: 1, Y1: 1}},
		answer.Node{Region: answer.Region{X0: .25, Y1: .5, X1: .75}},
	)
	for _, c := range []struct {
		name string
		side answer.Side
		at   browser.Point
		want int
	}{
		{"first", squareParts(4), browser.Point{X: 101, Y: 51}, 0},
		{"last", squareParts(4), browser.Point{X: 299, Y: 249}, 15},
		{"second row", squareParts(4), browser.Point{X: 160, Y: 101}, 5},
		{"left of it", squareParts(4), browser.Point{X: 99, Y: 60}, -1},
		{"below it", squareParts(4), browser.Point{X: 160, Y: 250}, -1},
		{"the smallest", overlapping, browser.Point{X: 195, Y: 145}, 4},
		{"a quarter before all of it", overlapping, browser.Point{X: 290, Y: 240}, 3},
		{"the nearer of equals", overlapping, browser.Point{X: 190, Y: 100}, 6},
		{"the other of equals", overlapping, browser.Point{X: 155, Y: 100}, 0},
		{"none at all", answer.Side{}, browser.Point{X: 150, Y: 100}, -1},
	} {
		if got := partAt(box, c.side, c.at); got != c.want {
			t.Errorf("%s: part %d, want %d", c.name, got, c.want)
		}
	}
}

func TestNextPart(t *testing.T) {
	for _, c := range []struct{ from, dx, dy, want int }{
		{4, 1, 0, 5}, {4, -1, 0, 3}, {4, 0, -1, 1}, {4, 0, 1, 7},
		{5, 1, 0, -1}, {0, 0, -1, -1}, {6, 0, 1, -1}, {6, -1, 0, -1},
	} {
		if got := nextPart(squareParts(3), c.from, c.dx, c.dy); got != c.want {
			t.Errorf("from %d by %d, %d: %d, want %d", c.from, c.dx, c.dy, got, c.want)
		}
	}
}

func TestStepPartGoesOverAtTheEdge(t *testing.T) {
	e := &answer.Match{From: squareParts(2), To: squareParts(2), Total: 4, Temperature: 1, Similarity: make([]float64, 16)}
	flow := make([]float64, 16)
	for i := range 4 {
		flow[i*4+(i+1)%4] = 1
	}
	e.SetFlow(flow)
	for _, c := range []struct {
		from   Part
		dx, dy int
		want   Part
	}{
		{Part{Node: 0}, 1, 0, Part{Node: 1}},
		{Part{Node: 1}, 1, 0, Part{OfExample: true, Node: 2}},
		{Part{OfExample: true, Node: 2}, -1, 0, Part{Node: 1}},
		{Part{OfExample: true, Node: 3}, -1, 0, Part{OfExample: true, Node: 2}},
		{Part{Node: 0}, -1, 0, Part{Node: 0}},
		{Part{Node: 1}, 0, -1, Part{Node: 1}},
	} {
		if got := stepPart(e, c.from, c.dx, c.dy); got == nil || *got != c.want {
			t.Errorf("from %+v by %d, %d: %+v, want %+v", c.from, c.dx, c.dy, got, c.want)
		}
	}
}

func TestExposure(t *testing.T) {
	side, weights := squareParts(2), []float64{4, 2, 1, 0}
	for i, w := range weights {
		side[i].Weight = w
	}
	got := exposure(side)
	for i, w := range weights {
		if light := math.Pow(got[i], gamma); math.Abs(light-w/4) > 1e-9 {
			t.Errorf("part %d sends light %v, want %v", i, light, w/4)
		}
	}
	// Overlapping parts do not exceed the maximum brightness.
	side = append(side, answer.Node{Region: answer.Region{X1: 1, Y1: 1}, Weight: 4})
	got = exposure(side)
	if sum := got[0] + got[4]; math.Abs(sum-1) > 1e-9 || got[0] != got[4] {
		t.Errorf("two equal parts on one another: %v and %v, want a half each", got[0], got[4])
	}
	if got := exposure(answer.Side{{Region: side[0].Region}}); got[0] != 0 {
		t.Errorf("a part without weight sends %v", got[0])
	}
}

func TestHeatIsWithinBounds(t *testing.T) {
	side := squareParts(5)
	side[7].Weight = 9
	most := 0.0
	for i, v := range heat(side, 40) {
		if v < 0 || v > 1 {
			t.Errorf("cell %d: %v", i, v)
		}
		most = max(most, v)
	}
	if most != 1 {
		t.Errorf("the most is %v, want 1", most)
	}
	if light := math.Pow(heat(side, 40)[0], gamma); math.Abs(light-1./9) > 1e-6 {
		t.Errorf("a ninth of the weight sends light %v", light)
	}
}

// The edge that the network's map omits looks like the adjacent parts.
func TestSharesReachTheEdge(t *testing.T) {
	const right, bottom = 80. / 84, 60. / 84
	side := answer.NewSide([]answer.Region{{X1: .5, Y1: bottom}, {X0: .5, X1: right, Y1: bottom}}, []float64{.5 * bottom, (right - .5) * bottom})
	for i, v := range shares(side, 10) {
		if math.Abs(v-1) > 1e-6 {
			t.Errorf("column %d of row %d has %v, want 1", i%10, i/10, v)
		}
	}
}

func TestSquaresFit(t *testing.T) {
	for _, size := range [][2]float64{{744, 236}, {320, 123}, {100, 300}} {
		left, right := squares(size[0], size[1])
		if left.W != left.H || right.W != right.H || left.X != 0 || right.X+right.W != size[0] || left.Y < 0 || left.Y+left.H > size[1] {
			t.Errorf("%v: %+v and %+v", size, left, right)
		}
		if gap := right.X - left.W; gap < .15*size[0] {
			t.Errorf("%v: only %v between the pictures", size, gap)
		}
	}
}

func TestSpreadFillsTheBox(t *testing.T) {
	side := answer.NewSide([]answer.Region{{X1: 40. / 84, Y1: 80. / 84}, {X0: 40. / 84, X1: 80. / 84, Y1: 40. / 84}}, make([]float64, 2))
	box := spread(side, browser.Box{W: 200, H: 100})
	last := partBox(box, side[1].Region)
	if math.Abs(last.X+last.W-200) > 1e-4 || math.Abs(partBox(box, side[0].Region).H-100) > 1e-4 {
		t.Errorf("the parts end at %+v of 200×100", last)
	}
}

func TestTableGrid(t *testing.T) {
	for _, c := range []struct{ rows, columns int }{{25, 25}, {13, 13}, {9, 9}, {5, 14}, {1, 1}} {
		const size = 450.
		g := gridIn(size, c.rows, c.columns)
		for i := range c.rows {
			for j := range c.columns {
				b := g.box(i, j)
				if b.X < 0 || b.Y < 0 || b.X+b.W > size+1e-9 || b.Y+b.H > size+1e-9 {
					t.Errorf("%d×%d: cell %d, %d lies at %+v", c.rows, c.columns, i, j, b)
				}
				if row, column, ok := g.at(b.Center()); !ok || row != i || column != j {
					t.Errorf("%d×%d: the middle of cell %d, %d is %d, %d", c.rows, c.columns, i, j, row, column)
				}
			}
			left, top := g.patches(i, 0)
			if left.X < 0 || top.Y < 0 || left.X+left.W > g.head || top.Y+top.H > g.head {
				t.Errorf("%d×%d: patches at %+v and %+v, cells from %v on", c.rows, c.columns, left, top, g.head)
			}
			if row, column, ok := g.at(left.Center()); !ok || row != i || column != -1 {
				t.Errorf("%d×%d: the patch of row %d is %d, %d", c.rows, c.columns, i, row, column)
			}
		}
		if _, _, ok := g.at(browser.Point{X: 1, Y: 1}); ok {
			t.Error("the corner is a cell")
		}
	}
}
