package actions

import (
	"strconv"
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/texts"
	"github.com/deepemd/deepemd/web/internal/ui"
)

// LogView switches the log and draws its last minute.
type LogView struct {
	app.Compo
	watching
	Actions *Actions
}

// Render shows the switch and, if there are entries, the strip and its buttons.
func (l *LogView) Render() app.UI {
	t, state := l.Actions.K.Texts(), l.Actions.Log.State()
	part := app.Article().Class("log")
	head := app.Header().Body(
		app.H3().Text(t.Then.Log),
		ui.Tick("keep-log", t.Then.KeepLog, state.On, l.keep).Title(t.Then.LogNote),
	)
	switch {
	case state.Entries == 0 && !state.On:
		return part.Body(head, app.P().Class("note").Text(t.Then.LogNote))
	case state.Entries == 0:
		return part.Body(head, app.P().Class("note").Text(t.Then.NoLog))
	}
	spans, rows := l.Actions.Log.Strip()
	return part.Body(head,
		l.strip(t, spans, rows),
		app.P().Class("note words").Text(minute(t, spans)),
		app.Div().Class("buttons").Body(
			app.Span().Class("entries").Text(t.Then.Entries(state.Entries)),
			app.Button().Type("button").ID("save-log").Class("plain").OnClick(l.save).Body(ui.Icon(ui.IconSave), app.Text(t.Then.SaveLog)),
			app.Button().Type("button").ID("clear-log").Class("plain").OnClick(l.clear).Text(t.Then.ClearLog),
		),
	)
}

// strip shows one line per subject over time.
func (l *LogView) strip(t *texts.Texts, spans []Span, rows []Named) app.UI {
	var lines []app.UI
	end := time.Time{}
	for _, s := range spans {
		if s.To.After(end) {
			end = s.To
		}
	}
	for _, row := range rows {
		var own []Span
		for _, s := range spans {
			if s.Subject == row.Subject {
				own = append(own, s)
			}
		}
		lines = append(lines, app.Li().Class("hue-"+strconv.Itoa(row.Hue)).Body(
			app.Span().Class("name").Dir("auto").Text(row.Label),
			&StripCanvas{Spans: own, End: end},
		))
	}
	return app.Ul().Class("strip").Aria("label", t.Then.Strip).Body(lines...)
}

// minute describes the strip in words.
func minute(t *texts.Texts, spans []Span) string {
	var parts []string
	for _, total := range Totals(spans) {
		seconds := t.Decimal(total.Lasted.Seconds(), 0)
		if total.Times > 0 {
			parts = append(parts, t.Then.LastedN(total.Label, seconds, total.Times))
		} else {
			parts = append(parts, t.Then.Lasted(total.Label, seconds))
		}
	}
	return t.Then.Minute(strings.Join(parts, "; "))
}

func (l *LogView) keep(ctx app.Context, _ app.Event) {
	l.Actions.Log.Keep(ctx.JSSrc().Get("checked").Bool())
}

func (l *LogView) save(app.Context, app.Event) {
	l.Actions.SaveLog(l.Actions.K.Texts().Then.LogName(l.Actions.K.Project.State().Name))
}

func (l *LogView) clear(app.Context, app.Event) { l.Actions.Log.Clear() }

// StripCanvas draws the periods of one answer in the last minute, from left to right, with marks
// for sightings.
type StripCanvas struct {
	app.Compo
	Spans []Span
	End   time.Time

	canvas *browser.Canvas
}

// Render shows the canvas; a text below the strip describes it.
func (c *StripCanvas) Render() app.UI { return app.Canvas().Aria("hidden", true) }

// OnMount draws the canvas.
func (c *StripCanvas) OnMount(ctx app.Context) {
	c.canvas = browser.NewCanvas(ctx.JSSrc(), c.draw)
	c.draw()
}

// OnUpdate draws the canvas again.
func (c *StripCanvas) OnUpdate(app.Context) { c.draw() }

// OnDismount stops to observe the size.
func (c *StripCanvas) OnDismount() { c.canvas.Close() }

func (c *StripCanvas) draw() {
	w, h, shown := c.canvas.Begin()
	if !shown {
		return
	}
	const thin, mark = 1.5, 3
	at := func(t time.Time) float64 { return w * (1 - float64(c.End.Sub(t))/float64(StripLasts)) }
	for _, s := range c.Spans {
		from := at(s.From)
		c.canvas.Fill(browser.Box{X: from, W: max(at(s.To)-from, thin), Y: h / 4, H: h / 2}, "", .55)
	}
	for _, s := range c.Spans {
		for _, seen := range s.Seen {
			c.canvas.Fill(browser.Box{X: min(at(seen), w-mark), W: mark, H: h}, "", 1)
		}
	}
}
