package view

import (
	"slices"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/texts"
	"github.com/deepemd/deepemd/web/internal/ui"
)

// Card shows one class: its name, ways to give it examples, and the examples.
type Card struct {
	app.Compo
	List     *ClassList
	Kernel   *kernel.Kernel
	Texts    *texts.Texts
	Class    kernel.Class
	Held     bool // examples of it are taken, or are going to be
	Free     bool // hands-free: a click takes them
	CameraOn bool

	// go-app reuses a card for the next class when one before it is removed, so
	// what is folded open or pressed is remembered with the class's id.
	over  string // the class over which files are being dragged
	named string // the class whose name is complete once the key is up
}

// Render shows the card; files may be dropped anywhere on it.
func (c *Card) Render() app.UI {
	id, t := c.Class.ID, &c.Texts.Class
	_, accepts := inputs(c.Kernel)
	return app.Article().
		Class("card", ui.Hue(c.Class), ui.When(c.over == id, "over"), ui.When(c.Held, "held"), ui.When(c.Class.Disabled, "disabled"), ui.When(c.Class.Nothing, "nothing")).
		DataSet("class", id).
		Aria("label", c.Class.Label).
		On("dragover", c.dragOver).On("dragleave", c.dragLeave).On("drop", c.drop).
		Body(
			app.Header().Body(
				app.Span().Class("swatch"),
				c.name(),
				app.If(len(c.Class.Examples) > 0 || c.Class.Disabled, c.enableButton()),
				app.If(!c.Class.Nothing, app.Button().Type("button").ID(removeID(id)).Class("quiet remove").
					Aria("label", t.Delete(c.Class.Label)).Title(t.DeleteTitle).
					OnClick(c.remove).Body(ui.Icon(ui.IconTrash))),
			),
			app.Div().Class("ways").Body(
				c.captureButton(),
				app.Label().Class("file plain").Title(t.AddTitle).Body(
					ui.Icon(ui.IconUpload), app.Span().Text(t.AddPictures),
					app.Input().Type("file").Accept(accepts).Multiple(true).
						Aria("label", t.AddTo(c.Class.Label)).OnChange(c.picked),
				),
			),
			app.If(c.Class.Disabled, app.P().Class("passed").Text(c.Texts.Improve.Off)),
			c.examples(),
		)
}

// name is the field for the class's name; a class of nothing has the page's.
func (c *Card) name() app.UI {
	if c.Class.Nothing {
		return app.H3().Class("name").Attr("dir", "auto").Text(c.Class.Label)
	}
	return app.Input().Type("text").ID(nameID(c.Class.ID)).Class("name").
		Attr("dir", "auto").
		Value(c.Class.Label).
		Title(c.Class.Label).
		Aria("label", c.Texts.Class.NameLabel).
		MaxLength(60).
		AutoComplete(false).
		Spellcheck(false).
		OnChange(c.rename).OnKeyDown(c.nameKey).OnKeyUp(c.nameKeyUp)
}

// examples shows the examples, or where they come from.
func (c *Card) examples() app.UI {
	t := &c.Texts.Class
	switch {
	case len(c.Class.Examples) > 0 || c.Class.Waiting > 0:
		return &Examples{Classes: c.List, Kernel: c.Kernel, Texts: c.Texts, Class: c.Class}
	case c.Class.Nothing:
		return app.P().Class("none").Text(t.NothingNone)
	}
	return app.P().Class("none").Body(app.Text(t.None), app.Span().Class("drop").Text(" "+t.Drop))
}

// enableButton has the class passed over, and considered again.
func (c *Card) enableButton() app.UI {
	t, sign := &c.Texts.Improve, ui.IconEye
	label := t.Disable(c.Class.Label)
	if c.Class.Disabled {
		label, sign = t.Enable(c.Class.Label), ui.IconEyeOff
	}
	return app.Button().Type("button").Class("quiet enable").Aria("label", label).Title(label).
		Aria("pressed", c.Class.Disabled).OnClick(c.enable).Body(ui.Icon(sign))
}

func (c *Card) enable(app.Context, app.Event) {
	c.Kernel.Classes.Enable(c.Class.ID, c.Class.Disabled)
}

// remove forgets the class; the focus goes to what lay behind it, else before it.
func (c *Card) remove(app.Context, app.Event) {
	next := addClassID
	list := c.Kernel.Classes.List()
	if i := slices.IndexFunc(list, func(o kernel.Class) bool { return o.ID == c.Class.ID }); len(list) > 1 && i >= 0 {
		if i++; i == len(list) {
			i -= 2
		}
		next = removeID(list[i].ID)
	}
	c.Kernel.Classes.Remove(c.Class.ID)
	c.List.Focus(next)
}

// removeID is the id of the button that deletes a class.
func removeID(classID string) string { return "remove-" + classID }

// rename takes the name over once it has been typed; a blank one is undone.
func (c *Card) rename(ctx app.Context, _ app.Event) {
	field := ctx.JSSrc()
	c.Kernel.Classes.Rename(c.Class.ID, field.Get("value").String())
	for _, class := range c.Kernel.Classes.List() {
		if class.ID == c.Class.ID {
			field.Set("value", class.Label)
		}
	}
}

// nameKey takes the name over with Enter, and goes back to the old one with Escape. When
// the key is up again the focus goes to what comes next: to show the class examples. It is
// not the key of the button there, nor that of a method to write with.
func (c *Card) nameKey(ctx app.Context, e app.Event) {
	c.named = ""
	if e.Get("isComposing").Truthy() {
		return
	}
	switch e.Get("key").String() {
	case "Escape":
		ctx.JSSrc().Set("value", c.Class.Label)
	case "Enter":
		c.rename(ctx, e)
	default:
		return
	}
	c.named = c.Class.ID
}

func (c *Card) nameKeyUp(app.Context, app.Event) {
	if c.named == c.Class.ID {
		c.named = ""
		browser.Focus(ui.CaptureID(c.Class.ID))
	}
}

func (c *Card) picked(ctx app.Context, _ app.Event) {
	c.Kernel.AddFiles(c.Class.ID, browser.ChosenFiles(ctx.JSSrc()))
}

func (c *Card) dragOver(_ app.Context, e app.Event) {
	e.PreventDefault() // which allows to drop here
	c.over = c.Class.ID
}

func (c *Card) dragLeave(app.Context, app.Event) { c.over = "" }

func (c *Card) drop(_ app.Context, e app.Event) {
	e.PreventDefault()
	c.over = ""
	if !broughtFolder(c.Kernel, e, c.Class.ID) {
		c.Kernel.AddFiles(c.Class.ID, browser.DroppedFiles(e))
	}
}
