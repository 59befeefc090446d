package ui

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/kernel"
)

// Follow returns a view for [Page.Show] that calls draw, and again after changes of the parts and of
// the language.
func Follow(k *kernel.Kernel, draw func() app.UI, parts ...kernel.Watched) func() app.UI {
	return WhileShown(func(bool) {}, k, draw, parts...)
}

// WhileShown is like Follow. It also calls shown when the view appears or disappears.
func WhileShown(shown func(bool), k *kernel.Kernel, draw func() app.UI, parts ...kernel.Watched) func() app.UI {
	drawing := &drawing{k, draw, parts, shown}
	return func() app.UI { return &follower{Drawing: drawing} }
}

type drawing struct {
	kernel *kernel.Kernel
	draw   func() app.UI
	parts  []kernel.Watched
	shown  func(bool)
}

type watching = Watching

// follower shows a drawing. Its place may get another one: a page skips views that are nil.
type follower struct {
	app.Compo
	watching
	Drawing *drawing
}

func (f *follower) Render() app.UI { return f.Drawing.draw() }

// OnMount starts to follow the parts.
func (f *follower) OnMount(ctx app.Context) {
	shown := f.Drawing.shown
	f.Watch(ctx, f.Drawing.kernel, f.Drawing.parts...)
	f.Also(func() { shown(false) })
	shown(true)
}

// OnUpdate follows the parts of another drawing.
func (f *follower) OnUpdate(ctx app.Context) {
	f.OnDismount()
	f.OnMount(ctx)
}
