package view

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/ui"
)

// ClassList shows the classes, and adds new ones.
type ClassList struct {
	app.Compo
	watching
}

// Render shows a card per class, the buttons that add classes and, once there are examples, the
// card of the background class.
func (l *ClassList) Render() app.UI {
	t := l.Kernel.Texts()
	held, free := l.Kernel.Capture.Class(), l.Kernel.Capture.Click() != nil
	on := l.Kernel.Camera.State().Stage == kernel.CameraOn
	card := func(c kernel.Class) app.UI {
		return &Card{List: l, Kernel: l.Kernel, Texts: t, Class: c, Held: c.ID == held, Free: free, CameraOn: on}
	}
	var cards, nothing []app.UI
	taught := false
	for _, c := range l.Kernel.Classes.List() {
		cards = append(cards, card(c))
		taught = taught || len(c.Examples) > 0
	}
	empty := l.Kernel.Classes.Nothing()
	for _, c := range empty {
		if len(empty) == 1 {
			c.Label = t.Class.Nothing
		}
		if taught || len(c.Examples) > 0 {
			nothing = append(nothing, card(c))
		}
	}
	return app.Section().ID(ui.WorkID).TabIndex(-1).Class("classes").Aria("label", t.Class.Section).Body(
		app.Div().Class("cards").Body(cards...),
		app.Div().Class("more-classes").Body(
			app.Button().Type("button").ID(addClassID).Class("add").OnClick(l.add).
				Body(ui.Icon(ui.IconPlus), app.Text(t.Class.Add)),
			app.If(browser.TakesFolders(), app.Label().Class("file add folders").Title(t.Bring.FolderTitle).Body(
				ui.Icon(ui.IconFolder), app.Span().Text(t.Bring.Folder),
				app.Input().Type("file").ID("add-folders").Attr("webkitdirectory", true).Aria("label", t.Bring.FolderTitle).OnChange(l.bring),
			)),
		),
		app.Div().Class("last").Body(nothing...),
	)
}

func (l *ClassList) add(app.Context, app.Event) { l.Focus(nameID(l.Kernel.Classes.Add())) }

// addClassID is the id of the button that adds a class.
const addClassID = "add-class"

func (l *ClassList) bring(ctx app.Context, _ app.Event) { bring(l.Kernel, ctx.JSSrc(), "") }

// nameID returns the id of the field for a class's name.
func nameID(classID string) string { return "name-" + classID }
