package view

import (
	"slices"
	"strconv"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/texts"
	"github.com/deepemd/deepemd/web/internal/ui"
)

// SettingsID is the id of the dialog of settings.
const SettingsID = "settings"

// drawSettings shows the dialog with the groups of settings.
func (s *Studio) drawSettings() app.UI {
	t := &s.Kernel.Texts().Settings
	var languages []ui.Option // each in its own language
	for _, l := range browser.Languages() {
		languages = append(languages, ui.Option{Value: l.Code, Text: l.Name})
	}
	return ui.Dialog(s.Kernel.Texts(), SettingsID, "", t.Title, append([]app.UI{
		ui.Choice("theme", t.Theme, browser.Theme(), []ui.Option{
			{Value: browser.ThemeSystem, Text: t.System}, {Value: browser.ThemeLight, Text: t.Light}, {Value: browser.ThemeDark, Text: t.Dark},
		}, browser.SetTheme),
		ui.Choice("language", t.Language, s.Kernel.Texts().Code, languages, s.chooseLanguage),
		s.setup(),
	}, s.Page.At(ui.Groups)...)...)
}

func (s *Studio) chooseLanguage(code string) {
	browser.SetLanguage(code, s.Kernel.SetLanguage, func() { browser.Check("language", s.Kernel.Texts().Code) })
}

// drawSetup shows the group of settings for the method: the modes, the progress of a change, and the
// settings for experts.
func (s *Studio) drawSetup() app.UI {
	t, state := s.Kernel.Texts(), s.Kernel.Setup.State()
	modes, mode := kernel.Offered(s.Kernel.Project.Kind(), state.Method)
	names := map[kernel.Mode][2]string{
		kernel.Fast:     {t.Setup.Fast, t.Setup.FastNote},
		kernel.Balanced: {t.Setup.Balanced, t.Setup.BalancedNote},
		kernel.Custom:   {t.Setup.Own, t.Setup.OwnNote},
	}
	var choices []app.UI
	for _, m := range modes {
		rate := t.Setup.NoRate
		if r := state.Rates[m]; r > 0 {
			rate = t.Setup.Rate(t.Decimal(r, 0))
		}
		choices = append(choices, app.Label().Body(
			app.Input().Type("radio").Name("mode").Value(string(m)).Checked(m == mode).OnChange(ui.Take(s.chooseMode)),
			app.Span().Class("mode").Body(
				app.Strong().Text(names[m][0]),
				app.Span().Class("about").Text(names[m][1]),
				app.Span().Class("rate").Text(rate),
			),
		))
	}
	var running []app.UI
	if p := state.Changing; p != nil && !state.Network {
		running = append(running, ui.Running(t, t.Setup.Changing(p.Done, p.All), t.Network.Title, ui.Fraction(*p), "stop-setup", t.Page.Stop, s.Kernel.Setup.Stop))
	}
	return app.FieldSet().Class("setup").Body(
		app.Legend().Text(t.Setup.Title),
		app.Div().Class("modes").Body(choices...),
		// A permanent element wraps the optional ones. Otherwise the details below would be
		// recreated, closed.
		app.Div().Class("now").Body(append(running,
			app.If(state.Memory > 0, app.P().Class("note").Text(t.Setup.Memory(t.Decimal(float64(state.Memory)/1e6, 1)))))...),
		app.Details().ID("expert").Body(
			app.Summary().Text(t.Setup.Expert),
			s.expert(t, state),
		),
	)
}

func (s *Studio) expert(t *texts.Texts, state kernel.SetupState) app.UI {
	m := state.Method
	return app.Div().Class("expert").Body(slices.Concat([]app.UI{
		ui.Selection("embedder", t.Setup.Embedder, m.Embedder.String(), embedders(t, m.Embedder), s.change(setEmbedder)),
		ui.Selection("classifier", t.Setup.Classifier, m.Classifier, named(t, method.Classifiers()),
			s.change(func(m *method.Method, value string) { m.Classifier = value })),
		ui.Selection("weighting", t.Setup.Weighting, m.Weighting, named(t, method.Weightings()),
			s.change(func(m *method.Method, value string) { m.Weighting = value })),
		ui.Selection("solver", t.Setup.Solver, m.Solver, named(t, method.Solvers()),
			s.change(func(m *method.Method, value string) { m.Solver = value })),
		app.Label().Body(
			app.Span().Text(t.Setup.Temperature),
			app.Input().Type("number").ID("temperature").Min(0.5).Max(100).Step(0.5).Value(temperature(m)).
				OnChange(s.setTemperature),
		),
	}, s.Page.At(ui.Expert), []app.UI{
		s.facts(),
	})...)
}

// change returns a function that takes the value of a field.
func (s *Studio) change(set func(m *method.Method, value string)) func(value string) {
	return func(value string) {
		s.Kernel.Setup.Change(func(m *method.Method) { set(m, value) })
	}
}

// setTemperature accepts a positive number; anything else is reset.
func (s *Studio) setTemperature(ctx app.Context, _ app.Event) {
	field := ctx.JSSrc()
	n, err := strconv.ParseFloat(field.Get("value").String(), 64)
	if err != nil || n <= 0 {
		field.Set("value", temperature(s.Kernel.Setup.Method()))
		return
	}
	s.Kernel.Setup.Change(func(m *method.Method) { m.Temperature = n })
}

func temperature(m method.Method) string { return strconv.FormatFloat(m.Temperature, 'f', -1, 64) }

func (s *Studio) chooseMode(value string) {
	if mode := kernel.Mode(value); mode != kernel.Custom {
		s.Kernel.Setup.Choose(mode)
	}
}

// named returns the names that the page has words for, in the order of package method.
func named(t *texts.Texts, names []method.Name) (options []ui.Option) {
	for _, n := range names {
		if text := t.Method(n.Name); text != "" {
			options = append(options, ui.Option{Value: n.Name, Text: text})
		}
	}
	return options
}

// embedders returns some of the many embedders; their values come from method.Embedder.String.
func embedders(t *texts.Texts, chosen method.Embedder) []ui.Option {
	few := method.Embedder{Kind: method.Sampling}.Complete()
	many := method.Embedder{Kind: method.Sampling, Patches: manyCrops}
	grid := method.Embedder{Kind: method.Grid}.Complete()
	passes := 0
	for _, cells := range grid.Grid {
		passes += cells * cells
	}
	return ui.With([]ui.Option{
		{Value: kernel.Fast.Method().Embedder.String(), Text: t.Setup.Positions},
		{Value: kernel.Balanced.Method().Embedder.String(), Text: t.Setup.Pyramid},
		{Value: grid.String(), Text: t.Setup.Grid(passes)},
		{Value: few.String(), Text: t.Setup.Crops(few.Patches)},
		{Value: many.String(), Text: t.Setup.Crops(many.Patches)},
	}, chosen.String())
}

// manyCrops is the largest number of crops in the paper's tables.
const manyCrops = 25

func setEmbedder(m *method.Method, value string) {
	without := *m
	without.Embedder = method.Embedder{}
	if chosen, err := without.With(value); err == nil {
		m.Embedder = chosen.Embedder
	}
}
