package sharing

import (
	"strings"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/texts"
	"github.com/deepemd/deepemd/web/internal/ui"
)

type watching = ui.Watching

// Add adds the feature to a page.
func Add(k *kernel.Kernel, page *ui.Page) {
	page.Dialog(EmbeddingID, func() app.UI { return &Dialog{watching: ui.Watches(k, k.Project, k.Setup)} })
	page.Show(ui.Ways, func() app.UI { return button(k) })
}

// button opens the dialog and closes the dialog of projects.
func button(k *kernel.Kernel) app.UI {
	t := &k.Texts().Share
	return app.Button().Type("button").ID("embed-project").Class("plain").Aria("haspopup", "dialog").
		Title(t.OpenTitle).OnClick(func(ctx app.Context, _ app.Event) {
		browser.CloseDialog(ui.ProjectsID)
		ui.OpenDialog(ctx, EmbeddingID)
	}).Body(ui.Icon(ui.IconCode), app.Text(t.Open))
}

// EmbeddingID is the id of the dialog that gives code to paste.
const EmbeddingID = "embedding"

// codeID is the id of the field with the code.
const codeID = "embedding-code"

// The two ways to embed.
const (
	frameChoice   = "frame"
	elementChoice = "element"
)

// script is the module that defines the element.
const script = "element.js"

// Dialog shows the code, and the files to upload.
type Dialog struct {
	app.Compo
	watching

	element bool   // not the frame
	folder  string // last known folder of files
	address string // typed address of the file; for the project named of
	program string // typed address of the package
	of      string // the project's name
	copied  string // result of copying
}

// chosen returns the choices. By default, files are in the folder that `deepemd serve` uses.
func (e *Dialog) chosen() Embedding {
	state, sounds := e.Kernel.Project.State(), e.Kernel.Project.OfSounds()
	if state.Name != e.of {
		e.of, e.address, e.copied = state.Name, "", ""
	}
	if e.folder == "" {
		e.folder = browser.Here() + "pages/"
	}
	chosen := Embedding{Element: e.element || sounds, Sounds: sounds, Name: state.Name, Address: e.address, Program: e.program}
	if weights := e.Kernel.Setup.Weights(); chosen.Element { // a page contains its network
		if weights.Own != nil {
			chosen.Network = weights.Own.Name
		}
		chosen.Small = weights.Own == nil && weights.Small
	}
	if chosen.Address == "" {
		chosen.Address = chosen.In(e.folder)
	}
	if chosen.Program == "" {
		chosen.Program = ownProgram()
	}
	return chosen
}

// ownProgram returns the address of the studio's own program.
func ownProgram() string { return browser.Here() + "deepemd/" + script }

// Render shows the choices, then the steps.
func (e *Dialog) Render() app.UI {
	t, c := &e.Kernel.Texts().Share, e.chosen()
	busy := e.Kernel.Project.State().Writing != nil
	file := c.FileName()
	address, fits := addressNote(e.Kernel.Texts(), CheckAddress(c.Address, c.Form().Ending()), t.Other(c.Form().Ending()))
	program, runs := "", true
	if c.Element {
		program, runs = addressNote(e.Kernel.Texts(), CheckAddress(c.Program, "/"+script), t.Script)
		if c.Program == ownProgram() {
			program = strings.TrimSpace(program + " " + t.OwnProgram)
		}
	}
	note, elsewhere := t.FrameNote, t.Elsewhere
	if c.Element {
		note, elsewhere = t.ElementNote, t.ElsewhereElement
	}
	return ui.Dialog(EmbeddingID, "embedding", t.Title, t.Close,
		app.If(!c.Sounds, app.Div().Class("form").Body(
			ui.Choice("embedding-form", t.Form, e.formName(), []ui.Option{{Value: frameChoice, Text: t.Frame}, {Value: elementChoice, Text: t.Element}}, e.choose),
			app.P().Class("note").Text(note),
		)),
		addressField("embedding-address", t.Address(file), c.Address, address, !fits, e.typeAddress),
		app.If(c.Element, addressField("embedding-program", t.Program, c.Program, program, !runs, e.typeProgram)),
		app.Div().Class("steps").Body(
			app.H3().Text(t.Steps),
			app.Ol().Body(
				app.Li().Body(app.Div().Class("saving").Body(
					app.Span().Text(t.Save(file)),
					app.Button().Type("button").ID("embedding-save").Class("plain").Disabled(busy).OnClick(e.save).Body(ui.Icon(ui.IconSave), app.Text(t.SaveNow)),
				)),
				app.Li().Body(app.Span().Text(t.Upload(file, strings.TrimSpace(c.Address)))),
				app.If(c.Network != "", app.Li().ID("embedding-network").Body(app.Span().Text(e.Kernel.Texts().Network.Upload(strings.TrimSpace(c.Weights()))))),
				app.Li().Body(
					app.Span().Text(t.Paste),
					app.Textarea().ID(codeID).ReadOnly(true).Rows(5).Spellcheck(false).Wrap("soft").Aria("label", t.Code).Text(c.Code()),
					app.Div().Class("copying").Body(
						app.Button().Type("button").ID("embedding-copy").Class("primary").Disabled(!fits || !runs).OnClick(e.copy).Body(ui.Icon(ui.IconCopy), app.Text(t.Copy)),
						app.Span().ID("embedding-copied").Role("status").Text(e.copied),
					),
				),
			),
		),
		app.P().Class("note").Text(elsewhere+" "+t.Pictures),
	)
}

// addressField is a field for an address, with a note.
func addressField(id, label, address, note string, wrong bool, typed app.EventHandler) app.UI {
	return app.Div().Class("address").Body(
		app.Label().For(id).Text(label),
		app.Input().Type("url").ID(id).Value(address).AutoComplete(false).Spellcheck(false).
			Aria("invalid", wrong).Aria("describedby", id+"-note").OnInput(typed).OnChange(typed),
		app.P().ID(id+"-note").Class("note", ui.When(wrong, "wrong")).Role("status").Text(note),
	)
}

// addressNote returns a note about an address, or "", and whether code with it works; other is the
// note about a file of another kind.
func addressNote(t *texts.Texts, fault AddressFault, other string) (note string, works bool) {
	notes := map[AddressFault]string{AddressPart: t.Share.Part, AddressOther: other, AddressInsecure: t.Share.Insecure, AddressLocal: t.Share.Local}
	return notes[fault], fault.Works()
}

func (e *Dialog) formName() string {
	if e.element {
		return elementChoice
	}
	return frameChoice
}

func (e *Dialog) choose(ctx app.Context, _ app.Event) {
	e.element = ctx.JSSrc().Get("value").String() == elementChoice
	e.address, e.copied = "", ""
}

// typeAddress also records the folder for other files.
func (e *Dialog) typeAddress(ctx app.Context, _ app.Event) {
	e.address, e.copied = ctx.JSSrc().Get("value").String(), ""
	if c := e.chosen(); CheckAddress(e.address, c.Form().Ending()).Works() {
		e.folder = AddressFolder(e.address)
	}
}

func (e *Dialog) typeProgram(ctx app.Context, _ app.Event) {
	e.program, e.copied = ctx.JSSrc().Get("value").String(), ""
}

func (e *Dialog) save(app.Context, app.Event) { e.Kernel.Project.WriteFile(e.chosen().Form()) }

// copy copies the code, or selects it for copying.
func (e *Dialog) copy(ctx app.Context, _ app.Event) {
	t := &e.Kernel.Texts().Share
	browser.CopyField(codeID, func(copied bool) {
		ctx.Dispatch(func(app.Context) {
			e.copied = t.ByHand
			if copied {
				e.copied = t.Copied
			}
		})
	})
}
