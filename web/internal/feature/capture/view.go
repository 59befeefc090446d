package capture

import (
	"fmt"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/ui"
)

// Add adds the feature to a page.
func Add(k *kernel.Kernel, page *ui.Page) {
	if k.Project.OfSounds() {
		return
	}
	c := New(k)
	c.connect()
	whileOn := func(view func() app.UI) func() app.UI {
		return func() app.UI {
			if k.Camera.State().Stage != kernel.CameraOn {
				return nil
			}
			return view()
		}
	}
	page.Show(ui.Tools, whileOn(c.button))
	page.Show(ui.MoreTools, whileOn(ui.Follow(k, c.emptyScene, k.Capture)))
	page.Show(ui.Front, ui.Follow(k, c.progress, c, k.Capture))
	page.Dialog(dialogID, ui.Follow(k, c.dialog, c))
}

func (c *Capture) button() app.UI {
	t := &c.K.Texts().Stage
	return ui.Tool("open-recording", ui.IconTimer, t.Recording, t.Recording, t.Recording).Aria("haspopup", "dialog").OnClick(ui.Opens(dialogID))
}

// progress shows and announces the start, the remaining time and the result of a recording, over
// the picture: large seconds before a recording, and small ones during it.
func (c *Capture) progress() app.UI {
	t, state := &c.K.Texts().Stage, c.State()
	class := c.class(state.ClassID)
	said, shown := "", ""
	switch {
	case state.Countdown > 0:
		said = t.BeginsIn(class.Label, state.Whole) // once, not every second
	case state.Left > 0:
		said = t.Records(class.Label)
		shown = said + " · " + t.Seconds(state.Left)
	case state.Recorded != nil:
		class = c.class(state.Recorded.ClassID)
		said = t.Recorded(class.Label, state.Recorded.Examples)
		shown = said
	}
	return app.Div().Class("countdown", ui.Hue(class)).Body(
		app.If(state.Countdown > 0, app.P().Class("seconds").Aria("hidden", true).Text(fmt.Sprint(state.Countdown))),
		app.If(shown != "", app.P().Class("chip", ui.When(state.Left > 0, "live")).Aria("hidden", true).Text(shown)),
		app.P().Class("said").Role("status").Text(said),
	)
}

// class returns a class; a zero class if the class of nothing has no examples yet.
func (c *Capture) class(id string) kernel.Class {
	class, _ := c.K.Classes.Find(id)
	return class
}

// emptyScene returns the button that records the empty scene.
func (c *Capture) emptyScene() app.UI {
	t := &c.K.Texts().Stage
	return ui.Tool("empty-scene", ui.IconEmpty, t.EmptyShort, t.Empty, t.EmptyTitle).
		Aria("pressed", c.class(c.K.Capture.Class()).Nothing).OnClick(ui.Do(c.RecordEmpty))
}
