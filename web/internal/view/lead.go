package view

import (
	"math"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/session"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// lead says what speaks for a class rather than for its rival, in words and as two bars
// that pull to either side: the match, and the head that was learned from all examples.
// It is nothing where no head took part.
func lead(s *session.Session, m *session.Match) app.UI {
	if m == nil {
		return nil
	}
	l := m.Lead()
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
			app.Div().Class("pull", "ahead", hue(class)).Body(meter(t, "", class.Label, max(0, by/most))),
			app.Div().Class("pull", hue(rival)).Body(meter(t, "", rival.Label, max(0, -by/most))),
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

// leastPull is the lead, in logits, that fills a bar at least: less is seen to be little.
const leastPull = 1

// leadWords says what the bars show.
func leadWords(t *texts.Texts, l *session.Lead, class, rival string) string {
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
