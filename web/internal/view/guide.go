package view

import (
	"path"
	"slices"
	"time"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/ui"
)

// Guide tells newcomers in three steps how the page works, until they put it away or have
// taught two classes: then it goes by itself, once nobody has taught or pressed anything
// for a moment, so that the classes do not move under a finger. Whoever tries the page with the pictures
// that come with it finds these to choose from in its place.
type Guide struct {
	app.Compo
	watching
	Kernel  *kernel.Kernel
	Page    *ui.Page
	read    bool // it is not shown on the next visit
	leaving *time.Timer
}

// OnMount starts to follow what was taught.
func (g *Guide) OnMount(ctx app.Context) {
	g.Watch(ctx, g.Kernel, g.Kernel.Classes, g.Kernel.Capture, g.Kernel.Demo, g.Kernel.Live.Shown)
}

// Render shows the steps or the pictures to try.
func (g *Guide) Render() app.UI {
	if tries := g.Kernel.Demo.Tries(); len(tries) > 0 {
		return g.tries(tries)
	}
	taught, busy := 0, g.Kernel.Capture.Held() != ""
	for _, c := range g.Kernel.Classes.List() {
		if len(c.Examples) > 0 {
			taught++
		}
		busy = busy || c.Waiting > 0
	}
	if taught > 1 && !g.read {
		g.read = true
		browser.GuideRead()
	}
	g.leave(taught > 1 && !busy)
	return g.steps(taught == 0)
}

// guideLasts is how long the guide stays after the last thing that was done.
const guideLasts = 2 * time.Second

// leave has the guide go in a moment, or not.
func (g *Guide) leave(soon bool) {
	if g.leaving != nil {
		g.leaving.Stop()
		g.leaving = nil
	}
	if !soon {
		return
	}
	g.leaving = time.AfterFunc(guideLasts, func() {
		if browser.Pressed() {
			g.leave(true)
			return
		}
		browser.FoldGuide(ui.WorkID)
	})
}

// OnDismount ends the following.
func (g *Guide) OnDismount() {
	g.watching.OnDismount()
	g.leave(false)
}

// steps says how it goes. Who has put it away is not shown it for a moment
// either: that is up to the style sheet and the page's first script.
func (g *Guide) steps(fresh bool) app.UI {
	t := &g.Kernel.Texts().Guide
	var steps []app.UI
	for _, text := range []string{t.Show, t.Hold, t.Read} {
		steps = append(steps, app.Li().Text(text))
	}
	offers := slices.Concat([]app.UI{
		app.If(!g.Kernel.Project.OfSounds(), app.Button().Type("button").Class("plain").ID("demo").OnClick(g.demo).Body(ui.Icon(ui.IconImage), app.Text(t.Demo))),
	}, g.Page.At(ui.Offers), []app.UI{
		app.Button().Type("button").Class("quiet").ID("guide-done").Text(t.Done).OnClick(g.done),
	})
	return app.Section().Class("guide", "steps", ui.When(fresh, "fresh")).Aria("label", t.Label).Body(
		app.Ol().Body(steps...),
		app.Div().Class("offers").Body(offers...),
	)
}

// tries lets a person choose one of the pictures to try.
func (g *Guide) tries(files []kernel.File) app.UI {
	t := &g.Kernel.Texts().Guide
	shown := g.Kernel.Live.Shown.Picture()
	var buttons []app.UI
	for i, file := range files {
		buttons = append(buttons, app.Li().Body(
			app.Button().Type("button").Class("try").
				Aria("label", t.Try(i+1)).
				Aria("pressed", shown != nil && shown.Name == file.Name).
				DataSet("picture", path.Base(file.Name)).
				OnClick(g.try).
				Body(app.Img().Src(file.Name).Alt("").Width(64).Height(64)),
		))
	}
	return app.Section().Class("guide tries").Aria("label", t.Tries).Body(
		app.P().Text(t.Tries),
		app.Ul().Body(buttons...),
	)
}

func (g *Guide) demo(app.Context, app.Event) { browser.ShowDemo(g.Kernel) }

func (g *Guide) done(app.Context, app.Event) { browser.HideGuide() }

func (g *Guide) try(ctx app.Context, _ app.Event) {
	name := ctx.JSSrc().Get("dataset").Get("picture").String()
	for _, file := range g.Kernel.Demo.Tries() {
		if path.Base(file.Name) == name {
			g.Kernel.ShowPicture(file)
		}
	}
}
