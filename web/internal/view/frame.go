package view

import (
	"slices"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/ui"
)

// skipLink skips the header and the camera, for keyboard users. It is visible while focused.
func skipLink(k *kernel.Kernel) app.UI {
	return app.Button().Type("button").Class("skip").Text(k.Texts().Page.SkipLink).
		OnClick(func(app.Context, app.Event) { browser.Focus(ui.WorkID) })
}

// brand shows logo, name and slogan.
func brand(k *kernel.Kernel) app.UI {
	return app.Div().Class("brand").Body(
		ui.Logo(),
		app.Div().Body(
			app.H1().Text("DeepEMD"),
			app.P().Text(k.Texts().Page.Slogan),
		),
	)
}

// look returns the part of the page that stays visible: the stage and the answer.
func look(k *kernel.Kernel, page *ui.Page) app.UI {
	return app.Section().Class("look").Aria("label", k.Texts().Camera.Section).Body(
		&Stage{watching: ui.Watches(k, k.Camera, k.Framing, k.Live.Shown), Page: page},
		&Answer{Kernel: k},
	)
}

// footer links to the documentation and says that images stay on the device.
func footer(k *kernel.Kernel, page *ui.Page) app.UI {
	texts := k.Texts().Page
	return app.Footer().Body(
		app.P().Body(slices.Concat([]app.UI{
			ui.Icon(ui.IconLock), app.Span().Text(texts.Private),
		}, page.At(ui.Foot), []app.UI{
			app.A().Href("docs/").Text(texts.Documentation), app.A().Href("examples/").Text(texts.Examples),
			app.A().Href("NOTICE.txt").Text(texts.Licences),
		})...),
	)
}

// kindSwitch changes between images and sounds; the page's kind is pressed.
func kindSwitch(k *kernel.Kernel) app.UI {
	t := &k.Texts().Sound
	button := func(id, kind, icon, text string) app.UI {
		chosen := k.Project.Kind() == kind
		return app.Button().Type("button").ID(id).Class(ui.When(chosen, "chosen")).Aria("pressed", chosen).Aria("label", text).Title(text).
			OnClick(func(app.Context, app.Event) { browser.GoTo(kind) }).Body(ui.Icon(icon), app.Span().Text(text))
	}
	return app.Div().Class("kind").Role("group").Aria("label", t.Kind).Body(
		button("see", project.KindImage, ui.IconCamera, t.Pictures),
		button("hear", project.KindSound, ui.IconMicrophone, t.Sounds),
	)
}

// settingsButton opens the settings.
func settingsButton(k *kernel.Kernel) app.UI {
	label := k.Texts().Settings.Open
	return app.Button().Type("button").ID("open-settings").Class("quiet").
		Aria("label", label).Aria("haspopup", "dialog").Title(label).
		OnClick(func(ctx app.Context, _ app.Event) { ui.OpenDialog(ctx, SettingsID) }).Body(ui.Icon(ui.IconSettings))
}
