package view

import (
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// What opens under an id is the dialog of that id, and there is none until then.
func TestDialogsAreDrawnWhenTheyOpen(t *testing.T) {
	s := kernel.New(project.KindImage, texts.In("en"))
	if html := app.HTMLString((&Dialogs{Kernel: s}).Render()); strings.Contains(html, "<dialog") {
		t.Errorf("a dialog is there that nobody has opened: %s", html)
	}
	for id := range dialogs {
		html := app.HTMLString((&Dialogs{Kernel: s, drawn: []string{id}}).Render())
		if strings.Count(html, "<dialog") != 1 || !strings.Contains(html, `id="`+id+`"`) {
			t.Errorf("opening %s draws %.300s", id, html)
		}
	}
}
