package view

import (
	"testing"

	"github.com/deepemd/deepemd/web/internal/session"
	"github.com/deepemd/deepemd/web/internal/texts"
)

func TestLeadWords(t *testing.T) {
	for _, c := range []struct {
		match, head     float64
		english, german string
	}{
		{3, 1, "Cup rather than Pen: 75% of that comes from the match, 25% from all examples taken together.",
			"Eher Cup als Pen: Das kommt zu 75 % aus der Zuordnung und zu 25 % aus allen Beispielen zusammen."},
		{3, -1, "Cup rather than Pen, because of the match. All examples taken together speak for Pen, but count less here.",
			"Eher Cup als Pen, wegen der Zuordnung. Alle Beispiele zusammen sprechen für Pen, zählen hier aber weniger."},
		{-1, 3, "Cup rather than Pen, because of all examples taken together. The match speaks for Pen, but counts less here.",
			"Eher Cup als Pen, wegen aller Beispiele zusammen. Die Zuordnung spricht für Pen, zählt hier aber weniger."},
		{0, 0, "Nothing tells Cup from Pen.", "Nichts unterscheidet Cup von Pen."},
	} {
		l := &session.Lead{Match: c.match, Head: c.head}
		for language, want := range map[*texts.Texts]string{texts.English: c.english, texts.German: c.german} {
			if got := leadWords(language, l, "Cup", "Pen"); got != want {
				t.Errorf("%v and %v: %q, want %q", c.match, c.head, got, want)
			}
		}
	}
}
