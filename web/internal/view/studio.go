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
	Kernel *kernel.Kernel
	Page   *ui.Page
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
	return &Studio{Kernel: k, Page: page}
}

// Render arranges the page; see web/site/styles/page.css. The shell is inert, so that no click or
// input is lost before the program runs.
func (s *Studio) Render() app.UI {
	page := app.Div().Class("studio").On("drop", s.drop)
	parts := []app.UI{
		&SkipLink{watching: ui.Watches(s.Kernel)},
		app.Header().Class("top").Body(
			&Brand{watching: ui.Watches(s.Kernel)},
			&ProjectBar{watching: ui.Watches(s.Kernel, s.Kernel.Classes), Page: s.Page},
			app.Div().Class("tools").Body(
				&KindSwitch{watching: ui.Watches(s.Kernel)},
				&Engine{watching: ui.Watches(s.Kernel, s.Kernel.Engine, s.Kernel.Setup)},
				&SettingsButton{watching: ui.Watches(s.Kernel)},
			),
		),
		&Messages{watching: ui.Watches(s.Kernel, s.Kernel.Notices)},
		app.Main().Body(
			app.Div().Class("desk").Body(
				&Look{watching: ui.Watches(s.Kernel), Page: s.Page},
				app.Div().Class("work").Body(append(s.Page.At(ui.Above),
					&ClassList{watching: ui.Watches(s.Kernel, s.Kernel.Classes, s.Kernel.Capture, s.Kernel.Camera)})...),
			),
			app.Div().Class("panels").Body(s.Page.At(ui.Below)...),
		),
		&Footer{watching: ui.Watches(s.Kernel), Page: s.Page},
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
