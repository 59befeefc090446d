package view

import (
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/texts"
	"github.com/deepemd/deepemd/web/internal/ui"
)

// What opens under an id is the dialog of that id.
func TestDialogsHaveTheirIDs(t *testing.T) {
	page := New(kernel.New(project.KindImage, texts.In("en"))).Page
	for _, id := range []string{SettingsID, ui.ProjectsID} {
		html := app.HTMLString(page.Open(id))
		if strings.Count(html, "<dialog") != 1 || !strings.Contains(html, `id="`+id+`"`) {
			t.Errorf("opening %s draws %.300s", id, html)
		}
	}
}
