package view

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/ui"
)

// drawSteps shows the buttons that undo and redo, after the views of features.
func (s *Studio) drawSteps() app.UI {
	t, h := &s.Kernel.Texts().Project, s.Kernel.Classes.History()
	names := map[kernel.Step]string{
		kernel.StepAddClass:       t.AddClass,
		kernel.StepRenameClass:    t.RenameClass,
		kernel.StepRemoveClass:    t.RemoveClass,
		kernel.StepAddExamples:    t.AddExamples,
		kernel.StepRemoveExample:  t.RemoveOne,
		kernel.StepRemoveExamples: t.RemoveSome,
		kernel.StepClearClass:     t.ClearClass,
		kernel.StepEnableClass:    t.EnableClass,
		kernel.StepRule:           t.Rule,
	}
	button := func(id, icon, label string, with func(string) string, step kernel.Step, act func()) app.UI {
		if step != kernel.NoStep {
			label = with(names[step])
		}
		return ui.Sign("quiet", id, icon, label).Disabled(step == kernel.NoStep).OnClick(ui.Do(act))
	}
	return app.Div().Class("project").Body(append(s.Page.At(ui.Header),
		button("undo", ui.IconUndo, t.Undo, t.UndoStep, h.Undo, s.Kernel.Classes.Undo),
		button("redo", ui.IconRedo, t.Redo, t.RedoStep, h.Redo, s.Kernel.Classes.Redo),
	)...)
}
