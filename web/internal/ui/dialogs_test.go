package ui

import (
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// A dialog is drawn when it is first opened, and not before.
func TestDialogsAreDrawnWhenTheyOpen(t *testing.T) {
	page := &Page{}
	page.Dialog("one", func() app.UI { return app.Dialog().ID("one") })
	page.Dialog("two", func() app.UI { return app.Dialog().ID("two") })
	if html := app.HTMLString((&Dialogs{Page: page}).Render()); strings.Contains(html, "<dialog") {
		t.Errorf("a dialog is there that nobody has opened: %s", html)
	}
	html := app.HTMLString((&Dialogs{Page: page, drawn: []string{"two"}}).Render())
	if strings.Count(html, "<dialog") != 1 || !strings.Contains(html, `id="two"`) {
		t.Errorf("opening the second draws %s", html)
	}
}

// Places show views in the order in which they were added, without nil views.
func TestPlaces(t *testing.T) {
	page := &Page{}
	for _, name := range []string{"a", "", "b"} {
		page.Show(Below, func() app.UI {
			if name == "" {
				return nil
			}
			return app.P().Text(name)
		})
	}
	if got := app.HTMLString(app.Div().Body(page.At(Below)...)); strings.Count(got, "<p") != 2 || strings.Index(got, "a\n") > strings.Index(got, "b\n") {
		t.Errorf("below the classes: %s", got)
	}
	if n := len(page.At(Above)); n != 0 {
		t.Errorf("%d views above the classes, want none", n)
	}
}
