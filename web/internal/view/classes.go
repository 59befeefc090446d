package view

import (
	"slices"
	"strings"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/ui"
)

// mostCards is the number of classes whose cards are all drawn at once.
const mostCards = 30

// drawClasses shows a card per class, the buttons that add classes and, once there are examples, the
// card of the background class.
func (s *Studio) drawClasses() app.UI {
	t := s.Kernel.Texts()
	held, free := s.Kernel.Capture.Class(), s.Kernel.Capture.Click() != nil
	on := s.Kernel.Camera.State().Stage == kernel.CameraOn
	taught, classes := false, s.Kernel.Classes.List()
	names := map[string]int{} // how many classes have a name, as tests compare names
	for _, c := range classes {
		names[strings.ToLower(c.Label)]++
	}
	card := func(c kernel.Class, away bool) app.UI {
		twin := names[strings.ToLower(c.Label)] > 1
		return &Card{Studio: s, Kernel: s.Kernel, Texts: t, Class: c, Twin: twin, Held: c.ID == held, Free: free, CameraOn: on, Away: away}
	}
	var cards, nothing []app.UI
	s.places = places(s.places, classes)
	many := len(classes) > mostCards
	for _, id := range s.places {
		if len(classes) == 0 || classes[0].ID != id {
			cards = append(cards, app.Text(""))
			continue
		}
		c := classes[0]
		classes = classes[1:]
		cards = append(cards, card(c, many && c.ID != s.focused))
		taught = taught || len(c.Examples) > 0
	}
	for _, c := range s.Kernel.Classes.Nothing() {
		if taught || len(c.Examples) > 0 {
			nothing = append(nothing, card(c, false))
		}
	}
	return app.Section().ID(ui.WorkID).TabIndex(-1).Class("classes").Aria("label", t.Class.Section).Body(
		app.H2().Class("said").Text(t.Class.Section),
		app.Div().Class("cards").Body(cards...),
		app.Div().Class("more-classes").Body(
			ui.Button("add", addClassID, ui.IconPlus, t.Class.Add).
				OnClick(ui.Do(func() { s.focusIn(s.Kernel.Classes.Add(), nameID) })),
			app.If(browser.TakesFolders(), ui.File("add folders", ui.IconFolder, t.Bring.Folder,
				app.Input().ID("add-folders").Attr("webkitdirectory", true).Title(t.Bring.FolderTitle).
					OnChange(func(ctx app.Context, _ app.Event) { find(s.Kernel, ctx.JSSrc(), s.Kernel.Project.Bringing("")) })).
				Title(t.Bring.FolderTitle)),
		),
		app.Div().Class("last").Body(nothing...),
	)
}

// drawJumps shows, over the foot of the page, buttons that lead past many classes and back.
func (s *Studio) drawJumps() app.UI {
	t := s.Kernel.Texts()
	if len(s.Kernel.Classes.List()) <= mostCards || s.Kernel.Classes.Examples() == 0 {
		return app.Div().Class("hidden")
	}
	jump := func(id, text string) app.UI {
		return ui.Button("quiet", "", "", text).OnClick(ui.Do(func() { browser.JumpTo(id) }, id))
	}
	return app.Div().Class("jumps").Role("navigation").Body(jump(ui.WorkID, t.Class.Section), jump("show-why", t.Why.Title), jump("show-then", t.Then.Title), jump("show-improve", t.Improve.Title))
}

// places returns the ids of the classes in order, and where possible those of removed classes, whose places stay
// empty: go-app would draw every card after a removed one again, with the next class.
func places(before []string, classes []kernel.Class) []string {
	ids := make([]string, len(classes))
	here := make(map[string]bool, len(classes))
	for i, c := range classes {
		ids[i] = c.ID
		here[c.ID] = true
	}
	left := slices.DeleteFunc(slices.Clone(before), func(id string) bool { return !here[id] })
	if len(left) == 0 || len(before)-len(left) > mostEmpty || !slices.Equal(left, ids[:min(len(left), len(ids))]) {
		return ids
	}
	return append(slices.Clone(before), ids[len(left):]...)
}

// mostEmpty is the number of empty places after which all cards move up.
const mostEmpty = 100

// focusIn draws the card of a class, and moves the focus to its element of the given kind.
func (s *Studio) focusIn(classID string, elementID func(classID string) string) {
	s.focused = classID
	s.Focus(elementID(classID))
}

// addClassID is the id of the button that adds a class.
const addClassID = "add-class"

func nameID(classID string) string { return "name-" + classID }
