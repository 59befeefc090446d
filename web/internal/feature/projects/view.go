// Package projects is the feature that names, opens, copies, hands out and removes projects.
package projects

import (
	"cmp"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/ui"
)

// Add adds the feature to a page.
func Add(k *kernel.Kernel, page *ui.Page) {
	p := &projects{Kernel: k, page: page}
	page.Show(ui.Header, ui.Follow(k, p.name, k.Project, k.Classes))
	page.Dialog(ui.ProjectsID, ui.Follow(k, p.dialog, k.Project, k.Classes, k.Setup))
}

type projects struct {
	*kernel.Kernel
	page  *ui.Page
	named bool // Enter was pressed in the name
}

// dialog shows the open project with its actions, and the list of all projects.
func (p *projects) dialog() app.UI {
	t, state := &p.Texts().Project, p.Project.State()
	var rows []app.UI
	for _, info := range state.Kept {
		rows = append(rows, p.row(info, info.ID == state.ID))
	}
	var network app.UI // files contain the user's own
	if own := p.Setup.Weights().Own; own != nil {
		network = app.P().Class("note").ID("share-network").Text(p.Texts().Network.Share(p.Texts().Decimal(own.PageBytes()/1e6, 0)))
	}
	busy := state.Writing != nil
	write := func(id, icon, text, title string, form kernel.Form) app.UI {
		return ui.Idle(ui.Button("plain", id, icon, text).Title(title), busy, func() { p.write(form) }, form)
	}
	return ui.Dialog(p.Texts(), ui.ProjectsID, "projects", t.Title,
		app.Div().Class("one").Body(
			app.Input().Type("text").ID("project-name").Class("name").Dir("auto").Value(state.Name).
				Aria("label", t.NameLabel).MaxLength(80).AutoComplete(false).Spellcheck(false).
				OnChange(p.rename).OnKeyDown(p.nameKey).OnKeyUp(p.nameKeyUp),
			app.Div().Class("doing").Body(append([]app.UI{
				write("save-file", ui.IconSave, t.Save, t.SaveTitle, kernel.FormProject),
				write("save-folders", ui.IconFolder, p.Texts().Bring.Save, p.Texts().Bring.SaveTitle, kernel.FormFolders),
				write("share-page", ui.IconPage, t.Share, t.ShareTitle, kernel.FormPage),
				app.If(browser.Sends(), write("send-page", ui.IconSend, t.Send, t.SendTitle, kernel.FormSent)),
			}, p.page.At(ui.Ways)...)...),
			app.P().Class("note").Text(t.ShareNote),
			network,
		),
		app.Div().Class("doing").Body(append([]app.UI{
			ui.Button("plain", "new-project", ui.IconPlus, t.New).OnClick(ui.Do(closing(p.Project.New))),
			ui.File("plain", ui.IconUpload, t.Open, app.Input().ID("open-file").Accept(".deepemd,.tm,.zip").
				Title(t.OpenTitle).OnChange(ui.TakeFiles(p.bring))).Title(t.OpenTitle),
		}, p.page.At(ui.Files)...)...),
		app.If(len(rows) > 0, app.Div().Class("kept").Body(
			app.H3().Text(t.Kept),
			app.Ul().Body(rows...),
		)),
	)
}

func (p *projects) rename(ctx app.Context, _ app.Event) {
	field := ctx.JSSrc()
	p.Project.Rename(field.Get("value").String())
	field.Set("value", p.Project.State().Name)
}

// nameKey accepts the name on Enter, except of an input method. When the key is released, the focus moves to the next
// button, which must not react to the same key.
func (p *projects) nameKey(_ app.Context, e app.Event) {
	p.named = e.Get("key").String() == "Enter" && !ui.Composes(e)
	if p.named {
		e.PreventDefault()
	}
}

func (p *projects) nameKeyUp(app.Context, app.Event) {
	if p.named {
		p.named = false
		browser.Focus("save-file")
	}
}

// write writes a file. It closes a dialog that would hide the system's share sheet.
func (p *projects) write(form kernel.Form) {
	if form == kernel.FormSent {
		browser.CloseDialog(ui.ProjectsID)
	}
	p.Project.WriteFile(form)
}

// closing returns a function that also closes the dialog, which would hide the result.
func closing(act func()) func() {
	return func() {
		browser.CloseDialog(ui.ProjectsID)
		act()
	}
}

func (p *projects) bring(files []kernel.File) {
	browser.CloseDialog(ui.ProjectsID)
	p.Project.BringFile(files[0], "")
}

// row shows name and size of a saved project, which open it, and buttons to copy and remove it.
func (p *projects) row(info kernel.ProjectInfo, current bool) app.UI {
	t := &p.Texts().Project
	name, about := cmp.Or(info.Name, t.Nameless), t.Facts(info.Classes, info.Examples)
	switch {
	case info.Damaged:
		about = t.Damaged
	case current:
		about = t.Current + " · " + about
	}
	return app.Li().Class("row", ui.When(current, "current")).DataSet("project", info.ID).Body(
		app.Button().Type("button").Class("quiet opens").Title(t.OpenOne(name)).Aria("current", current).
			Disabled(info.Damaged).OnClick(ui.Do(closing(func() { p.Project.Open(info.ID) }), info.ID)).Body(
			app.Span().Class("title").Dir("auto").Text(name),
			app.Span().Class("about").Text(about),
		),
		ui.Sign("quiet copies", "", ui.IconCopy, t.Duplicate(name)).
			Disabled(info.Damaged).OnClick(ui.Do(func() { p.Project.Duplicate(info.ID) }, info.ID)),
		ui.Sign("quiet removes", "", ui.IconTrash, t.Remove(name)).
			OnClick(ui.Do(closing(func() { p.Project.Remove(info.ID) }), info.ID)),
	)
}
