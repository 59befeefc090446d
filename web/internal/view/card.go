package view

import (
	"time"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/texts"
	"github.com/deepemd/deepemd/web/internal/ui"
)

// Card shows a class: its name, the buttons that add examples, and the examples.
type Card struct {
	app.Compo
	Studio   *Studio
	Kernel   *kernel.Kernel
	Texts    *texts.Texts
	Class    kernel.Class
	Twin     bool // another class has the name
	Held     bool // examples of the class are taken, or soon will be
	Free     bool // a click takes examples
	CameraOn bool
	Away     bool // only an outline until it is near the window: thousands of whole cards would be slow

	// go-app reuses a card for a class of another project, so the state includes the class's id.
	over    string    // files are dragged over this class
	named   string    // Enter or Escape was pressed in the name of this class
	renamed string    // this class has been renamed here
	pressed time.Time // when the capture button was
	tapped  bool      // it records until it is pressed again

	near   bool // it is drawn in full from now on
	forget func()
}

// OnMount waits until an outlined card is near the window.
func (c *Card) OnMount(ctx app.Context) {
	if !c.near {
		c.forget = browser.WhenNear(ctx.JSSrc(), func() {
			ctx.Dispatch(func(app.Context) { c.near = true })
		})
	}
}

// OnDismount ends the waiting.
func (c *Card) OnDismount() {
	if c.forget != nil {
		c.forget()
	}
}

// Render shows the card; files may be dropped anywhere on it.
func (c *Card) Render() app.UI {
	if c.near = c.near || !c.Away; !c.near {
		return c.outline()
	}
	id, t := c.Class.ID, &c.Texts.Class
	_, accepts := inputs(c.Kernel)
	add := func(files []kernel.File) { c.Kernel.AddFiles(id, files) }
	card := app.Article().
		Class("card", ui.Hue(c.Class), ui.When(c.over == id, "over"), ui.When(c.Held, "held"), ui.When(c.Class.Disabled, "disabled"), ui.When(c.Class.Nothing, "nothing")).
		DataSet("class", id).DataSet("drop", t.DropOn(c.Class.Label)).
		Aria("label", c.Class.Label).
		Body(
			app.Header().Body(
				app.Span().Class("swatch"),
				app.If(!c.Class.Nothing, app.H3().Class("said").Text(c.Class.Label)),
				c.name(),
				app.If(len(c.Class.Examples) > 0 || c.Class.Disabled, c.enableButton()),
				app.If(!c.Class.Nothing, ui.Sign("quiet remove", removeID(id), ui.IconTrash, t.Delete(c.Class.Label)).
					Title(t.DeleteTitle).OnClick(ui.Do(c.remove))),
			),
			app.If(c.Twin, c.twin()),
			app.Div().Class("ways").Body(
				c.captureButton(),
				ui.File("plain", ui.IconUpload, t.AddPictures, app.Input().Accept(accepts).Multiple(true).
					Aria("label", t.AddTo(c.Class.Label)).OnChange(ui.TakeFiles(add, id))).Title(t.AddTitle),
			),
			app.P().Class("passed", ui.When(!c.Class.Disabled, "hidden")).Text(c.Texts.Improve.Off), // always there: the examples after it keep their elements
			c.examples(),
		)
	return ui.DropTarget(card, func(over bool) { c.over = ui.When(over, id) }, func(e app.Event) { drop(c.Kernel, e, add, c.Kernel.Project.Bringing(id)) }, id)
}

// outline returns the card without fields, buttons and examples.
func (c *Card) outline() app.UI {
	return app.Article().Class("card", "away", ui.Hue(c.Class)).DataSet("class", c.Class.ID).Aria("label", c.Class.Label).
		Body(app.Header().Body(app.Span().Class("swatch"), app.H3().Class("said").Text(c.Class.Label)))
}

// name returns the field for the name; the name of a background class is fixed.
func (c *Card) name() app.UI {
	if c.Class.Nothing {
		return app.H3().Class("name").Attr("dir", "auto").Text(c.Class.Label)
	}
	field := app.Input().Type("text").ID(nameID(c.Class.ID)).Class("name").
		Attr("dir", "auto").
		Value(c.Class.Label).
		Title(c.Class.Label).
		Aria("label", c.Texts.Class.NameLabel).
		MaxLength(60).
		AutoComplete(false).
		Spellcheck(false).
		OnChange(c.rename).OnKeyDown(c.nameKey).OnKeyUp(c.nameKeyUp)
	if c.Twin {
		field.Aria("describedby", twinID(c.Class.ID))
	}
	return field
}

// twin says that another class has the name, aloud if the class was renamed.
func (c *Card) twin() app.UI {
	hint := app.P().ID(twinID(c.Class.ID)).Class("twin").Text(c.Texts.Class.Twin)
	if c.renamed == c.Class.ID {
		hint.Role("alert")
	}
	return hint
}

// examples shows the examples, or a hint how to add some.
func (c *Card) examples() app.UI {
	t := &c.Texts.Class
	switch {
	case len(c.Class.Examples) > 0 || c.Class.Waiting > 0:
		return &Examples{Studio: c.Studio, Kernel: c.Kernel, Texts: c.Texts, Class: c.Class}
	case c.Class.Nothing:
		return app.P().Class("none").Text(t.NothingNone)
	}
	return app.P().Class("none").Body(app.Text(t.None), app.Span().Class("drop").Text(" "+t.Drop))
}

func (c *Card) enableButton() app.UI {
	t, sign := &c.Texts.Improve, ui.IconEye
	if c.Class.Disabled {
		sign = ui.IconEyeOff
	}
	enable := func() { c.Kernel.Classes.Enable(c.Class.ID, c.Class.Disabled) }
	return ui.Sign("quiet enable", "", sign, t.Disable(c.Class.Label)).Aria("pressed", c.Class.Disabled).OnClick(ui.Do(enable))
}

// remove removes the class and moves the focus to the next one, or to the previous one.
func (c *Card) remove() {
	var ids []string
	for _, o := range c.Kernel.Classes.List() {
		ids = append(ids, o.ID)
	}
	next := addClassID
	if id := neighbor(ids, c.Class.ID); id != "" {
		next = removeID(id)
	}
	c.Kernel.Classes.Remove(c.Class.ID)
	c.Studio.Focus(next)
}

func twinID(classID string) string { return "twin-" + classID }

func removeID(classID string) string { return "remove-" + classID }

// rename renames the class; a blank name is reset.
func (c *Card) rename(ctx app.Context, _ app.Event) {
	field := ctx.JSSrc()
	c.renamed = c.Class.ID
	c.Kernel.Classes.Rename(c.Class.ID, field.Get("value").String())
	if class, ok := c.Kernel.Classes.Find(c.Class.ID); ok {
		field.Set("value", class.Label)
	}
}

// nameKey accepts the name on Enter, or resets it on Escape. When the key is released, the focus
// moves to the capture button, which must not react to the same key. Enter of an input method is
// ignored.
func (c *Card) nameKey(ctx app.Context, e app.Event) {
	c.named = ""
	if ui.Composes(e) {
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

// captureButton takes examples while it is held with a pointer, the space bar or Enter. A tap, or a click
// without either, as from screen readers, takes one picture, or begins and ends a recording of sounds,
// for people who cannot hold a button. If the kernel reacts to clicks, every click goes there.
func (c *Card) captureButton() app.UI {
	sign, _ := inputs(c.Kernel)
	text, title := c.Texts.Class.Hold, c.Texts.Class.HoldTitle
	if c.Free {
		text, title = c.Texts.Stage.Record, c.Texts.Stage.RecordTitle
		if c.Held {
			text, sign = c.Texts.Stage.StopRecording, ui.IconStop
		}
	}
	button := ui.Button("capture", ui.CaptureID(c.Class.ID), sign, text).Aria("label", text+", "+c.Class.Label)
	if !c.Free { // otherwise the text is the state
		button.Aria("pressed", c.Held)
	}
	return button.
		Class(ui.When(!c.CameraOn, "off"), ui.When(c.Held, "chosen")).
		Title(title).
		On("pointerdown", c.press).
		On("pointerup", c.release).
		On("pointercancel", c.release).
		On("lostpointercapture", c.release).
		OnKeyDown(c.keyDown).
		OnKeyUp(c.keyUp).
		OnBlur(c.release).
		OnClick(c.click).
		OnContextMenu(ui.PreventDefault) // a long touch opens no menu
}

func (c *Card) press(ctx app.Context, e app.Event) {
	if e.Get("button").Int() != 0 || c.Free {
		return
	}
	browser.HoldPointer(ctx.JSSrc(), e)
	c.hold()
}

// longestTap is the longest press that is a tap. Sounds take longer.
const longestTap = 300 * time.Millisecond

// hold takes examples until the button is released, or ends the recording that a tap began.
func (c *Card) hold() {
	if c.tapped && c.Held {
		c.Kernel.Capture.Release()
		return
	}
	c.pressed, c.tapped = time.Now(), false
	c.Kernel.Capture.Hold(c.Class.ID)
}

func (c *Card) release(_ app.Context, e app.Event) {
	if c.Free || c.Kernel.Capture.Class() != c.Class.ID {
		return
	}
	event := e.Get("type").String()
	if c.Kernel.Project.OfSounds() && (event == "pointerup" || event == "keyup") && time.Since(c.pressed) < longestTap {
		c.tapped = true
	}
	if !c.tapped || event == "blur" {
		c.Kernel.Capture.Release()
	}
}

func (c *Card) keyDown(_ app.Context, e app.Event) {
	if !ui.Holds(e) || c.Free {
		return
	}
	e.PreventDefault()
	if !e.Get("repeat").Bool() {
		c.hold()
	}
}

func (c *Card) keyUp(ctx app.Context, e app.Event) {
	if ui.Holds(e) && !c.Free {
		e.PreventDefault()
		c.release(ctx, e)
	}
}

func (c *Card) click(_ app.Context, e app.Event) {
	switch {
	case c.Free:
		c.Kernel.Capture.Click()(c.Class.ID)
	case e.Get("detail").Int() != 0:
	case c.Held:
		c.Kernel.Capture.Release()
	default:
		c.Kernel.Capture.Hold(c.Class.ID)
		if !c.Kernel.Project.OfSounds() {
			c.Kernel.Capture.Release()
		}
	}
}

// inputs returns the icon of the input device, and the files that a field accepts.
func inputs(s *kernel.Kernel) (sign, accepts string) {
	if s.Project.OfSounds() {
		return ui.IconMicrophone, "audio/*,.mp3,.wav"
	}
	return ui.IconCamera, "image/*,video/*"
}
