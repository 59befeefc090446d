//go:build !js

package teach_test

import (
	"fmt"
	"testing"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// After a name the focus moves on; Escape resets the name.
func TestNames(t *testing.T) {
	s := open(t, browsertest.Options{})
	s.Ready()
	names := []string{"Recyclable plastic bottles without their caps, rinsed", "תפוח ירוק", "🍎🍏 Äpfel"}
	for i, name := range names {
		field := studiotest.Card(i+1) + " input.name"
		if i >= 2 {
			s.Click("#add-class")
			s.WaitFor(fmt.Sprintf(`document.activeElement === document.querySelector(%q)`, field))
		}
		s.Type(field, name)
		s.WaitFor(fmt.Sprintf(`document.activeElement === document.querySelector(%q) && document.querySelector(%q).value === %q`, studiotest.Card(i+1)+" .capture", field, name))
	}
	field := studiotest.Card(1) + " input.name"
	s.Focus(field)
	s.Keys("x")
	s.Tap("Escape", 27)
	s.WaitFor(fmt.Sprintf(`document.activeElement.matches(".capture") && document.querySelector(%q).value === %q`, field, names[0]))
	s.Quiet()
}
