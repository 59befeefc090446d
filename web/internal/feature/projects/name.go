package projects

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/texts"
	"github.com/deepemd/deepemd/web/internal/ui"
)

// Name is the button with the name of the open project. It opens the dialog.
type Name struct {
	app.Compo
	watching
}

// Render shows the name, and whether the project is saved.
func (b *Name) Render() app.UI {
	t, p := b.Kernel.Texts(), b.Kernel.Project.State()
	name := p.Name
	if name == "" { // while the page loads
		name = t.Project.Menu
	}
	return app.Button().Type("button").ID("open-projects").Class("plain name").
		Aria("haspopup", "dialog").Title(t.Project.Menu).OnClick(b.open).
		Body(
			ui.Icon(ui.IconFolder),
			app.Span().Class("of").Body(
				app.Span().Class("title").Dir("auto").Text(name),
				app.Span().ID("kept").Class("kept", stageOfSaving[p.Stage]).Role("status").Text(keeping(t, p)),
			),
			ui.Icon(ui.IconChevron),
		)
}

func (b *Name) open(ctx app.Context, _ app.Event) { ui.OpenDialog(ctx, ui.ProjectsID) }

var stageOfSaving = map[kernel.SaveStage]string{
	kernel.Unsaved: "unsaved", kernel.Saving: "saving", kernel.Saved: "saved", kernel.SaveFailed: "failed",
}

// keeping describes the operation in progress; otherwise, whether the project is saved.
func keeping(t *texts.Texts, p kernel.ProjectState) string {
	switch {
	case p.Opening != nil:
		return t.Project.Opening(p.Opening.Done, p.Opening.All)
	case p.Writing != nil:
		return t.Project.Writing(t.Percent(ui.Fraction(*p.Writing)))
	}
	switch p.Stage {
	case kernel.Saving:
		return t.Project.Saving
	case kernel.Saved:
		if p.Learning != nil {
			return t.Bring.Learning(p.Learning.Done, p.Learning.All)
		}
		return t.Project.Saved
	case kernel.SaveFailed:
		return t.Project.SaveFailed
	}
	return t.Project.Unsaved
}
