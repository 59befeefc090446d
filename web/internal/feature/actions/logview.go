package actions

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/texts"
	"github.com/deepemd/deepemd/web/internal/ui"
)

// logView switches the log and, if there are entries, draws its last minute.
func (a *Actions) logView() app.UI {
	t, state := a.K.Texts(), a.Log.State()
	part := app.Article().Class("log")
	head := app.Header().Body(
		app.H3().Text(t.Then.Log),
		ui.Tick(keepLogID, t.Then.KeepLog, state.On, a.Log.Keep).Title(t.Then.LogNote),
	)
	switch {
	case state.Entries == 0 && !state.On:
		return part.Body(head, app.P().Class("note").Text(t.Then.LogNote))
	case state.Entries == 0:
		return part.Body(head, app.P().Class("note").Text(t.Then.NoLog))
	}
	spans, rows := a.Log.Strip()
	return part.Body(head,
		strip(t, spans, rows),
		app.P().Class("note words").Text(minute(t, spans)),
		app.Div().Class("buttons").Body(
			app.Span().Class("entries").Text(t.Then.Entries(state.Entries)),
			ui.Button("plain", "save-log", ui.IconSave, t.Then.SaveLog).OnClick(ui.Do(func() { a.SaveLog(t.Then.LogName(a.K.Project.State().Name)) })),
			ui.Button("plain", "clear-log", "", t.Then.ClearLog).OnClick(ui.Do(func() { a.Log.Clear(); browser.Focus(keepLogID) })),
		),
	)
}

// keepLogID is the id of the field that gets the focus of the button that clears the log, which disappears.
const keepLogID = "keep-log"

// strip shows one line per subject over time.
func strip(t *texts.Texts, spans []Span, rows []Named) app.UI {
	var lines []app.UI
	end := time.Time{}
	for _, s := range spans {
		if s.To.After(end) {
			end = s.To
		}
	}
	for _, row := range rows {
		lines = append(lines, app.Li().Class("hue-"+strconv.Itoa(row.Hue)).Body(
			app.Span().Class("name").Dir("auto").Text(row.Label),
			app.Raw(line(spans, row.Subject, end)),
		))
	}
	return app.Ul().Class("strip").Aria("label", t.Then.Strip).Body(lines...)
}

// line draws the periods of a subject in the last minute, from left to right, with marks for
// sightings. A text below the strip describes it.
func line(spans []Span, subject Subject, end time.Time) string {
	const thin = .2 // seconds
	at := func(t time.Time) float64 { return (StripLasts - end.Sub(t)).Seconds() }
	var periods, marks strings.Builder
	for _, s := range spans {
		if s.Subject != subject {
			continue
		}
		fmt.Fprintf(&periods, "M%.2f 2H%.2f", at(s.From), max(at(s.To), at(s.From)+thin))
		for _, seen := range s.Seen {
			fmt.Fprintf(&marks, "M%.2f 0V4", min(at(seen), StripLasts.Seconds()-thin))
		}
	}
	return fmt.Sprintf(`<svg viewBox="0 0 %.0f 4" preserveAspectRatio="none" aria-hidden="true"><path class="lasts" d="%s"></path><path class="seen" d="%s"></path></svg>`,
		StripLasts.Seconds(), periods.String(), marks.String())
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
