package actions

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/texts"
	"github.com/deepemd/deepemd/web/internal/ui"
)

// Add adds the feature to a page.
func Add(k *kernel.Kernel, page *ui.Page) {
	a := New(k)
	a.connect()
	a.log = ui.Follow(k, a.logView, a.Log, k.Classes)
	page.Show(ui.Below, ui.Follow(k, a.panel, a, k.Classes, k.Project))
	page.Show(ui.Over, ui.Follow(k, a.stage, a))
}

// panel shows a row per class and the log; one line while the panel is closed; nothing before the
// first example.
func (v *Actions) panel() app.UI {
	if v.K.Classes.Examples() == 0 {
		return app.Section().Class("then", "hidden")
	}
	t, state := v.K.Texts(), v.State()
	var body app.UI
	if state.Open { // app.If would draw the rows of a closed panel, too
		body = v.body(t, state)
	}
	return app.Section().Class("then", "panel", ui.When(!state.Open, "folded")).Aria("labelledby", "then-title").Body(
		app.Header().Body(
			app.H2().ID("then-title").Text(t.Then.Title),
			ui.FoldButton("show-then", state.Open, t.Then.Show, t.Then.Hide, v.Show),
			app.If(!state.Open, app.Span().Class("counts").Text(counts(state))),
			app.If(state.Active(), ui.Tick("then-pause", t.Then.Pause, state.Paused, v.Pause)),
		),
		body,
	)
}

func counts(state State) string {
	var parts []string
	for _, row := range state.Rows {
		if row.Count {
			parts = append(parts, row.Label+" "+strconv.Itoa(row.Counted))
		}
	}
	return strings.Join(parts, " · ")
}

func (v *Actions) body(t *texts.Texts, state State) app.UI {
	var rows []app.UI
	serial := false
	for _, row := range state.Rows {
		rows = append(rows, &Rule{Actions: v, Texts: t, Row: row, Abilities: state.Abilities})
		serial = serial || row.Serial
	}
	return app.Div().Class("rules", ui.When(state.Paused, "paused")).Body(
		app.Div().Class("hold").Body(
			app.P().Class("note").Text(t.Then.Note),
			ui.Selection("then-hold", t.Then.Hold, holdValue(state.Hold), holdTimes(t, state.Hold), v.chooseHold),
		),
		app.Ul().Body(rows...),
		app.If(serial && state.Abilities.Serial, v.device(t, state)),
		v.log(),
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
		text := t.Then.AtOnce
		if d > 0 {
			text = t.Then.Seconds(math.Round(10*d.Seconds()) / 10)
		}
		options = append(options, ui.Option{Value: holdValue(d), Text: text})
	}
	return options
}

func (v *Actions) device(t *texts.Texts, state State) app.UI {
	box := app.Div().ID("then-device").TabIndex(-1).Class("device")
	switch state.Device {
	case DeviceConnected:
		return box.Body(
			ui.Icon(ui.IconPlug),
			app.P().Role("status").Text(t.Then.Connected),
			ui.Button("plain", "disconnect", "", t.Then.Disconnect).OnClick(ui.Do(v.DisconnectDevice)),
		)
	case DeviceConnecting:
		return box.Body(ui.Icon(ui.IconPlug), app.P().Role("status").Text(t.Then.Connecting))
	default:
		var speeds []ui.Option
		for _, baud := range Bauds {
			speeds = append(speeds, ui.Option{Value: strconv.Itoa(baud), Text: strconv.Itoa(baud)})
		}
		return box.Body(
			ui.Button("plain", "connect", ui.IconPlug, t.Then.Connect).OnClick(ui.Do(v.ConnectDevice)),
			ui.Selection("baud", t.Then.Speed, strconv.Itoa(state.Baud), speeds, v.chooseBaud),
		)
	}
}

func (v *Actions) chooseHold(value string) {
	millis, _ := strconv.Atoi(value) // one of the options
	v.SetHold(time.Duration(millis) * time.Millisecond)
}

func (v *Actions) chooseBaud(value string) {
	baud, _ := strconv.Atoi(value) // one of the options
	v.SetBaud(baud)
}

// stage shows the text or picture of a rule on the stage, or nothing.
func (t *Actions) stage() app.UI {
	row, shown := t.Shown()
	if !shown {
		return app.Div().Class("effect", "hidden")
	}
	if row.Picture != "" {
		return app.Div().Class("effect").Body(mediumPicture(row.Picture, row.Label))
	}
	const emoji = 4 // the most characters of one
	return app.Div().Class("effect", ui.When(utf8.RuneCountInString(row.Show) > emoji, "word")).Body(app.Span().Dir("auto").Text(row.Show))
}

func mediumPicture(id, label string) app.UI {
	return &ui.Drawn{
		Element: app.Img().Class("medium").Alt(label), Value: id,
		Draw: func(image app.Value) { browser.LoadFile(image, browser.Gallery.Get("media").Call("get", id)) },
	}
}
