package view

import (
	"strconv"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/session"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// Setup is the group of settings about how pictures are recognised.
type Setup struct {
	app.Compo
	watching
	Session *session.Session
}

// OnMount starts to follow the setup.
func (v *Setup) OnMount(ctx app.Context) {
	v.watch(ctx, v.Session, session.Setups, session.Projects, session.Engines)
}

// Render shows the modes, how far a change is, and the rest for experts.
func (v *Setup) Render() app.UI {
	t, state := texts.Current(), v.Session.SetupState()
	mode := state.Setup.Mode()
	names := map[session.Mode][2]string{
		session.Fast:     {t.Setup.Fast, t.Setup.FastNote},
		session.Balanced: {t.Setup.Balanced, t.Setup.BalancedNote},
		session.Accurate: {t.Setup.Accurate, t.Setup.AccurateNote},
		session.Custom:   {t.Setup.Own, t.Setup.OwnNote},
	}
	modes := session.Modes
	if mode == session.Custom {
		modes = append(modes[:len(modes):len(modes)], session.Custom)
	}
	var choices []app.UI
	for _, m := range modes {
		rate := t.Setup.NoRate
		if r := state.Rates[m]; r > 0 {
			rate = t.Setup.Rate(t.Decimal(r, 0))
		}
		choices = append(choices, app.Label().Body(
			app.Input().Type("radio").Name("mode").Value(string(m)).Checked(m == mode).OnChange(v.chooseMode),
			app.Span().Class("mode").Body(
				app.Strong().Text(names[m][0]),
				app.Span().Class("about").Text(names[m][1]),
				app.Span().Class("rate").Text(rate),
			),
		))
	}
	return app.FieldSet().Class("setup").Body(
		app.Legend().Text(t.Setup.Title),
		app.Div().Class("modes").Body(choices...),
		app.If(state.Changing != nil, v.changing(t, state.Changing)),
		app.If(state.Memory > 0, app.P().Class("note").Text(t.Setup.Memory(t.Decimal(float64(state.Memory)/1e6, 1)))),
		app.Details().ID("expert").Body(
			app.Summary().Text(t.Setup.Expert),
			v.expert(t, state),
		),
	)
}

func (v *Setup) changing(t *texts.Texts, p *session.Progress) app.UI {
	if p == nil {
		return app.Div()
	}
	return app.Div().Class("running").Body(
		app.P().Role("status").Text(t.Setup.Changing(p.Done, p.All)),
		&Fill{Class: "load", Label: t.Setup.Title, Value: fraction(*p)},
		app.Button().Type("button").Class("plain small").ID("stop-setup").Text(t.Setup.Stop).OnClick(v.stop),
	)
}

// expert are the choices one by one.
func (v *Setup) expert(t *texts.Texts, state session.SetupState) app.UI {
	u := state.Setup.Complete()
	embedder := u.Embedder
	switch {
	case embedder == "sampling":
		embedder = "sampling-" + strconv.Itoa(u.Patches)
	case len(u.Pyramid) > 0:
		embedder = "pyramid"
	}
	return app.Div().Class("expert").Body(
		selection("embedder", t.Setup.Embedder, embedder, []option{
			{"fcn", t.Setup.Positions}, {"pyramid", t.Setup.Pyramid}, {"grid", t.Setup.Grid},
			{"sampling-9", t.Setup.Crops(9)}, {"sampling-25", t.Setup.Crops(25)},
		}, v.change(func(u *session.Setup, value string) {
			u.Embedder, u.Pyramid, u.Grid, u.Patches = value, nil, nil, 0
			switch value {
			case "pyramid":
				u.Embedder, u.Pyramid = "fcn", []int{2, 1}
			case "sampling-9":
				u.Embedder, u.Patches = "sampling", 9
			case "sampling-25":
				u.Embedder, u.Patches = "sampling", 25
			}
		})),
		selection("classifier", t.Setup.Classifier, u.Classifier, []option{
			{"prototype", t.Setup.Prototype}, {"nearest", t.Setup.Nearest}, {"fusion", t.Setup.Fusion}, {"merge", t.Setup.Merge}, {"cosine", t.Setup.Cosine},
		}, v.change(func(u *session.Setup, value string) { u.Classifier = value })),
		selection("weighting", t.Setup.Weighting, u.Weighting, []option{
			{"cross-reference", t.Setup.Cross}, {"equal", t.Setup.Equal},
		}, v.change(func(u *session.Setup, value string) { u.Weighting = value })),
		selection("solver", t.Setup.Solver, u.Solver, []option{
			{"simplex", t.Setup.Exact}, {"dense", t.Setup.Dense},
		}, v.change(func(u *session.Setup, value string) { u.Solver = value })),
		app.Label().Body(
			app.Span().Text(t.Setup.Temperature),
			app.Input().Type("number").ID("temperature").Min(0.5).Max(100).Step(0.5).Value(strconv.FormatFloat(u.Temperature, 'f', -1, 64)).
				OnChange(v.change(func(u *session.Setup, value string) {
					if n, err := strconv.ParseFloat(value, 64); err == nil && n > 0 {
						u.Temperature = n
					}
				})),
		),
		app.Div().Class("network").Body(
			app.Span().Text(t.Setup.Weights),
			app.Div().Class("ways").Body(
				app.Label().Class("file plain").Body(icon(iconUpload), app.Span().Text(t.Setup.OwnWeights),
					app.Input().Type("file").ID("own-weights").Accept(".safetensors").OnChange(v.weights)),
				app.If(state.Weights != "", app.Button().Type("button").Class("plain").ID("page-weights").
					Title(state.Weights).Text(t.Setup.PageWeights).OnClick(v.pageWeights)),
			),
			app.P().Class("note").Text(t.Setup.WeightsNote),
		),
	)
}

// selection is a choice of one from a list that unfolds.
func selection(id, label, chosen string, options []option, choose app.EventHandler) app.UI {
	var list []app.UI
	for _, o := range options {
		list = append(list, app.Option().Value(o.value).Text(o.text).Selected(o.value == chosen))
	}
	return app.Label().Body(app.Span().Text(label), app.Select().ID(id).OnChange(choose).Body(list...))
}

// change makes the handler of a field that changes one thing.
func (v *Setup) change(set func(u *session.Setup, value string)) app.EventHandler {
	return func(ctx app.Context, _ app.Event) {
		u := v.Session.SetupState().Setup.Complete()
		set(&u, ctx.JSSrc().Get("value").String())
		v.Session.ChangeSetup(u)
	}
}

func (v *Setup) chooseMode(ctx app.Context, _ app.Event) {
	mode := session.Mode(ctx.JSSrc().Get("value").String())
	if mode != session.Custom {
		v.Session.ChangeSetup(mode.Setup())
	}
}

func (v *Setup) stop(app.Context, app.Event)        { v.Session.StopSetup() }
func (v *Setup) pageWeights(app.Context, app.Event) { v.Session.ChangeWeights(nil) }

func (v *Setup) weights(ctx app.Context, _ app.Event) {
	if files := browser.ChosenFiles(ctx.JSSrc()); len(files) > 0 {
		v.Session.ChangeWeights(&files[0])
	}
}
