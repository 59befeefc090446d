package view

import (
	"slices"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/ui"
)

// SkipLink skips the header and the camera, for keyboard users.
type SkipLink struct {
	app.Compo
	watching
}

// Render shows the link, which is visible while focused.
func (l *SkipLink) Render() app.UI {
	return app.Button().Type("button").Class("skip").Text(l.Kernel.Texts().Page.SkipLink).OnClick(l.skip)
}

func (l *SkipLink) skip(app.Context, app.Event) { browser.Focus(ui.WorkID) }

// Brand shows the name of the page.
type Brand struct {
	app.Compo
	watching
}

// Render shows logo, name and slogan.
func (b *Brand) Render() app.UI {
	return app.Div().Class("brand").Body(
		ui.Logo(),
		app.Div().Body(
			app.H1().Text("DeepEMD"),
			app.P().Text(b.Kernel.Texts().Page.Slogan),
		),
	)
}

// Look is the part of the page that stays visible: the stage and the answer.
type Look struct {
	app.Compo
	watching
	Page *ui.Page
}

// Render shows stage and answer.
func (l *Look) Render() app.UI {
	return app.Section().Class("look").Aria("label", l.Kernel.Texts().Camera.Section).Body(
		&Stage{watching: ui.Watches(l.Kernel, l.Kernel.Camera, l.Kernel.Framing, l.Kernel.Live.Shown), Page: l.Page},
		&Answer{Kernel: l.Kernel},
	)
}

// Footer links to the documentation and says that images stay on the device.
type Footer struct {
	app.Compo
	watching
	Page *ui.Page
}

// Render shows the line at the foot of the page.
func (f *Footer) Render() app.UI {
	texts := f.Kernel.Texts().Page
	return app.Footer().Body(
		app.P().Body(slices.Concat([]app.UI{
			ui.Icon(ui.IconLock), app.Span().Text(texts.Private),
		}, f.Page.At(ui.Foot), []app.UI{
			app.A().Href("docs/").Text(texts.Documentation), app.A().Href("examples/").Text(texts.Examples),
			app.A().Href("NOTICE.txt").Text(texts.Licences),
		})...),
	)
}
