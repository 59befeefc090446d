// Package view draws the studio with go-app components, which show the state of the kernel and call
// its methods. Their own state is only presentation, such as open folds. The same components render
// the page in the browser and, at build time, the shell that is shown while the program loads.
package view

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/ui"
)

// Studio is the whole page.
type Studio struct {
	app.Compo
	watching
	Page *ui.Page
}

// watching is embedded in components that follow the kernel.
type watching = ui.Watching

// New returns the page of a kernel. Places show the views of features in their order.
func New(k *kernel.Kernel, features ...func(*kernel.Kernel, *ui.Page)) *Studio {
	page := &ui.Page{}
	for _, add := range features {
		add(k, page)
	}
	page.Dialog(SettingsID, func() app.UI { return &Settings{watching: ui.Watches(k), Page: page} })
	return &Studio{watching: ui.Watches(k), Page: page}
}

// Render arranges the page; see web/site/styles/page.css. The shell is inert, so that no click or
// input is lost before the program runs.
func (s *Studio) Render() app.UI {
	page, k := app.Div().Class("studio").On("drop", s.drop), s.Kernel
	parts := []app.UI{
		skipLink(k),
		app.Header().Class("top").Body(
			brand(k),
			&ProjectBar{watching: ui.Watches(k, k.Classes), Page: s.Page},
			app.Div().Class("tools").Body(
				kindSwitch(k),
				&Engine{watching: ui.Watches(k, k.Engine, k.Setup)},
				settingsButton(k),
			),
		),
		&Messages{watching: ui.Watches(k, k.Notices)},
		app.Main().Body(
			app.Div().Class("desk").Body(
				look(k, s.Page),
				app.Div().Class("work").Body(append(s.Page.At(ui.Above),
					&ClassList{watching: ui.Watches(k, k.Classes, k.Capture, k.Camera)})...),
			),
			app.Div().Class("panels").Body(s.Page.At(ui.Below)...),
		),
		footer(k, s.Page),
	}
	if app.IsServer {
		page.Attr("inert", true) // without dialogs
	} else {
		parts = append(parts, &ui.Dialogs{Page: s.Page})
	}
	return page.Body(parts...)
}

// drop imports folders, archives and projects that were dropped outside other targets.
func (s *Studio) drop(_ app.Context, e app.Event) {
	if browser.IsTaken(e) {
		return
	}
	e.PreventDefault()
	if !broughtFolder(s.Kernel, e, "") {
		s.Kernel.Open(browser.DroppedFiles(e))
	}
}
