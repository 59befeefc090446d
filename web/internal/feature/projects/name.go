package projects

import (
	"cmp"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/texts"
	"github.com/deepemd/deepemd/web/internal/ui"
)

// name returns the button with the name of the open project, and whether it is saved. It opens the dialog.
func (p *projects) name() app.UI {
	t, state := p.Texts(), p.Project.State()
	return app.Button().Type("button").ID("open-projects").Class("plain name").
		Aria("haspopup", "dialog").Title(t.Project.Menu).OnClick(ui.Opens(ui.ProjectsID)).
		Body(
			ui.Icon(ui.IconFolder),
			app.Span().Class("of").Body(
				app.Span().Class("title").Dir("auto").Text(cmp.Or(state.Name, t.Project.Menu)), // while the page loads
				app.Span().ID("kept").Class("kept", stageOfSaving[state.Stage]).Text(keeping(t, state)),
			),
			ui.Icon(ui.IconChevron),
		)
}

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
