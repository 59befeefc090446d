package why

import (
	"slices"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/ui"
)

// WhereMap draws the evidence over the picture, while the user wants to see it.
type WhereMap struct {
	app.Compo
	watching
	Where    *Where
	Mirrored bool // like the picture below

	canvas app.Value
}

// OnMount starts to follow the evidence. It draws without rendering.
func (w *WhereMap) OnMount(ctx app.Context) {
	w.canvas = ctx.JSSrc()
	w.Also(w.Where.Watch(w.draw))
}

// Render shows the canvas.
func (w *WhereMap) Render() app.UI {
	return app.Canvas().Class("where", ui.When(w.Mirrored, "mirrored")).Aria("hidden", true)
}

func (w *WhereMap) draw() {
	match := w.Where.Match()
	if match == nil {
		browser.Tint(w.canvas, nil, 0)
		return
	}
	browser.Tint(w.canvas, glow(&match.Match), glowCells)
}

// glowCells is the number of cells per row; the browser smooths them.
const glowCells = 20

// glow returns RGBA pixels, glowCells per row, that brighten a picture where the evidence is, and
// darken the rest.
func glow(e *answer.Match) []byte {
	side := slices.Clone(e.From)
	for i, v := range e.Evidence() {
		side[i].Weight = max(0, v)
	}
	values := smooth(shares(side, glowCells), glowCells)
	rgba := make([]byte, 0, 4*len(values))
	for _, v := range values {
		low, high, at := cold, warm, 2*v
		if v > .5 {
			low, high, at = warm, hot, 2*v-1
		}
		for k := range low {
			rgba = append(rgba, byte(low[k]+(high[k]-low[k])*at))
		}
	}
	return rgba
}

// The colors of no evidence, of half the maximum, and of the maximum: red, green, blue and opacity.
// They are distinct on every picture.
var (
	cold = [4]float64{8, 12, 40, 140}
	warm = [4]float64{205, 45, 70, 85}
	hot  = [4]float64{255, 226, 60, 130}
)

// smooth returns the mean of each value and its neighbors, with the given columns per row.
func smooth(values []float64, columns int) []float64 {
	rows := len(values) / columns
	list := make([]float64, len(values))
	for i := range list {
		x, y := i%columns, i/columns
		sum, n := 0.0, 0
		for v := max(0, y-1); v <= min(rows-1, y+1); v++ {
			for u := max(0, x-1); u <= min(columns-1, x+1); u++ {
				sum += values[v*columns+u]
				n++
			}
		}
		list[i] = sum / float64(n)
	}
	return list
}

// button shows the evidence, or hides it.
func (w *Where) button() app.UI {
	t, on := &w.K.Texts().Stage, w.On()
	return ui.Tool("where", ui.IconHeat, t.WhereShort, t.Where, t.WhereTitle).Aria("pressed", on).
		OnClick(ui.Do(func() { w.Show(!on) }, on))
}
