package why

import (
	"math"
	"strings"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/texts"
	"github.com/deepemd/deepemd/web/internal/ui"
)

// Add adds the feature to a page.
func Add(k *kernel.Kernel, page *ui.Page) {
	w := New(k)
	page.Show(ui.Below, ui.Follow(k, w.view, w, k.Classes))
	page.Dialog(comparisonID, ui.Follow(k, w.dialog, w, k.Classes))
	w.Show(browser.Roomy())
	if k.Project.OfSounds() {
		return
	}
	page.Show(ui.Picture, func() app.UI {
		camera := k.Camera.State()
		return &WhereMap{Where: w.Where, Mirrored: camera.Stage == kernel.CameraOn && k.Framing.Mirrored(camera.Device)}
	})
	page.Show(ui.MoreTools, ui.Follow(k, w.Where.button, w.Where))
}

// view explains the answer by the match between parts of the image and of an example, with a legend,
// or shows one line while it is hidden.
func (w *Why) view() app.UI {
	t := w.K.Texts()
	why := w.State()
	class, known := kernel.Class{}, false // false if the class was removed, too
	title, alike := t.Why.Title, ""
	if why.Match != nil {
		class, known = w.K.Classes.Find(why.Match.ClassID)
		alike = t.Why.Alike(t.Percent(why.Match.Alike()))
	}
	if known {
		title = question(t, class, why.Match)
	}
	return app.Section().
		Class("why", "panel", ui.When(known, ui.Hue(class)), ui.When(!why.Shown, "folded"), ui.When(why.Part != nil, "still")).
		Aria("labelledby", "why-title").
		Body(
			app.Header().Body(
				app.H2().ID("why-title").Text(title),
				ui.FoldButton("show-why", why.Shown, t.Why.Show, t.Why.Hide, w.Show),
				app.If(known, app.Span().Class("alike").Text(alike)),
				app.If(why.Shown, app.Div().Class("acts").Body(
					ui.Tick("heat", t.Why.Heat, why.Heat, w.ShowHeat).Title(t.Why.HeatTitle),
					ui.Button("plain", "closer", ui.IconLoupe, t.Why.Closer).Disabled(!known).OnClick(w.compare),
				)),
			),
			app.If(why.Shown, w.body(t, why, known)),
		)
}

// question asks why the answer is the class of the match, or why not.
func question(t *texts.Texts, class kernel.Class, m *kernel.Match) string {
	if m.Answer.Unknown() || m.ClassID != m.Answer.Best() {
		return t.Why.TitleNot(class.Label)
	}
	return t.Why.TitleOf(class.Label)
}

func (w *Why) body(t *texts.Texts, why State, known bool) app.UI {
	live := "off" // the legend returns with every picture
	if why.Part != nil {
		live = "polite"
	}
	return app.Div().Class("match").Body(
		&board{Why: w, Drawing: matchDrawing{}, Name: t.Why.Canvas},
		app.If(!known, app.P().Class("wait").Text(w.waiting())),
		app.Div().Class("names", ui.When(!known, "off")).Body(
			app.Span().Text(t.Why.Picture), app.Span().Text(t.Why.Example),
		),
		app.P().Class("words").Aria("live", live).Text(whyWords(t, why)),
		evidenceBars(w.K, why.Match),
	)
}

// waiting returns the condition that is missing for a match.
func (w *Why) waiting() string {
	if len(w.K.Classes.Answering()) > 0 {
		return w.K.Texts().Why.Nothing
	}
	return w.K.Texts().Why.Waiting
}

func whyWords(t *texts.Texts, why State) string {
	switch {
	case why.Match == nil:
		return ""
	case why.Part == nil:
		return t.Why.Legend
	}
	side := why.Match.From
	if why.Part.OfExample {
		side = why.Match.To
	}
	var shares []string
	for _, s := range sharesOf(&why.Match.Match, *why.Part) {
		shares = append(shares, t.Percent(s.Flow))
	}
	return t.Why.Part(t.Percent(side[why.Part.Node].Weight/why.Match.Total), len(shares), strings.Join(shares, " + "))
}

func (w *Why) compare(ctx app.Context, _ app.Event) {
	w.OpenComparison()
	if w.State().Comparison != nil {
		ui.OpenDialog(ctx, comparisonID)
	}
}

// evidenceBars shows the evidence for a class compared with its rival, in words and as two bars: the match,
// and the learned head. It is nil without a head.
func evidenceBars(s *kernel.Kernel, m *kernel.Match) app.UI {
	if m == nil {
		return nil
	}
	l := LeadOf(m)
	if l == nil {
		return nil
	}
	t := s.Texts()
	class, known := s.Classes.Find(l.Class)
	rival, other := s.Classes.Find(l.Rival)
	if !known || !other {
		return nil
	}
	most := max(math.Abs(l.Match), math.Abs(l.Head), leastPull)
	row := func(name string, by float64) []app.UI {
		return []app.UI{
			app.Span().Class("by").Text(name),
			app.Div().Class("pull", "ahead", ui.Hue(class)).Body(ui.Bar(t, "", class.Label, max(0, by/most))),
			app.Div().Class("pull", ui.Hue(rival)).Body(ui.Bar(t, "", rival.Label, max(0, -by/most))),
		}
	}
	cells := []app.UI{
		app.Span().Class("ahead").Dir("auto").Text(class.Label), app.Span().Class("rival").Dir("auto").Text(rival.Label),
	}
	cells = append(cells, row(t.Why.ByMatch, l.Match)...)
	cells = append(cells, row(t.Why.ByHead, l.Head)...)
	return app.Div().Class("lead").Body(
		app.P().Text(leadWords(t, l, class.Label, rival.Label)),
		app.Div().Class("pulls").Aria("hidden", true).Body(cells...),
	)
}

// leastPull is the minimum lead in logits for a full bar, so that a small lead looks small.
const leastPull = 1

func leadWords(t *texts.Texts, l *Lead, class, rival string) string {
	switch {
	case l.Head < 0:
		return t.Why.LeadByMatch(class, rival)
	case l.Match < 0:
		return t.Why.LeadByHead(class, rival)
	case l.Match+l.Head == 0:
		return t.Why.LeadTied(class, rival)
	}
	match := l.Match / (l.Match + l.Head)
	return t.Why.LeadByBoth(class, rival, t.Percent(match), t.Percent(1-match))
}
