package ui

import (
	"time"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/kernel"
)

// Watching re-renders its component when parts of the page's state change. Embed it under an
// unexported name: go-app copies exported fields on updates.
type Watching struct {
	ctx    app.Context
	cancel []func()
}

// closedPause is the time without changes after which a closed dialog is drawn again.
const closedPause = time.Second / 2

// Watch re-renders the context's component after changes of the parts and of the language. In a
// closed dialog, it waits until the dialog opens or the changes pause.
func (w *Watching) Watch(ctx app.Context, k *kernel.Kernel, parts ...kernel.Watched) {
	draw := func() { ctx.Dispatch(nil) }
	later := time.AfterFunc(closedPause, draw)
	later.Stop()
	w.Follow(ctx, draw, k.Language)
	w.Follow(ctx, func() {
		if ctx.JSSrc().Call("closest", "dialog:not([open])").Truthy() {
			later.Reset(closedPause)
		} else {
			draw()
		}
	}, parts...)
	w.Also(browser.WhenOpened(ctx.JSSrc(), draw))
	w.Also(func() { later.Stop() })
	draw() // they may have changed since the component was drawn
}

// Follow calls changed after changes of the parts.
func (w *Watching) Follow(ctx app.Context, changed func(), parts ...kernel.Watched) {
	w.ctx = ctx
	for _, part := range parts {
		w.Also(part.Watch(changed))
	}
}

// Also adds a function that ends with the watching.
func (w *Watching) Also(cancel func()) { w.cancel = append(w.cancel, cancel) }

// Focus moves the focus to an element after the next rendering. Components that may be removed by
// their action must not call it.
func (w *Watching) Focus(id string) {
	w.ctx.Defer(func(app.Context) { browser.Focus(id) })
}

// OnDismount ends the watching.
func (w *Watching) OnDismount() {
	for _, cancel := range w.cancel {
		cancel()
	}
	w.cancel = nil
}
