package view

import (
	"slices"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/ui"
)

// SkipLink takes keyboards past the header and the camera.
type SkipLink struct {
	app.Compo
	watching
	Kernel *kernel.Kernel
}

// OnMount starts to follow the language.
func (l *SkipLink) OnMount(ctx app.Context) { l.Watch(ctx, l.Kernel) }

// Render shows the link, which is seen while it has the focus.
func (l *SkipLink) Render() app.UI {
	return app.Button().Type("button").Class("skip").Text(l.Kernel.Texts().Page.SkipLink).OnClick(l.skip)
}

func (l *SkipLink) skip(app.Context, app.Event) { browser.Focus(ui.WorkID) }

// Brand says what the page is.
type Brand struct {
	app.Compo
	watching
	Kernel *kernel.Kernel
}

// OnMount starts to follow the language.
func (b *Brand) OnMount(ctx app.Context) { b.Watch(ctx, b.Kernel) }

// Render shows mark, name and slogan.
func (b *Brand) Render() app.UI {
	return app.Div().Class("brand").Body(
		ui.Logo(),
		app.Div().Body(
			app.H1().Text("DeepEMD"),
			app.P().Text(b.Kernel.Texts().Page.Slogan),
		),
	)
}

// Look is the part of the page that stays in sight: what is seen, and what it is
// taken for.
type Look struct {
	app.Compo
	watching
	Kernel *kernel.Kernel
	Page   *ui.Page
}

// OnMount starts to follow the language.
func (l *Look) OnMount(ctx app.Context) { l.Watch(ctx, l.Kernel) }

// Render shows stage and answer.
func (l *Look) Render() app.UI {
	return app.Section().Class("look").Aria("label", l.Kernel.Texts().Camera.Section).Body(
		&Stage{Kernel: l.Kernel, Page: l.Page},
		&Answer{Kernel: l.Kernel},
	)
}

// Footer says where the pictures stay, and where more is to be read.
type Footer struct {
	app.Compo
	watching
	Kernel *kernel.Kernel
	Page   *ui.Page
}

// OnMount starts to follow the language.
func (f *Footer) OnMount(ctx app.Context) { f.Watch(ctx, f.Kernel) }

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
