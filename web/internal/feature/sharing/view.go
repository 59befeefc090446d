package sharing

import (
	"cmp"
	"strings"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/texts"
	"github.com/deepemd/deepemd/web/internal/ui"
)

// Add adds the feature to a page.
func Add(k *kernel.Kernel, page *ui.Page) {
	s := &sharing{Kernel: k}
	page.Dialog(dialogID, ui.Follow(k, s.dialog, k.Project, k.Setup))
	page.Show(ui.Ways, func() app.UI { return button(k) })
}

// button opens the dialog instead of the dialog of projects.
func button(k *kernel.Kernel) app.UI {
	t := &k.Texts().Share
	return ui.Button("plain", "embed-project", ui.IconCode, t.Open).Aria("haspopup", "dialog").
		Title(t.OpenTitle).OnClick(ui.Opens(dialogID, ui.ProjectsID))
}

const (
	dialogID = "embedding"
	codeID   = "embedding-code"
)

// The two ways to embed.
const (
	frameChoice   = "frame"
	elementChoice = "element"
)

// script is the module that defines the element.
const script = "element.js"

// sharing is the state of the dialog.
type sharing struct {
	*kernel.Kernel
	element bool   // not the frame
	folder  string // last known folder of files
	address string // typed address of the file; for the project named of
	program string // typed address of the package
	of      string // the project's name
	copied  *bool  // result of copying, if any
}

// chosen returns the choices. By default, files are in the folder that `deepemd serve` uses.
func (e *sharing) chosen() Embedding {
	state := e.Project.State()
	if state.Name != e.of {
		e.of, e.address, e.copied = state.Name, "", nil
	}
	e.folder = cmp.Or(e.folder, browser.Here()+"pages/")
	chosen := Embedding{Element: e.element, Sounds: e.Project.OfSounds(), Name: state.Name, Program: cmp.Or(e.program, ownProgram())}
	if weights := e.Setup.Weights(); chosen.Element { // a page contains its network
		if weights.Own != nil {
			chosen.Network = weights.Own.Name
		} else if weights.Supplied != kernel.Usual {
			chosen.Page = e.Engine.State().Info.Network
		}
	}
	chosen.Address = cmp.Or(e.address, chosen.In(e.folder))
	return chosen
}

// ownProgram returns the address of the studio's own program.
func ownProgram() string { return browser.Here() + "deepemd/" + script }

// dialog shows the choices, then the steps: the code, and the files to upload.
func (e *sharing) dialog() app.UI {
	t, c := &e.Texts().Share, e.chosen()
	busy, form := e.Project.State().Writing != nil, frameChoice
	if e.element {
		form = elementChoice
	}
	file := c.FileName()
	address, fits := addressNote(e.Kernel.Texts(), CheckAddress(c.Address, c.Form().Ending()), t.Other(c.Form().Ending()))
	program, runs := "", true
	if c.Element {
		program, runs = addressNote(e.Kernel.Texts(), CheckAddress(c.Program, "/"+script), t.Script)
		if c.Program == ownProgram() {
			program = strings.TrimSpace(program + " " + t.OwnProgram)
		}
	}
	copied := ""
	switch {
	case e.copied != nil && *e.copied:
		copied = t.Copied
	case e.copied != nil:
		copied = t.ByHand
	}
	note, elsewhere := t.FrameNote, t.Elsewhere
	if c.Element {
		note, elsewhere = t.ElementNote, t.ElsewhereElement
	}
	return ui.Dialog(e.Texts(), dialogID, "embedding", t.Title,
		app.Div().Class("form").Body(
			ui.Choice("embedding-form", t.Form, form, []ui.Option{{Value: frameChoice, Text: t.Frame}, {Value: elementChoice, Text: t.Element}}, e.choose),
			app.P().Class("note").Text(note),
		),
		addressField("embedding-address", t.Address(file), c.Address, address, !fits, e.typeAddress),
		app.If(c.Element, addressField("embedding-program", t.Program, c.Program, program, !runs, e.typeProgram)),
		app.Div().Class("steps").Body(
			app.H3().Text(t.Steps),
			app.Ol().Body(
				app.Li().Body(app.Div().Class("saving").Body(
					app.Span().Text(t.Save(file)),
					ui.Idle(ui.Button("plain", "embedding-save", ui.IconSave, t.SaveNow), busy, e.save),
				)),
				app.Li().Body(app.Span().Text(t.Upload(file, strings.TrimSpace(c.Address)))),
				app.If(c.Network != "", app.Li().ID("embedding-network").Body(app.Span().Text(e.Texts().Network.Upload(strings.TrimSpace(c.Weights()))))),
				app.Li().Body(
					app.Span().Text(t.Paste),
					app.Textarea().ID(codeID).ReadOnly(true).Rows(5).Spellcheck(false).Wrap("soft").Aria("label", t.Code).Text(c.Code()),
					app.Div().Class("copying").Body(
						ui.Button("primary", "embedding-copy", ui.IconCopy, t.Copy).Disabled(!fits || !runs).OnClick(e.copy),
						app.Span().ID("embedding-copied").Role("status").Text(copied),
					),
				),
			),
		),
		app.P().Class("note").Text(elsewhere+" "+t.Pictures),
	)
}

// addressField returns a field for an address, with a note.
func addressField(id, label, address, note string, wrong bool, typed func(address string)) app.UI {
	return app.Div().Class("address").Body(
		app.Label().For(id).Text(label),
		app.Input().Type("url").ID(id).Value(address).AutoComplete(false).Spellcheck(false).
			Aria("invalid", wrong).Aria("describedby", id+"-note").OnInput(ui.Take(typed)).OnChange(ui.Take(typed)),
		app.P().ID(id+"-note").Class("note", ui.When(wrong, "wrong")).Role("status").Text(note),
	)
}

// addressNote returns a note about an address, or "", and whether code with it works; other is the
// note about a file of another kind.
func addressNote(t *texts.Texts, fault AddressFault, other string) (note string, works bool) {
	notes := map[AddressFault]string{AddressPart: t.Share.Part, AddressOther: other, AddressInsecure: t.Share.Insecure, AddressLocal: t.Share.Local}
	return notes[fault], fault.Works()
}

func (e *sharing) choose(form string) {
	e.element = form == elementChoice
	e.address, e.copied = "", nil
}

// typeAddress also records the folder for other files.
func (e *sharing) typeAddress(address string) {
	e.address, e.copied = address, nil
	if c := e.chosen(); CheckAddress(e.address, c.Form().Ending()).Works() {
		e.folder = AddressFolder(e.address)
	}
}

func (e *sharing) typeProgram(address string) { e.program, e.copied = address, nil }

func (e *sharing) save() { e.Project.WriteFile(e.chosen().Form()) }

// copy copies the code, or selects it for copying.
func (e *sharing) copy(ctx app.Context, _ app.Event) {
	browser.CopyField(codeID, func(copied bool) {
		ctx.Dispatch(func(app.Context) { e.copied = &copied })
	})
}
