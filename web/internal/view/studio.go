// Package view draws the studio: go-app components that show
// the state of a session and pass on what the person does. They compute nothing
// and keep no state of their own but what is folded open. The same components
// render the page in the browser and, once at build time, the shell that is
// shown while the program is on its way.
package view

import (
	"time"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/kernel"
)

// Studio is the whole page.
type Studio struct {
	app.Compo
	Kernel *kernel.Kernel
}

// Render lays the page out; web/site/styles/page.css says where each part lies. The
// shell, in which nothing works yet, takes no clicks and no typing that would be
// lost.
func (s *Studio) Render() app.UI {
	page := app.Div().Class("studio").On("drop", s.drop)
	parts := []app.UI{
		&SkipLink{Kernel: s.Kernel},
		app.Header().Class("top").Body(
			&Brand{Kernel: s.Kernel},
			&ProjectBar{Kernel: s.Kernel},
			app.Div().Class("tools").Body(
				&KindSwitch{Kernel: s.Kernel},
				&Engine{Kernel: s.Kernel},
				&SettingsButton{Kernel: s.Kernel},
			),
		),
		&Messages{Kernel: s.Kernel},
		app.Main().Body(
			&Look{Kernel: s.Kernel},
			app.Div().Class("work").Body(
				&Lesson{Kernel: s.Kernel},
				&Guide{Kernel: s.Kernel},
				&ClassList{Kernel: s.Kernel},
				&Why{Kernel: s.Kernel},
				&Then{Kernel: s.Kernel},
				&Improve{Kernel: s.Kernel},
			),
		),
		&Footer{Kernel: s.Kernel},
	}
	if app.IsServer {
		page.Attr("inert", true) // Nobody can open a dialog yet.
	} else {
		parts = append(parts, &Dialogs{Kernel: s.Kernel})
	}
	return page.Body(parts...)
}

// drop takes folders, archives and projects that were dropped beside what takes files.
func (s *Studio) drop(_ app.Context, e app.Event) {
	if browser.IsTaken(e) {
		return
	}
	e.PreventDefault()
	if !broughtFolder(s.Kernel, e, "") {
		s.Kernel.Open(browser.DroppedFiles(e))
	}
}

// watching re-renders its component when parts of the kernel change.
type watching struct {
	ctx    app.Context
	cancel []func()
}

// closedPause is how long nothing must have changed until what lies in a closed dialog is
// drawn.
const closedPause = time.Second / 2

// watch starts to re-render the context's component after changes of the parts, and of
// the language. What lies in a dialog that is closed follows when it opens, or once nothing
// changes for a while.
func (w *watching) watch(ctx app.Context, s *kernel.Kernel, parts ...kernel.Watched) {
	draw := func() { ctx.Dispatch(nil) }
	later := time.AfterFunc(closedPause, draw)
	later.Stop()
	w.follow(ctx, draw, s.Language)
	w.follow(ctx, func() {
		if browser.InClosedDialog(ctx.JSSrc()) {
			later.Reset(closedPause)
		} else {
			draw()
		}
	}, parts...)
	w.cancel = append(w.cancel, browser.WhenOpened(ctx.JSSrc(), draw), func() { later.Stop() })
}

// follow starts to call changed after changes of the parts.
func (w *watching) follow(ctx app.Context, changed func(), parts ...kernel.Watched) {
	w.ctx = ctx
	for _, part := range parts {
		w.cancel = append(w.cancel, part.Watch(changed))
	}
}

// focus moves the keyboard's focus to an element once everything is drawn. A component
// that may go with what it does leaves that to one that stays.
func (w *watching) focus(id string) {
	w.ctx.Defer(func(app.Context) { browser.Focus(id) })
}

// OnDismount ends the watching.
func (w *watching) OnDismount() {
	for _, cancel := range w.cancel {
		cancel()
	}
	w.cancel = nil
}
