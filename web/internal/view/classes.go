package view

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/ui"
)

// drawClasses shows a card per class, the buttons that add classes and, once there are examples, the
// card of the background class.
func (s *Studio) drawClasses() app.UI {
	t := s.Kernel.Texts()
	held, free := s.Kernel.Capture.Class(), s.Kernel.Capture.Click() != nil
	on := s.Kernel.Camera.State().Stage == kernel.CameraOn
	card := func(c kernel.Class) app.UI {
		return &Card{Studio: s, Kernel: s.Kernel, Texts: t, Class: c, Held: c.ID == held, Free: free, CameraOn: on}
	}
	var cards, nothing []app.UI
	taught := false
	for _, c := range s.Kernel.Classes.List() {
		cards = append(cards, card(c))
		taught = taught || len(c.Examples) > 0
	}
	for _, c := range s.Kernel.Classes.Nothing() {
		if taught || len(c.Examples) > 0 {
			nothing = append(nothing, card(c))
		}
	}
	return app.Section().ID(ui.WorkID).TabIndex(-1).Class("classes").Aria("label", t.Class.Section).Body(
		app.H2().Class("said").Text(t.Class.Section),
		app.Div().Class("cards").Body(cards...),
		app.Div().Class("more-classes").Body(
			ui.Button("add", addClassID, ui.IconPlus, t.Class.Add).
				OnClick(ui.Do(func() { s.Focus(nameID(s.Kernel.Classes.Add())) })),
			app.If(browser.TakesFolders(), ui.File("add folders", ui.IconFolder, t.Bring.Folder,
				app.Input().ID("add-folders").Attr("webkitdirectory", true).Title(t.Bring.FolderTitle).
					OnChange(func(ctx app.Context, _ app.Event) { find(s.Kernel, ctx.JSSrc(), s.Kernel.Project.Bringing("")) })).
				Title(t.Bring.FolderTitle)),
		),
		app.Div().Class("last").Body(nothing...),
	)
}

// addClassID is the id of the button that adds a class.
const addClassID = "add-class"

// nameID returns the id of the field for a class's name.
func nameID(classID string) string { return "name-" + classID }
