package actions

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/texts"
	"github.com/deepemd/deepemd/web/internal/ui"
)

type watching = ui.Watching

// Add adds the feature to a page.
func Add(k *kernel.Kernel, page *ui.Page) {
	a := New(k)
	a.connect()
	page.Show(ui.Below, func() app.UI { return &View{watching: ui.Watches(a.K, a, a.K.Classes, a.K.Project), Actions: a} })
	page.Show(ui.Over, func() app.UI { return &Shown{watching: ui.Watches(a.K, a), Actions: a} })
}

// View is the panel of rules.
type View struct {
	app.Compo
	watching
	Actions *Actions
}

// Render shows a row per class and the log; one line while the panel is closed; nothing before the
// first example.
func (v *View) Render() app.UI {
	if v.Actions.K.Classes.Examples() == 0 {
		return app.Section().Class("then", "hidden")
	}
	t, state := v.Actions.K.Texts(), v.Actions.State()
	return app.Section().Class("then", "panel", ui.When(!state.Open, "folded")).Aria("labelledby", "then-title").Body(
		app.Header().Body(
			app.H2().ID("then-title").Text(t.Then.Title),
			app.If(!state.Open, app.Span().Class("counts").Text(counts(state))),
			app.If(state.Active(), ui.Tick("then-pause", t.Then.Pause, state.Paused, v.pause)),
			ui.FoldButton("show-then", state.Open, t.Then.Show, t.Then.Hide, v.toggle),
		),
		app.If(state.Open, v.body(t, state)),
	)
}

// counts lists the counters.
func counts(state State) string {
	var parts []string
	for _, row := range state.Rows {
		if row.Count {
			parts = append(parts, row.Label+" "+strconv.Itoa(row.Counted))
		}
	}
	return strings.Join(parts, " · ")
}

func (v *View) body(t *texts.Texts, state State) app.UI {
	var rows []app.UI
	serial := false
	for _, row := range state.Rows {
		rows = append(rows, &Rule{Actions: v.Actions, Texts: t, Row: row, Abilities: state.Abilities})
		serial = serial || row.Serial
	}
	return app.Div().Class("rules", ui.When(state.Paused, "paused")).Body(
		app.Div().Class("hold").Body(
			app.P().Class("note").Text(t.Then.Note),
			ui.Selection("then-hold", t.Then.Hold, holdValue(state.Hold), holdTimes(t, state.Hold), v.hold),
		),
		app.Ul().Body(rows...),
		app.If(serial && state.Abilities.Serial, v.device(t, state)),
		&LogView{watching: ui.Watches(v.Actions.K, v.Actions.Log, v.Actions.K.Classes), Actions: v.Actions},
	)
}

func holdValue(d time.Duration) string { return strconv.FormatInt(d.Milliseconds(), 10) }

// holdTimes returns the times to choose from, including the project's own.
func holdTimes(t *texts.Texts, chosen time.Duration) []ui.Option {
	holds := Holds
	if !slices.Contains(holds, chosen) {
		holds = append(slices.Clip(holds), chosen)
	}
	var options []ui.Option
	for _, d := range holds {
		options = append(options, ui.Option{Value: holdValue(d), Text: holdText(t, d)})
	}
	return options
}

func holdText(t *texts.Texts, d time.Duration) string {
	if d == 0 {
		return t.Then.AtOnce
	}
	return t.Then.Seconds(math.Round(10*d.Seconds()) / 10)
}

// device connects a serial device.
func (v *View) device(t *texts.Texts, state State) app.UI {
	box := app.Div().Class("device")
	switch state.Device {
	case DeviceConnected:
		return box.Body(
			ui.Icon(ui.IconPlug),
			app.P().Role("status").Text(t.Then.Connected),
			app.Button().Type("button").ID("disconnect").Class("plain").Text(t.Then.Disconnect).OnClick(v.disconnect),
		)
	case DeviceConnecting:
		return box.Body(ui.Icon(ui.IconPlug), app.P().Role("status").Text(t.Then.Connecting))
	default:
		var speeds []ui.Option
		for _, baud := range Bauds {
			speeds = append(speeds, ui.Option{Value: strconv.Itoa(baud), Text: strconv.Itoa(baud)})
		}
		return box.Body(
			app.Button().Type("button").ID("connect").Class("plain").OnClick(v.connect).Body(ui.Icon(ui.IconPlug), app.Text(t.Then.Connect)),
			ui.Selection("baud", t.Then.Speed, strconv.Itoa(state.Baud), speeds, v.baud),
		)
	}
}

func (v *View) toggle(app.Context, app.Event) {
	v.Actions.Show(!v.Actions.State().Open)
}

func (v *View) pause(ctx app.Context, _ app.Event) {
	v.Actions.Pause(ctx.JSSrc().Get("checked").Bool())
}

func (v *View) hold(ctx app.Context, _ app.Event) {
	if millis, err := strconv.Atoi(ctx.JSSrc().Get("value").String()); err == nil {
		v.Actions.SetHold(time.Duration(millis) * time.Millisecond)
	}
}

func (v *View) connect(app.Context, app.Event) { v.Actions.ConnectDevice() }

func (v *View) disconnect(app.Context, app.Event) { v.Actions.DisconnectDevice() }

func (v *View) baud(ctx app.Context, _ app.Event) {
	if baud, err := strconv.Atoi(ctx.JSSrc().Get("value").String()); err == nil {
		v.Actions.SetBaud(baud)
	}
}

// Shown shows the text or picture of a rule on the stage.
type Shown struct {
	app.Compo
	watching
	Actions *Actions
}

// Render shows a text or a picture, or nothing.
func (s *Shown) Render() app.UI {
	row, shown := s.Actions.Shown()
	if !shown {
		return app.Div().Class("effect", "hidden")
	}
	if row.Picture != "" {
		return app.Div().Class("effect").Body(&MediumPicture{ID: row.Picture, Label: row.Label})
	}
	return app.Div().Class("effect", ui.When(isWord(row.Show), "word")).Body(app.Span().Dir("auto").Text(row.Show))
}

// isWord reports whether a text is longer than an emoji, which may consist of several characters.
func isWord(text string) bool {
	const longest = 4
	return utf8.RuneCountInString(text) > longest
}

// MediumPicture shows a user's picture.
type MediumPicture struct {
	app.Compo
	ID    string
	Label string

	shown string // id of the visible picture
}

// Render shows the image.
func (m *MediumPicture) Render() app.UI { return app.Img().Class("medium").Alt(m.Label) }

// OnMount loads the picture.
func (m *MediumPicture) OnMount(ctx app.Context) { m.show(ctx) }

// OnUpdate loads another picture.
func (m *MediumPicture) OnUpdate(ctx app.Context) { m.show(ctx) }

func (m *MediumPicture) show(ctx app.Context) {
	if m.ID != m.shown {
		m.shown = m.ID
		showMedium(ctx.JSSrc(), m.ID)
	}
}
