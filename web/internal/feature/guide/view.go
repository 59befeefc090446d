// Package guide is the feature that shows newcomers how the page works, in three steps and with
// pictures that come with the page.
package guide

import (
	"fmt"
	"path"
	"slices"
	"time"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/ui"
)

// Add adds the feature to a page.
func Add(k *kernel.Kernel, page *ui.Page) {
	g := &guide{kernel: k, page: page, demo: &Demo{K: k}}
	g.arrival = ui.WhileShown(g.arrived, k, func() app.UI { return app.P().Text(k.Texts().Guide.Tries) })
	shown := func(shown bool) {
		if !shown {
			g.leave(false)
		}
	}
	page.Show(ui.Above, ui.WhileShown(shown, k, g.view, k.Classes, k.Capture, k.Camera, g.demo, k.Live.Shown))
}

// guide explains the page in three steps. It disappears when the user closes it or has taught two
// classes, but only once nothing is taught or pressed for a moment: the classes must not move
// under a finger. While the demo is open, it shows the pictures to try instead.
type guide struct {
	kernel  *kernel.Kernel
	page    *ui.Page
	demo    *Demo
	read    bool // it is not shown on the next visit
	asked   bool // for the demo, since its pictures were shown last
	leaving *time.Timer
	arrival func() app.UI // the text above the pictures to try
}

// view shows the steps or the pictures to try.
func (g *guide) view() app.UI {
	if tries := g.demo.Tries(); len(tries) > 0 {
		return g.tries(tries)
	}
	taught, busy := 0, g.kernel.Capture.Class() != ""
	for _, c := range g.kernel.Classes.List() {
		if len(c.Examples) > 0 {
			taught++
		}
		busy = busy || c.Waiting > 0
	}
	if taught > 1 && !g.read {
		g.read = true
		browser.Preferences.Call("guideRead") // hides the guide in later visits
	}
	g.leave(taught > 1 && !busy)
	return g.steps(taught)
}

// guideLasts is the time that the guide stays after the latest action.
const guideLasts = 2 * time.Second

// leave hides the guide in a moment, or cancels that.
func (g *guide) leave(soon bool) {
	if g.leaving != nil {
		g.leaving.Stop()
		g.leaving = nil
	}
	if !soon {
		return
	}
	g.leaving = time.AfterFunc(guideLasts, func() {
		if browser.Document.Call("querySelector", ":active").Truthy() { // a mouse or a finger presses something
			g.leave(true)
			return
		}
		fold()
	})
}

// foldingLasts is the duration of the style sheet's transition.
const foldingLasts = 400 * time.Millisecond

// fold hides the guide forever, with a transition, and moves the focus from it to the classes.
func fold() {
	kept := browser.Document.Get("documentElement").Get("dataset")
	if kept.Get("guide").String() == "done" {
		return
	}
	if browser.Document.Get("activeElement").Call("closest", ".guide.steps").Truthy() {
		browser.Focus(ui.WorkID)
	}
	kept.Set("guide", "leaving")
	time.AfterFunc(foldingLasts, hide)
}

func hide() { browser.Preferences.Call("hideGuide") }

// steps shows the steps, and ticks the completed ones; taught is the number of classes with
// examples. The style sheet and the page's first script hide them immediately if the user has
// closed the guide.
func (g *guide) steps(taught int) app.UI {
	t := &g.kernel.Texts().Guide
	on := g.kernel.Camera.State().Stage == kernel.CameraOn
	ask := func() { g.asked = true; go g.demo.Fetch(file) }
	finish := func() { browser.Focus(ui.WorkID); hide() } // before the focused element disappears
	step := func(text string, done bool) app.UI {
		return app.Li().Class(ui.When(done, "done")).Body(app.If(done, ui.Icon(ui.IconTick)), app.Span().Text(text))
	}
	steps := []app.UI{step(t.Show, on || taught > 0), step(t.Hold, taught > 0), step(t.Read, taught > 1)}
	offers := slices.Concat([]app.UI{
		app.If(!g.kernel.Project.OfSounds(), ui.Button("primary", "demo", ui.IconImage, t.Demo).OnClick(ui.Do(ask))),
	}, g.page.At(ui.Offers), []app.UI{
		ui.Button("quiet", "guide-done", "", t.Done).OnClick(ui.Do(finish)),
	})
	return app.Section().Class("guide", "steps", ui.When(taught == 0, "fresh")).Aria("label", t.Label).Body(
		app.Ol().Body(steps...),
		app.Div().Class("offers").Body(offers...),
	)
}

func tryID(i int) string { return fmt.Sprint("try-", i+1) }

// arrived moves the focus from the removed button of the demo to the first picture to try.
func (g *guide) arrived(shown bool) {
	if shown && g.asked && browser.Document.Get("activeElement").Equal(browser.Document.Get("body")) {
		browser.Focus(tryID(0))
	}
	g.asked = false
}

func (g *guide) tries(files []kernel.File) app.UI {
	t := &g.kernel.Texts().Guide
	shown := g.kernel.Live.Shown.Picture()
	var buttons []app.UI
	for i, file := range files {
		buttons = append(buttons, app.Li().Body(
			app.Button().Type("button").ID(tryID(i)).Class("try").
				Aria("label", t.Try(i+1)).
				Aria("pressed", shown != nil && shown.Name == file.Name).
				DataSet("picture", path.Base(file.Name)).
				OnClick(ui.Do(func() { g.kernel.ShowPictures(file) }, file.Name)).
				Body(app.Img().Src(file.Name).Alt("").Width(64).Height(64)),
		))
	}
	return app.Section().Class("guide tries").Aria("label", t.Tries).Body(
		g.arrival(),
		app.Ul().Body(buttons...),
	)
}
