package view

import (
	"cmp"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/texts"
	"github.com/deepemd/deepemd/web/internal/ui"
)

// Projects is the dialog where projects are named, opened, handed out and put
// away.
type Projects struct {
	app.Compo
	watching
	Kernel *kernel.Kernel
	Page   *ui.Page
}

// OnMount starts to follow the projects.
func (p *Projects) OnMount(ctx app.Context) {
	p.Watch(ctx, p.Kernel, p.Kernel.Project, p.Kernel.Classes, p.Kernel.Setup)
}

// Render shows the project that is open, what can be done with it, and the list of
// all.
func (p *Projects) Render() app.UI {
	t, state := &p.Kernel.Texts().Project, p.Kernel.Project.State()
	var rows []app.UI
	for _, info := range state.Kept {
		rows = append(rows, &ProjectRow{Kernel: p.Kernel, Texts: p.Kernel.Texts(), Info: info, Current: info.ID == state.ID})
	}
	busy, own := state.Writing != nil, p.Kernel.Setup.Weights().Own
	return app.Dialog().ID(ui.ProjectsID).Class("settings projects").Aria("labelledby", "projects-title").Body(
		app.Header().Body(
			app.H2().ID("projects-title").Text(t.Title),
			app.Button().Type("button").Class("quiet").Aria("label", t.Close).OnClick(p.close).Body(ui.Icon(ui.IconClose)),
		),
		app.Div().Class("parts").Body(
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
		),
	)
}

// networkNote says what becomes of the person's own network in files.
func (p *Projects) networkNote(own *kernel.OwnNetwork) string {
	if own == nil {
		return ""
	}
	t := p.Kernel.Texts()
	return t.Network.Share(t.Decimal(own.PageBytes()/1e6, 0))
}

func (p *Projects) close(app.Context, app.Event) { browser.CloseDialog(ui.ProjectsID) }

func (p *Projects) rename(ctx app.Context, _ app.Event) {
	field := ctx.JSSrc()
	p.Kernel.Project.Rename(field.Get("value").String())
	field.Set("value", p.Kernel.Project.State().Name)
}

func (p *Projects) nameKey(ctx app.Context, e app.Event) {
	if e.Get("key").String() == "Enter" {
		e.PreventDefault()
		ctx.JSSrc().Call("blur")
	}
}

func (p *Projects) save(app.Context, app.Event) { p.Kernel.Project.WriteFile(kernel.FormProject) }
func (p *Projects) saveFolders(app.Context, app.Event) {
	p.Kernel.Project.WriteFile(kernel.FormFolders)
}
func (p *Projects) share(app.Context, app.Event) { p.Kernel.Project.WriteFile(kernel.FormPage) }

// send closes the dialog: the system's share sheet takes its place.
func (p *Projects) send(app.Context, app.Event) {
	browser.CloseDialog(ui.ProjectsID)
	p.Kernel.Project.WriteFile(kernel.FormSent)
}

func (p *Projects) begin(app.Context, app.Event) {
	browser.CloseDialog(ui.ProjectsID)
	p.Kernel.Project.New()
}

func (p *Projects) picked(ctx app.Context, _ app.Event) {
	files := browser.ChosenFiles(ctx.JSSrc())
	if len(files) > 0 {
		browser.CloseDialog(ui.ProjectsID)
		p.Kernel.Project.OpenFile(files[0])
	}
}

// ProjectRow is one of the projects that are kept.
type ProjectRow struct {
	app.Compo
	Kernel  *kernel.Kernel
	Texts   *texts.Texts
	Info    kernel.ProjectInfo
	Current bool // it is open
}

// Render shows name and size, which open it, and buttons to copy it and to put it
// away.
func (r *ProjectRow) Render() app.UI {
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

func (r *ProjectRow) open(app.Context, app.Event) {
	browser.CloseDialog(ui.ProjectsID)
	r.Kernel.Project.Open(r.Info.ID)
}

func (r *ProjectRow) duplicate(app.Context, app.Event) { r.Kernel.Project.Duplicate(r.Info.ID) }

// remove closes the dialog, so that the offer to bring the project back is seen.
func (r *ProjectRow) remove(app.Context, app.Event) {
	browser.CloseDialog(ui.ProjectsID)
	r.Kernel.Project.Remove(r.Info.ID)
}
