package view

import (
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// mostCounted is the most classes whose counts are announced together: an example moves between two.
const mostCounted = 2

// counted describes the classes whose numbers of examples have changed: by a held button, by files, or by a
// step that was undone.
func counted(t *texts.Texts, before, now []kernel.Class) string {
	words, changed := "", 0
	for _, class := range now {
		n, had := len(class.Examples), 0
		for _, old := range before {
			if old.ID == class.ID {
				had = len(old.Examples)
			}
		}
		if n == had {
			continue
		}
		if changed++; changed > 1 {
			words += ", "
		}
		words += class.Label + ": " + t.Class.Count(n, 0)
	}
	if changed > mostCounted {
		return ""
	}
	return words
}
