package view

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/session"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// Thumbnail shows one example as the network saw it, pixel by pixel. A click on a picture
// brings up the button that deletes it, where a mouse that hovers does not; one on a sound
// plays it.
type Thumbnail struct {
	app.Compo
	List       *Examples
	Session    *session.Session
	Texts      *texts.Texts
	ExampleID  string
	ClassLabel string
	Stop       bool // the Tab key stops here

	drawn string // the example whose pixels are shown
}

// Render makes room for the pixels, and a button to delete the example. What has the focus
// is the button, or the sound.
func (t *Thumbnail) Render() app.UI {
	stop := -1
	if t.Stop {
		stop = 0
	}
	picture, sounds := app.Img().Alt("").Draggable(false), t.Session.Project.OfSounds()
	remove := app.Button().Type("button").Aria("label", t.Texts.Class.Thumbnail(t.ClassLabel)).Title(t.Texts.Class.ThumbTitle).
		OnClick(t.remove) // the style sheet draws its sign, where it is wanted
	if sounds {
		play := t.Texts.Sound.Play(t.ClassLabel)
		picture = picture.ID(thumbnailID(t.ExampleID)).TabIndex(stop).
			Role("button").Aria("label", play).Title(play).OnClick(t.play).OnKeyDown(t.playByKey)
		remove = remove.TabIndex(-1)
	} else {
		picture = picture.OnClick(t.choose)
		remove = remove.ID(thumbnailID(t.ExampleID)).TabIndex(stop)
	}
	return app.Li().Class("thumbnail", when(sounds, "sound")).DataSet("example", t.ExampleID).Body(picture, remove)
}

// thumbnailID is the id of what has the focus of an example.
func thumbnailID(exampleID string) string { return "thumbnail-" + exampleID }

// OnMount draws the example for the first time.
func (t *Thumbnail) OnMount(ctx app.Context) { t.draw(ctx) }

// OnUpdate draws the example that has taken the place of another.
func (t *Thumbnail) OnUpdate(ctx app.Context) {
	if t.drawn != t.ExampleID {
		t.draw(ctx)
	}
}

func (t *Thumbnail) draw(ctx app.Context) {
	t.drawn = t.ExampleID
	browser.ShowExample(ctx.JSSrc().Get("firstElementChild"), t.ExampleID)
}

func (t *Thumbnail) choose(app.Context, app.Event) { browser.Focus(thumbnailID(t.ExampleID)) }

func (t *Thumbnail) play(app.Context, app.Event) { browser.PlayExample(t.ExampleID) }

func (t *Thumbnail) playByKey(_ app.Context, e app.Event) {
	if holds(e) {
		e.PreventDefault()
		browser.PlayExample(t.ExampleID)
	}
}

// remove forgets the example. Under a finger or a mouse nothing else is chosen by that: who
// taps twice deletes one.
func (t *Thumbnail) remove(_ app.Context, e app.Event) {
	if e.Get("detail").Int() == 0 { // by a key
		t.List.remove(t.ExampleID)
		return
	}
	t.Session.Classes.RemoveExample(t.ExampleID)
	browser.Focus(examplesID(t.List.Class.ID))
}
