package view

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/session"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// Thumbnail shows one example as the network saw it, pixel by pixel.
type Thumbnail struct {
	app.Compo
	Session    *session.Session
	Texts      *texts.Texts
	ExampleID  string
	ClassLabel string
}

// Render makes room for the pixels, and a button to delete the example.
func (t *Thumbnail) Render() app.UI {
	canvas, sounds := app.Canvas(), t.Session.Project.OfSounds()
	if sounds {
		play := t.Texts.Sound.Play(t.ClassLabel)
		canvas = canvas.Role("button").Aria("label", play).Title(play).TabIndex(0).OnClick(t.play).OnKeyDown(t.playByKey)
	}
	return app.Li().Class("thumbnail", when(sounds, "sound")).DataSet("example", t.ExampleID).Body(
		canvas,
		app.Button().Type("button").Aria("label", t.Texts.Class.Thumbnail(t.ClassLabel)).Title(t.Texts.Class.ThumbTitle).
			OnClick(t.remove).Body(icon(iconClose)),
	)
}

// OnMount draws the example for the first time.
func (t *Thumbnail) OnMount(ctx app.Context) { t.draw(ctx) }

// OnUpdate draws the example that has taken the place of another.
func (t *Thumbnail) OnUpdate(ctx app.Context) { t.draw(ctx) }

func (t *Thumbnail) draw(ctx app.Context) {
	browser.DrawExample(ctx.JSSrc().Get("firstElementChild"), t.ExampleID)
}

func (t *Thumbnail) play(app.Context, app.Event) { browser.PlayExample(t.ExampleID) }

func (t *Thumbnail) playByKey(_ app.Context, e app.Event) {
	if holds(e) {
		e.PreventDefault()
		browser.PlayExample(t.ExampleID)
	}
}

func (t *Thumbnail) remove(app.Context, app.Event) { t.Session.Classes.RemoveExample(t.ExampleID) }
