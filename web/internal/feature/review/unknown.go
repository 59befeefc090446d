package review

import (
	"fmt"
	"math"
	"strings"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/texts"
	"github.com/deepemd/deepemd/web/internal/ui"
)

// unknown shows a histogram of the examples, the slider for the strictness, and the effect of the
// threshold.
func (v *view) unknown() app.UI {
	t, chosen, r := v.K.Texts(), v.K.Setup.Method().Strangers, v.State().Review
	if r == nil { // of a project that was just closed
		return app.Article().Class("strangers")
	}
	threshold := r.Threshold(chosen.Strictness)
	accepted, rejected, counted := r.Rates(threshold)
	words := t.Improve.Measured(t.Percent(r.Accepted), t.Percent(r.Rejected))
	if counted {
		words = t.Improve.Rates(t.Percent(accepted), t.Percent(rejected), len(r.Unknown), len(r.Known))
	}
	if r.relaxed(chosen.Strictness) {
		words += " " + t.Improve.Relaxed
	}
	return app.Article().Class("strangers").Body(
		app.H3().Text(t.Improve.UnknownTitle),
		ui.Tick("look-for-unknown", t.Improve.LookFor, chosen.Name, v.lookFor).Title(t.Improve.LookForTip),
		app.If(chosen.Name, app.Div().Class("slider").Body(
			app.Raw(histogram(t, r, threshold)),
			ui.Range(app.Input().ID("strictness").Min(0).Max(100).Step(1).Aria("label", t.Improve.Strictness).OnInput(v.slide),
				math.Round(100*chosen.Strictness)),
			app.Div().Class("ends").Body(app.Span().Text(t.Improve.Lenient), app.Span().Text(t.Improve.Strict)),
			app.P().Class("legend").Body(
				app.Span().Class("own").Text(t.Improve.Own), app.Span().Class("others").Text(t.Improve.Others),
			),
			app.P().Class("note").ID("unknown-rates").Text(words),
		)),
		v.nothing(t),
	)
}

// relaxed reports whether the threshold is low for the sake of the user's own examples: a user who
// wants more strictness than the default accepts that they are rejected.
func (r *Review) relaxed(strictness float64) bool {
	return r.Relaxed && strictness <= method.Default().Strangers.Strictness
}

// nothing describes the effect of background examples.
func (v *view) nothing(t *texts.Texts) app.UI {
	examples := 0
	for _, c := range v.K.Classes.Nothing() {
		if !c.Disabled {
			examples += len(c.Examples)
		}
	}
	if examples > 0 {
		return app.P().Class("note").ID("nothing-says").Text(t.Improve.NothingSays(examples))
	}
	return app.Div().Class("nothing-hint").Body(
		app.P().Class("note").Text(t.Improve.NothingHint),
		ui.Button("plain small", "show-nothing", "", t.Improve.NothingShow).OnClick(ui.Do(func() {
			browser.Focus(ui.CaptureID(v.K.Classes.Nothing()[0].ID))
		})),
	)
}

func (v *view) lookFor(on bool) {
	v.K.Setup.ChangeStrangers(func(s *method.Strangers) { s.Name = on })
}

func (v *view) slide(ctx app.Context, _ app.Event) {
	strictness := float64(ctx.JSSrc().Get("valueAsNumber").Int()) / 100
	v.K.Setup.ChangeStrangers(func(s *method.Strangers) { s.Strictness = strictness })
}

// bins is the number of columns on each side of the histogram's middle.
const bins = 15

// histogram draws the scores of left-out examples upwards, and of unknown images downwards. Its
// range is the slider's, so that the threshold is above the slider's thumb.
func histogram(t *texts.Texts, r *Review, threshold float64) string {
	const width, height = 300., 96.
	low, high := r.Threshold(0), r.Threshold(1)
	fill := func(scores []float64) (counts [2 * bins]float64, most float64) {
		for _, v := range scores {
			at := int(math.Floor((v - low) / (high - low) * 2 * bins))
			at = min(max(at, 0), 2*bins-1)
			counts[at]++
			most = max(most, counts[at])
		}
		return counts, most
	}
	var b strings.Builder
	fmt.Fprintf(&b, `<svg class="histogram" viewBox="0 0 %.0f %.0f" preserveAspectRatio="none" role="img" aria-label="%s">`, width, height, t.Improve.Histogram)
	middle := height / 2
	line := (threshold - low) / (high - low) * width
	fmt.Fprintf(&b, `<rect class="refused" x="0" y="0" width="%.1f" height="%.0f"></rect>`, min(max(line, 0), width), height)
	for kind, scores := range [][]float64{r.Known, r.Unknown} {
		counts, most := fill(scores)
		for i, n := range counts {
			if n == 0 {
				continue
			}
			x, w, h := float64(i)*width/(2*bins)+0.5, width/(2*bins)-1, n/most*(middle-4)
			class, y := "own", middle-h-0.5
			if kind == 1 {
				class, y = "others", middle+0.5
			}
			fmt.Fprintf(&b, `<rect class="%s" x="%.1f" y="%.1f" width="%.1f" height="%.1f" rx="1.5"></rect>`, class, x, y, w, h)
		}
	}
	fmt.Fprintf(&b, `<path class="axis" d="M0 %.1fH%.0f"></path><path class="threshold" d="M%.1f 0V%.0f"></path></svg>`, middle, width, line, height)
	return b.String()
}
