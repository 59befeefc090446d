package network

import (
	"cmp"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/texts"
	"github.com/deepemd/deepemd/web/internal/ui"
)

// ownWeightsID is the id of the field that takes a network's file.
const ownWeightsID = "own-weights"

// Add adds the feature to a page.
func Add(k *kernel.Kernel, page *ui.Page) {
	n := New(k)
	page.Show(ui.Expert, ui.Follow(k, n.view, n, k.Setup, k.Engine))
}

// view shows the network in use, the progress of a change, and the buttons that change it.
func (n *Network) view() app.UI {
	t, state := n.K.Texts(), n.State()
	busy := state.Changing || state.Keeping != nil
	two, other := state.Supplied.Offered && state.Own == nil, t.Network.UseSmall
	if n.usual() {
		other = t.Network.UseUsual
	}
	return app.Div().Class("network").Role("group").Aria("labelledby", "network-title").Body(
		app.Span().ID("network-title").Text(t.Network.Title),
		app.P().ID("network-now").Text(networkNow(t, state, n.K.Engine.State())),
		app.Div().Class("now").Body(
			n.progress(t, state),
			app.If(state.Trial != nil, n.trial(t, state.Trial)),
		),
		app.Div().Class("ways").Body(
			ui.File("plain", ui.IconUpload, t.Network.Choose,
				app.Input().ID(ownWeightsID).Accept(".safetensors").Disabled(busy).
					OnChange(ui.TakeFiles(func(files []kernel.File) { n.Choose(files[0]) }))),
			app.If(state.Own != nil || state.Unused, ui.Button("plain", "page-weights", ui.IconTrash, t.Network.Remove).Disabled(busy).OnClick(n.remove)),
			app.If(two, ui.Idle(ui.Button("plain", "other-weights", "", other), busy, func() { n.UseSupplied(!n.usual()) })),
		),
		app.If(two, app.P().Class("note").Text(t.Network.TwoNote)),
		app.P().Class("note").Text(t.Network.Note),
	)
}

// networkNow names the network in use, and how long it stays.
func networkNow(t *texts.Texts, state State, engine kernel.EngineState) string {
	switch {
	case engine.Stage != kernel.Ready:
		return ""
	case state.Own == nil && state.Project:
		return t.Network.Project(engine.Info.Network)
	case state.Own == nil && state.Supplied.Small:
		return t.Network.Small(engine.Info.Network)
	case state.Own == nil:
		return t.Network.Comes(engine.Info.Network)
	case state.Keeping != nil:
		return t.Network.Own(state.Own.Name, megabytes(t, state.Own.Bytes))
	case state.Kept:
		return t.Network.Own(state.Own.Name, megabytes(t, state.Own.Bytes)) + " · " + t.Network.Kept
	}
	return t.Network.Own(state.Own.Name, megabytes(t, state.Own.Bytes)) + " · " + t.Network.Until
}

func megabytes(t *texts.Texts, bytes int) string { return t.Decimal(float64(bytes)/1e6, 1) }

// progress shows the progress of a change, or of keeping the network.
func (n *Network) progress(t *texts.Texts, state State) app.UI {
	changing := n.K.Setup.State().Changing
	switch {
	case state.Changing && changing != nil:
		return ui.Running(t, t.Network.Changing(changing.Done, changing.All), t.Network.Title, ui.Fraction(*changing), "stop-network", t.Page.Stop, n.K.Setup.Stop)
	case state.Keeping != nil:
		share := ui.Fraction(*state.Keeping)
		return app.Div().Class("running").Body(
			app.P().Text(t.Network.Keeping(t.Percent(share))),
			ui.Bar(t, "load", t.Network.Title, share),
		)
	}
	return app.Div()
}

// trial shows the progress and the result of a trial.
func (n *Network) trial(t *texts.Texts, trial *Trial) app.UI {
	if trial == nil {
		return app.Div()
	}
	running := func(words string) app.UI {
		return ui.Running(t, words, t.Network.Title, trial.Progress, "cancel-network", t.Network.Cancel, n.cancel)
	}
	switch trial.Stage {
	case TrialReading:
		return running(t.Network.Reading(trial.File, t.Percent(trial.Progress)))
	case TrialMeasuring:
		return running(t.Network.Measuring(trial.File, t.Percent(trial.Progress)))
	case TrialRefused:
		return n.refused(t, trial)
	}
	return n.figures(t, trial.Own, trial.Present)
}

func (n *Network) remove(ctx app.Context, _ app.Event) {
	n.Remove()
	ctx.Defer(func(app.Context) { browser.Focus(ownWeightsID) })
}

// usual reports whether the page offers its usual network instead of the small one.
func (n *Network) usual() bool { return n.K.Setup.Weights().Supplied != kernel.Usual }

// cancel ends the trial, and moves the focus from its buttons.
func (n *Network) cancel() {
	n.Cancel()
	browser.Focus(ownWeightsID)
}

// figuresID is the id of the heading of the figures, which gets the focus.
const figuresID = "network-figures"

// figures compares a network on trial with the present network in a table, with the cost of the network
// and the buttons to decide.
func (n *Network) figures(words *texts.Texts, own, present Measured) app.UI {
	t := &words.Network
	row := func(name string, of func(Measured) string) app.UI {
		return app.Tr().Body(app.Th().Scope("row").Text(name), app.Td().Text(of(own)), app.Td().Text(of(present)))
	}
	table := app.Div().Class("measured").Role("group").Aria("labelledby", figuresID).Body(
		app.H3().ID(figuresID).TabIndex(-1).Text(t.Question(own.Name)),
		app.Table().Body(
			app.THead().Body(app.Tr().Body(
				app.Th().Scope("col").Body(app.Span().Class("said").Text(t.Figure)),
				app.Th().Scope("col").Text(t.Yours),
				app.Th().Scope("col").Body(app.Text(t.Present), app.Span().Class("of").Text(present.Name)),
			)),
			app.TBody().Body(
				row(t.Answers, func(m Measured) string { return words.PerSecond(m.PerSecond) }),
				row(t.Size, func(m Measured) string { return t.Megabytes(megabytes(words, m.Bytes)) }),
				row(t.Kind, func(m Measured) string { return architecture(m.Arch) }),
				row(t.Parts, func(m Measured) string { return t.Nodes(m.Nodes, m.Pixels) }),
			),
		),
		app.P().Class("note").Text(t.Costs(megabytes(words, own.Bytes))),
		app.Div().Class("ways").Body(
			ui.Button("primary", "use-network", "", t.Use).OnClick(ui.Do(func() { n.Use(); browser.Focus(ownWeightsID) })),
			ui.Button("plain", "cancel-network", "", t.Cancel).OnClick(ui.Do(n.cancel)),
		),
	)
	return &ui.Drawn{Element: table, Draw: func(app.Value) { browser.Focus(figuresID) }}
}

// architecture returns the usual name of an architecture.
func architecture(arch string) string {
	names := map[string]string{"resnet12": "ResNet-12", "resnet": "ResNet", "mobilenet": "MobileNet", "vit": "ViT"}
	return cmp.Or(names[arch], arch)
}

// refused shows why a network cannot be used, with the error message for experts.
func (n *Network) refused(t *texts.Texts, trial *Trial) app.UI {
	words := kernel.Detail(trial.Err)
	return app.Div().Class("not-used").Body(
		app.Div().Role("alert").Body(
			app.Strong().Text(t.Network.NotUsed(trial.File)),
			app.P().Text(reason(t, trial.Err)+" "+t.Network.Stays),
		),
		app.If(words != "", app.Details().Body(app.Summary().Text(t.Notice.Detail), app.P().Lang("en").Text(words))),
		ui.Button("plain small", "close-network", "", t.Page.Close).OnClick(ui.Do(n.cancel)),
	)
}
