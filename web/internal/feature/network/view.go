package network

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/texts"
	"github.com/deepemd/deepemd/web/internal/ui"
)

// ownWeightsID is the id of the field that takes a network's file.
const ownWeightsID = "own-weights"

type watching = ui.Watching

// Add adds the feature to a page.
func Add(k *kernel.Kernel, page *ui.Page) {
	n := New(k)
	page.Show(ui.Expert, func() app.UI { return &View{watching: ui.Watches(n.K, n, n.K.Setup, n.K.Engine), Network: n} })
}

// View is the setting of the network: its name, ways to change it, and the progress of a change.
type View struct {
	app.Compo
	watching
	Network *Network
}

// Render shows the network in use, its progress, and the buttons that change it.
func (p *View) Render() app.UI {
	t, state := p.Network.K.Texts(), p.Network.State()
	busy := state.Changing || state.Keeping != nil
	two, other := state.Supplied.Offered && state.Own == nil, t.Network.UseSmall
	if state.Supplied.Small {
		other = t.Network.UseUsual
	}
	return app.Div().Class("network").Role("group").Aria("labelledby", "network-title").Body(
		app.Span().ID("network-title").Text(t.Network.Title),
		app.P().ID("network-now").Text(networkNow(t, state, p.Network.K.Engine.State())),
		app.Div().Class("now").Body(
			p.progress(t, state),
			app.If(state.Trial != nil, p.trial(t, state.Trial)),
		),
		app.Div().Class("ways").Body(
			app.Label().Class("file plain").Body(ui.Icon(ui.IconUpload), app.Span().Text(t.Network.Choose),
				app.Input().Type("file").ID(ownWeightsID).Accept(".safetensors").Disabled(busy).OnChange(p.choose)),
			app.If(state.Own != nil || state.Unused, app.Button().Type("button").Class("plain").ID("page-weights").
				Disabled(busy).OnClick(p.remove).Body(ui.Icon(ui.IconTrash), app.Text(t.Network.Remove))),
			app.If(two, app.Button().Type("button").Class("plain").ID("other-weights").
				Disabled(busy).OnClick(p.other).Text(other)),
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
func (p *View) progress(t *texts.Texts, state State) app.UI {
	changing := p.Network.K.Setup.State().Changing
	switch {
	case state.Changing && changing != nil:
		return ui.Running(t, t.Network.Changing(changing.Done, changing.All), t.Network.Title, ui.Fraction(*changing), "stop-network", t.Setup.Stop, p.stop)
	case state.Keeping != nil:
		share := ui.Fraction(*state.Keeping)
		return app.Div().Class("running").Body(
			app.P().Role("status").Text(t.Network.Keeping(t.Percent(share))),
			ui.Bar(t, "load", t.Network.Title, share),
		)
	}
	return app.Div()
}

// trial shows the progress and the result of a trial.
func (p *View) trial(t *texts.Texts, trial *Trial) app.UI {
	if trial == nil {
		return app.Div()
	}
	switch trial.Stage {
	case TrialReading:
		return ui.Running(t, t.Network.Reading(trial.File, t.Percent(trial.Progress)), t.Network.Title, trial.Progress, "cancel-network", t.Network.Cancel, p.cancel)
	case TrialMeasuring:
		return ui.Running(t, t.Network.Measuring(trial.File, t.Percent(trial.Progress)), t.Network.Title, trial.Progress, "cancel-network", t.Network.Cancel, p.cancel)
	case TrialRefused:
		return &Refused{Network: p.Network, Texts: t, File: trial.File, Err: trial.Err}
	}
	return &Figures{Network: p.Network, Texts: t, Own: trial.Own, Present: trial.Present}
}

func (p *View) choose(ctx app.Context, _ app.Event) {
	if files := browser.ChosenFiles(ctx.JSSrc()); len(files) > 0 {
		p.Network.Choose(files[0])
	}
}

func (p *View) remove(app.Context, app.Event) {
	p.Network.Remove()
	p.Focus(ownWeightsID)
}

// other changes to the page's other network.
func (p *View) other(app.Context, app.Event) {
	p.Network.UseSupplied(!p.Network.State().Supplied.Small)
}

func (p *View) stop(app.Context, app.Event) { p.Network.K.Setup.Stop() }

func (p *View) cancel(app.Context, app.Event) {
	p.Network.Cancel()
	p.Focus(ownWeightsID)
}

// Figures compares a network on trial with the present network.
type Figures struct {
	app.Compo
	Network      *Network
	Texts        *texts.Texts
	Own, Present Measured
}

// figuresID is the id of the heading of the figures.
const figuresID = "network-figures"

// OnMount moves the focus to the figures.
func (f *Figures) OnMount(ctx app.Context) {
	ctx.Defer(func(app.Context) { browser.Focus(figuresID) })
}

// Render shows the figures in a table, the cost of the network, and the buttons to decide.
func (f *Figures) Render() app.UI {
	t := &f.Texts.Network
	row := func(name string, of func(Measured) string) app.UI {
		return app.Tr().Body(app.Th().Scope("row").Text(name), app.Td().Text(of(f.Own)), app.Td().Text(of(f.Present)))
	}
	return app.Div().Class("measured").Role("group").Aria("labelledby", figuresID).Body(
		app.H3().ID(figuresID).TabIndex(-1).Text(t.Question(f.Own.Name)),
		app.Table().Body(
			app.THead().Body(app.Tr().Body(
				app.Th().Scope("col").Body(app.Span().Class("unseen").Text(t.Figure)),
				app.Th().Scope("col").Text(t.Yours),
				app.Th().Scope("col").Body(app.Text(t.Present), app.Span().Class("of").Text(f.Present.Name)),
			)),
			app.TBody().Body(
				row(t.Answers, func(m Measured) string { return f.Texts.PerSecond(m.PerSecond) }),
				row(t.Size, func(m Measured) string { return t.Megabytes(megabytes(f.Texts, m.Bytes)) }),
				row(t.Kind, func(m Measured) string { return architecture(m.Arch) }),
				row(t.Parts, func(m Measured) string { return t.Nodes(m.Nodes, m.Pixels) }),
			),
		),
		app.P().Class("note").Text(t.Costs(megabytes(f.Texts, f.Own.Bytes))),
		app.Div().Class("ways").Body(
			app.Button().Type("button").Class("primary").ID("use-network").Text(t.Use).OnClick(f.use),
			app.Button().Type("button").Class("plain").ID("cancel-network").Text(t.Cancel).OnClick(f.cancel),
		),
	)
}

func (f *Figures) use(ctx app.Context, _ app.Event) {
	f.Network.Use()
	browser.Focus(ownWeightsID)
}

func (f *Figures) cancel(ctx app.Context, _ app.Event) {
	f.Network.Cancel()
	browser.Focus(ownWeightsID)
}

// architecture returns the usual name of an architecture.
func architecture(arch string) string {
	names := map[string]string{"resnet12": "ResNet-12", "resnet": "ResNet", "mobilenet": "MobileNet", "vit": "ViT"}
	if name, ok := names[arch]; ok {
		return name
	}
	return arch
}

// Refused reports why a network cannot be used.
type Refused struct {
	app.Compo
	Network *Network
	Texts   *texts.Texts
	File    string
	Err     error
}

// Render shows the reason, with the error message for experts.
func (r *Refused) Render() app.UI {
	t := r.Texts
	words := kernel.Detail(r.Err)
	return app.Div().Class("not-used").Body(
		app.Div().Role("alert").Body(
			app.Strong().Text(t.Network.NotUsed(r.File)),
			app.P().Text(reason(t, r.Err)+" "+t.Network.Stays),
		),
		app.If(words != "", app.Details().Body(app.Summary().Text(t.Notice.Detail), app.P().Lang("en").Text(words))),
		app.Button().Type("button").Class("plain small").ID("close-network").Text(t.Network.Close).OnClick(r.close),
	)
}

func (r *Refused) close(app.Context, app.Event) {
	r.Network.Cancel()
	browser.Focus(ownWeightsID)
}
