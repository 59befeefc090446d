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
	had := make(map[string]int, len(before))
	for _, class := range before {
		had[class.ID] = len(class.Examples)
	}
	words, changed := "", 0
	for _, class := range now {
		n := len(class.Examples)
		if n == had[class.ID] {
			continue
		}
		if changed++; changed > mostCounted {
			return ""
		}
		if changed > 1 {
			words += ", "
		}
		words += class.Label + ": " + t.Class.Count(n, 0)
	}
	return words
}
