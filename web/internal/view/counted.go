package view

import (
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// mostCounted is the maximum number of classes in an announcement: an example moves between two.
const mostCounted = 2

// counted lists the classes whose numbers of examples have changed, with the new numbers; "" if there are more
// than mostCounted.
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
