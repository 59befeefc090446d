package why

import (
	"testing"

	"github.com/deepemd/deepemd/web/internal/texts"
)

func TestLeadWords(t *testing.T) {
	for _, c := range []struct {
		match, head     float64
		english, german string
	}{
		{3, 1, "Cup rather than Pen: 75% of that comes from the match, 25% from what sets the classes apart.",
			"Eher Cup als Pen: Das kommt zu 75\u00a0% von der Zuordnung und zu 25\u00a0% von dem, was die Klassen trennt."},
		{3, -1, "Cup rather than Pen, because of the match. What sets the classes apart speaks for Pen, but counts less here.",
			"Eher Cup als Pen: Den Ausschlag gibt die Zuordnung. Was die Klassen trennt, spricht für Pen, zählt hier aber weniger."},
		{-1, 3, "Cup rather than Pen, because of what sets the classes apart. The match speaks for Pen, but counts less here.",
			"Eher Cup als Pen: Den Ausschlag gibt, was die Klassen trennt. Die Zuordnung spricht für Pen, zählt hier aber weniger."},
		{0, 0, "Nothing tells Cup from Pen.", "Nichts unterscheidet Cup von Pen."},
	} {
		l := &Lead{Match: c.match, Head: c.head}
		for language, want := range map[*texts.Texts]string{texts.In("en"): c.english, texts.In("de"): c.german} {
			if got := leadWords(language, l, "Cup", "Pen"); got != want {
				t.Errorf("%v and %v: %q, want %q", c.match, c.head, got, want)
			}
		}
	}
}
