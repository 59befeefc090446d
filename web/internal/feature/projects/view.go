// Package projects is the feature that names, opens, copies, hands out and removes projects.
package projects

import (
	"cmp"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/texts"
	"github.com/deepemd/deepemd/web/internal/ui"
)

type watching = ui.Watching

// Add adds the feature to a page.
func Add(k *kernel.Kernel, page *ui.Page) {
	page.Show(ui.Header, func() app.UI { return &Name{watching: ui.Watches(k, k.Project, k.Classes)} })
	page.Dialog(ui.ProjectsID, func() app.UI { return &Dialog{watching: ui.Watches(k, k.Project, k.Classes, k.Setup), Page: page} })
}

// Dialog is the dialog of projects.
type Dialog struct {
	app.Compo
	watching
	Page *ui.Page
}

// Render shows the open project with its actions, and the list of all projects.
func (p *Dialog) Render() app.UI {
	t, state := &p.Kernel.Texts().Project, p.Kernel.Project.State()
	var rows []app.UI
	for _, info := range state.Kept {
		rows = append(rows, &Row{Kernel: p.Kernel, Texts: p.Kernel.Texts(), Info: info, Current: info.ID == state.ID})
	}
	busy, own := state.Writing != nil, p.Kernel.Setup.Weights().Own
	return ui.Dialog(ui.ProjectsID, "projects", t.Title, t.Close,
		app.Div().Class("one").Body(
			app.Input().Type("text").ID("project-name").Class("name").Dir("auto").Value(state.Name).
				Aria("label", t.NameLabel).MaxLength(80).AutoComplete(false).Spellcheck(false).
				OnChange(p.rename).OnKeyDown(p.nameKey),
			app.Div().Class("doing").Body(append([]app.UI{
				app.Button().Type("button").ID("save-file").Class("plain").Title(t.SaveTitle).Disabled(busy).OnClick(p.save).
					Body(ui.Icon(ui.IconSave), app.Text(t.Save)),
				app.Button().Type("button").ID("save-folders").Class("plain").Title(p.Kernel.Texts().Bring.SaveTitle).Disabled(busy).OnClick(p.saveFolders).
					Body(ui.Icon(ui.IconFolder), app.Text(p.Kernel.Texts().Bring.Save)),
				app.If(!p.Kernel.Project.OfSounds(), app.Button().Type("button").ID("share-page").Class("plain").Title(t.ShareTitle).Disabled(busy).OnClick(p.share).
					Body(ui.Icon(ui.IconPage), app.Text(t.Share))),
				app.If(!p.Kernel.Project.OfSounds() && browser.Sends(), app.Button().Type("button").ID("send-page").Class("plain").Title(t.SendTitle).Disabled(busy).OnClick(p.send).
					Body(ui.Icon(ui.IconSend), app.Text(t.Send))),
			}, p.Page.At(ui.Ways)...)...),
			app.P().Class("note").Text(t.ShareNote),
			app.If(own != nil && !p.Kernel.Project.OfSounds(), app.P().Class("note").ID("share-network").Text(p.networkNote(own))),
		),
		app.Div().Class("doing").Body(append([]app.UI{
			app.Button().Type("button").ID("new-project").Class("plain").OnClick(p.begin).
				Body(ui.Icon(ui.IconPlus), app.Text(t.New)),
			app.Label().Class("file plain").Title(t.OpenTitle).Body(
				ui.Icon(ui.IconUpload), app.Span().Text(t.Open),
				app.Input().Type("file").ID("open-file").Accept(".deepemd,.tm,.zip").Aria("label", t.OpenTitle).OnChange(p.picked),
			),
		}, p.Page.At(ui.Files)...)...),
		app.If(len(rows) > 0, app.Div().Class("kept").Body(
			app.H3().Text(t.Kept),
			app.Ul().Body(rows...),
		)),
	)
}

// networkNote says that files contain the user's own network.
func (p *Dialog) networkNote(own *kernel.OwnNetwork) string {
	if own == nil {
		return ""
	}
	t := p.Kernel.Texts()
	return t.Network.Share(t.Decimal(own.PageBytes()/1e6, 0))
}

func (p *Dialog) rename(ctx app.Context, _ app.Event) {
	field := ctx.JSSrc()
	p.Kernel.Project.Rename(field.Get("value").String())
	field.Set("value", p.Kernel.Project.State().Name)
}

func (p *Dialog) nameKey(ctx app.Context, e app.Event) {
	if e.Get("key").String() == "Enter" {
		e.PreventDefault()
		ctx.JSSrc().Call("blur")
	}
}

func (p *Dialog) save(app.Context, app.Event) { p.Kernel.Project.WriteFile(kernel.FormProject) }
func (p *Dialog) saveFolders(app.Context, app.Event) {
	p.Kernel.Project.WriteFile(kernel.FormFolders)
}
func (p *Dialog) share(app.Context, app.Event) { p.Kernel.Project.WriteFile(kernel.FormPage) }

// send closes the dialog, which would hide the system's share sheet.
func (p *Dialog) send(app.Context, app.Event) {
	browser.CloseDialog(ui.ProjectsID)
	p.Kernel.Project.WriteFile(kernel.FormSent)
}

func (p *Dialog) begin(app.Context, app.Event) {
	browser.CloseDialog(ui.ProjectsID)
	p.Kernel.Project.New()
}

func (p *Dialog) picked(ctx app.Context, _ app.Event) {
	files := browser.ChosenFiles(ctx.JSSrc())
	if len(files) > 0 {
		browser.CloseDialog(ui.ProjectsID)
		p.Kernel.Project.BringFile(files[0], "")
	}
}

// Row is a saved project.
type Row struct {
	app.Compo
	Kernel  *kernel.Kernel
	Texts   *texts.Texts
	Info    kernel.ProjectInfo
	Current bool // it is open
}

// Render shows name and size, which open the project, and buttons to copy and remove it.
func (r *Row) Render() app.UI {
	t := &r.Texts.Project
	name, about := cmp.Or(r.Info.Name, t.Nameless), t.Facts(r.Info.Classes, r.Info.Examples)
	switch {
	case r.Info.Damaged:
		about = t.Damaged
	case r.Current:
		about = t.Current + " · " + about
	}
	return app.Li().Class("row", ui.When(r.Current, "current")).DataSet("project", r.Info.ID).Body(
		app.Button().Type("button").Class("quiet opens").Title(t.OpenOne(name)).Aria("current", r.Current).
			Disabled(r.Info.Damaged).OnClick(r.open).Body(
			app.Span().Class("title").Dir("auto").Text(name),
			app.Span().Class("about").Text(about),
		),
		app.Button().Type("button").Class("quiet copies").Aria("label", t.Duplicate(name)).Title(t.Duplicate(name)).
			Disabled(r.Info.Damaged).OnClick(r.duplicate).Body(ui.Icon(ui.IconCopy)),
		app.Button().Type("button").Class("quiet removes").Aria("label", t.Remove(name)).Title(t.Remove(name)).
			OnClick(r.remove).Body(ui.Icon(ui.IconTrash)),
	)
}

func (r *Row) open(app.Context, app.Event) {
	browser.CloseDialog(ui.ProjectsID)
	r.Kernel.Project.Open(r.Info.ID)
}

func (r *Row) duplicate(app.Context, app.Event) { r.Kernel.Project.Duplicate(r.Info.ID) }

// remove closes the dialog, which would hide the offer to restore the project.
func (r *Row) remove(app.Context, app.Event) {
	browser.CloseDialog(ui.ProjectsID)
	r.Kernel.Project.Remove(r.Info.ID)
}
