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
		{3, 1, "Cup rather than Pen: 75% of that comes from the match, 25% from the class differences.",
			"Eher Cup als Pen: Das liegt zu 75\u00a0% an der Zuordnung und zu 25\u00a0% an den Klassenunterschieden."},
		{3, -1, "Cup rather than Pen, because of the match. The class differences favor Pen, but count less here.",
			"Eher Cup als Pen: Den Ausschlag gibt die Zuordnung. Die Klassenunterschiede sprechen für Pen, zählen hier aber weniger."},
		{-1, 3, "Cup rather than Pen, because of the class differences. The match favors Pen, but counts less here.",
			"Eher Cup als Pen: Den Ausschlag geben die Klassenunterschiede. Die Zuordnung spricht für Pen, zählt hier aber weniger."},
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
