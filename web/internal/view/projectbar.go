package view

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/texts"
	"github.com/deepemd/deepemd/web/internal/ui"
)

// ProjectBar holds the buttons that undo and redo.
type ProjectBar struct {
	app.Compo
	watching
	Page *ui.Page
}

// Render shows the buttons after the views of features.
func (b *ProjectBar) Render() app.UI {
	t, h := b.Kernel.Texts(), b.Kernel.Classes.History()
	return app.Div().Class("project").Body(append(b.Page.At(ui.Header),
		stepButton("undo", ui.IconUndo, t, t.Project.Undo, t.Project.UndoStep, h.Undo, b.undo),
		stepButton("redo", ui.IconRedo, t, t.Project.Redo, t.Project.RedoStep, h.Redo, b.redo),
	)...)
}

// stepButton returns a button that undoes or redoes a step, which its label names.
func stepButton(id, sign string, t *texts.Texts, label string, with func(string) string, step kernel.Step, do app.EventHandler) app.UI {
	if step != kernel.NoStep {
		label = with(stepName(t, step))
	}
	return app.Button().Type("button").ID(id).Class("quiet").
		Aria("label", label).Title(label).Disabled(step == kernel.NoStep).OnClick(do).Body(ui.Icon(sign))
}

func stepName(t *texts.Texts, step kernel.Step) string {
	return map[kernel.Step]string{
		kernel.StepAddClass:       t.Project.AddClass,
		kernel.StepRenameClass:    t.Project.RenameClass,
		kernel.StepRemoveClass:    t.Project.RemoveClass,
		kernel.StepAddExamples:    t.Project.AddExamples,
		kernel.StepRemoveExample:  t.Project.RemoveOne,
		kernel.StepRemoveExamples: t.Project.RemoveSome,
		kernel.StepClearClass:     t.Project.ClearClass,
		kernel.StepEnableClass:    t.Project.EnableClass,
		kernel.StepRule:           t.Project.Rule,
	}[step]
}

func (b *ProjectBar) undo(app.Context, app.Event) { b.Kernel.Classes.Undo() }
func (b *ProjectBar) redo(app.Context, app.Event) { b.Kernel.Classes.Redo() }
