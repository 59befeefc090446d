package view

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/session"
)

// Recording plays a file that is classified; nothing while File is nil.
type Recording struct {
	app.Compo
	File  *session.File
	Label string

	shown *session.File // what the player was given
}

// Render makes room for the player.
func (r *Recording) Render() app.UI {
	return app.Audio().Class("recording", when(r.File == nil, "hidden")).Controls(true).Aria("label", r.Label)
}

// OnMount gives the player its first file.
func (r *Recording) OnMount(ctx app.Context) { r.play(ctx) }

// OnUpdate gives it another.
func (r *Recording) OnUpdate(ctx app.Context) { r.play(ctx) }

func (r *Recording) play(ctx app.Context) {
	if r.File != nil && r.File != r.shown {
		r.shown = r.File
		browser.PlayFile(ctx.JSSrc(), r.File.Source)
	}
}
