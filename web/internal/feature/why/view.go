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

type watching = ui.Watching

// Add adds the feature to a page.
func Add(k *kernel.Kernel, page *ui.Page) {
	w := New(k)
	page.Show(ui.Below, func() app.UI { return &View{Why: w} })
	page.Dialog(ComparisonID, func() app.UI { return &Closer{watching: ui.Watches(w.K, w, w.K.Classes), Why: w} })
	if k.Project.OfSounds() {
		return
	}
	page.Show(ui.Picture, func() app.UI {
		camera := k.Camera.State()
		return &WhereMap{Why: w, Mirrored: camera.Stage == kernel.CameraOn && k.Framing.Mirrored(camera.Device)}
	})
	page.Show(ui.MoreTools, func() app.UI { return &WhereSwitch{watching: ui.Watches(w.K, w.Where), Why: w} })
}

// View explains the answer by the match between parts of the image and of an example.
type View struct {
	app.Compo
	watching
	Why *Why
}

// OnMount starts to follow the explanations, and shows them on large screens.
func (w *View) OnMount(ctx app.Context) {
	w.Watch(ctx, w.Why.K, w.Why, w.Why.K.Classes)
	if browser.Roomy() {
		w.Why.Show(true)
	}
}

// Render shows the match with a legend, or one line while it is hidden.
func (w *View) Render() app.UI {
	t := &w.Why.K.Texts().Why
	why := w.Why.State()
	class, known := w.class(why.Match)
	return app.Section().
		Class("why", "panel", ui.When(known, ui.Hue(class)), ui.When(!why.Shown, "folded"), ui.When(why.Part != nil, "still")).
		Aria("labelledby", "why-title").
		Body(
			app.Header().Body(
				app.H2().ID("why-title").Text(whyTitle(w.Why.K.Texts(), class, known)),
				app.If(known, app.Span().Class("alike").Text(w.alike(why.Match))),
				ui.FoldButton("show-why", why.Shown, t.Show, t.Hide, w.toggle),
				app.If(why.Shown, app.Div().Class("acts").Body(
					ui.Tick("heat", t.Heat, why.Heat, w.heat).Title(t.HeatTitle),
					app.Button().Type("button").ID("closer").Class("plain").
						Disabled(!known).OnClick(w.compare).Body(ui.Icon(ui.IconLoupe), app.Text(t.Closer)),
				)),
			),
			app.If(why.Shown, w.body(why, known)),
		)
}

// body shows the drawing and its description.
func (w *View) body(why State, known bool) app.UI {
	t := w.Why.K.Texts()
	return app.Div().Class("match").Body(
		&MatchCanvas{Why: w.Why},
		app.If(!known, app.P().Class("wait").Text(w.waiting())),
		app.Div().Class("names", ui.When(!known, "off")).Body(
			app.Span().Text(t.Why.Picture), app.Span().Text(t.Why.Example),
		),
		app.P().Class("words").Role("status").Text(whyWords(t, why)),
		lead(w.Why.K, why.Match),
	)
}

// waiting returns the condition that is missing for a match.
func (w *View) waiting() string {
	t := &w.Why.K.Texts().Why
	for _, c := range w.Why.K.Classes.List() {
		if !c.Disabled && len(c.Examples) > 0 {
			return t.Nothing
		}
	}
	return t.Waiting
}

// class returns the class of a match, unless it was removed.
func (w *View) class(m *kernel.Match) (class kernel.Class, known bool) {
	if m == nil {
		return class, false
	}
	return w.Why.K.Classes.Find(m.ClassID)
}

func whyTitle(t *texts.Texts, class kernel.Class, known bool) string {
	if !known {
		return t.Why.Title
	}
	return t.Why.TitleOf(class.Label)
}

func (w *View) alike(m *kernel.Match) string {
	if m == nil {
		return ""
	}
	t := w.Why.K.Texts()
	return t.Why.Alike(t.Percent(m.Alike()))
}

// whyWords describes the drawing.
func whyWords(t *texts.Texts, why State) string {
	switch {
	case why.Match == nil:
		return ""
	case why.Part == nil:
		return t.Why.Legend
	}
	side, tell := why.Match.From, t.Why.PartOfPicture
	if why.Part.OfExample {
		side, tell = why.Match.To, t.Why.PartOfExample
	}
	var shares []string
	for _, s := range sharesOf(&why.Match.Match, *why.Part) {
		shares = append(shares, t.Percent(s.of))
	}
	return tell(t.Percent(side[why.Part.Node].Weight/why.Match.Total), len(shares), strings.Join(shares, " + "))
}

func (w *View) toggle(app.Context, app.Event) { w.Why.Show(!w.Why.State().Shown) }

func (w *View) heat(ctx app.Context, _ app.Event) {
	w.Why.ShowHeat(ctx.JSSrc().Get("checked").Bool())
}

func (w *View) compare(ctx app.Context, _ app.Event) {
	w.Why.OpenComparison()
	if w.Why.State().Comparison != nil {
		ui.OpenDialog(ctx, ComparisonID)
	}
}

// lead shows the evidence for a class compared with its rival, in words and as two bars: the match,
// and the learned head. It is nil without a head.
func lead(s *kernel.Kernel, m *kernel.Match) app.UI {
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

// leadWords describes the bars.
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
