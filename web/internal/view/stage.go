package view

import (
	"fmt"
	"slices"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/ui"
)

// Stage shows the square that the network sees: the camera, or a picture.
type Stage struct {
	app.Compo
	watching
	Page *ui.Page
	over bool // a file is dragged over it
}

// Render shows the video, a picture or an invitation, and the controls of the camera.
func (s *Stage) Render() app.UI {
	t := &s.Kernel.Texts().Camera
	camera, picture := s.Kernel.Camera.State(), s.Kernel.Live.Shown.Picture()
	on, sounds := camera.Stage == kernel.CameraOn, s.Kernel.Project.OfSounds()
	view := s.Page.Decorated(app.Div().ID(ui.ViewID).DataSet("drop", t.Drop).Class("view", ui.When(s.over, "over")))
	seen := slices.Concat([]app.UI{
		app.If(sounds, spectrogram(s.Kernel.Texts(), on)).Else(app.Video().ID(browser.VideoID).
			Class(ui.When(!on, "hidden"), ui.When(s.Kernel.Framing.Mirrored(camera.Device), "mirrored")).
			Muted(true).AutoPlay(true).Attr("playsinline", true).
			Aria("label", t.Sees)),
		app.If(sounds, &Recording{File: picture, Label: t.Picture}).Else(&Picture{File: picture, Label: t.Picture}),
	}, s.Page.At(ui.Picture), []app.UI{
		app.If(!on && picture == nil, s.invitation(camera)),
	}, s.Page.At(ui.Over), []app.UI{
		&Ring{Kernel: s.Kernel},
	}, s.Page.At(ui.Front))
	return app.Div().Class("stage").
		On("dragover", s.dragOver).On("dragleave", s.dragLeave).On("drop", s.drop).
		Body(append([]app.UI{
			view.Body(seen...),
			&Caption{watching: ui.Watches(s.Kernel, s.Kernel.Live, s.Kernel.Classes)},
			app.If(sounds, s.loudness(on)),
			s.controls(camera),
		}, s.Page.At(ui.Controls)...)...)
}

// invitation fills the empty stage.
func (s *Stage) invitation(camera kernel.CameraState) app.UI {
	t, guide := &s.Kernel.Texts().Camera, &s.Kernel.Texts().Guide
	box := app.Div().Class("invitation")
	switch {
	case camera.Problem != nil:
		return box.Class("problem").Role("alert").Body(
			app.Strong().Text(camera.Problem.Title),
			app.P().Text(camera.Problem.Text),
		)
	case camera.Stage == kernel.CameraStarting:
		return box.Body(app.P().Text(t.Waiting))
	default:
		sign, _ := inputs(s.Kernel)
		return box.Body(
			app.If(s.Kernel.Project.OfSounds(), ui.Icon(sign)).Else(reel(guide.Things)),
			app.P().Text(t.Invitation),
		)
	}
}

// reel shows in turn pictures that are recognized. The names of things are by language.
func reel(names map[string]string) app.UI {
	var things []app.UI
	for i, thing := range []string{"apple", "banana", "cat"} {
		things = append(things, app.Li().Class(fmt.Sprint("hue-", i)).Body(
			app.Img().Src("./web/demo/"+thing+"-4.jpg").Alt("").Width(400).Height(400).Attr("fetchpriority", "low"),
			app.Span().Text(names[thing]),
		))
	}
	return app.Ul().Class("reel").Aria("hidden", true).Body(things...)
}

func (s *Stage) controls(camera kernel.CameraState) app.UI {
	t := &s.Kernel.Texts().Camera
	on := camera.Stage == kernel.CameraOn
	sign, accepts := inputs(s.Kernel)
	// The button keeps the focus while the camera starts, when clicks do nothing.
	start := app.Button().Type("button").ID("start").Class("primary").
		Aria("busy", camera.Stage == kernel.CameraStarting).
		OnClick(s.start).
		Body(ui.Icon(sign), app.Span().Text(t.Start))
	if on {
		start = app.Button().Type("button").ID("start").Class("plain").
			Aria("busy", false).Title(t.Stop).
			OnClick(s.stop).
			Body(ui.Icon(ui.IconStop), app.Span().Text(t.Stop))
	}
	return app.Div().Class("controls", ui.When(on, "on")).Body(
		start,
		app.If(camera.Chosen(), app.Select().ID("cameras").Aria("label", t.Choose).OnChange(s.choose).Body(
			app.Range(camera.Devices).Slice(func(i int) app.UI {
				d := camera.Devices[i]
				return app.Option().Value(d.ID).Text(d.Name).Selected(d.ID == camera.Device.ID)
			}),
		)),
		app.If(camera.Turns(), app.Button().Type("button").ID("turn").Class("plain").
			Aria("label", t.Turn).Title(t.Turn).OnClick(s.turn).Body(ui.Icon(ui.IconTurn))),
		app.If(!on, app.Label().Class("file plain").Body(
			ui.Icon(ui.IconImage), app.Text(t.TestPicture),
			app.Input().Type("file").ID("test-picture").Accept(accepts).Multiple(true).OnChange(s.picked),
		)),
		app.If(!on, s.pager()),
		app.If(!s.Kernel.Project.OfSounds() && (on || s.Kernel.Live.Shown.Picture() != nil), s.tools()),
	)
}

// pager turns to the other pictures, if there are several.
func (s *Stage) pager() app.UI {
	t := &s.Kernel.Texts().Stage
	at, all := s.Kernel.Live.Shown.Place()
	turn := func(id, label string, by int) app.UI {
		return app.Button().Type("button").ID(id).Class("plain").Aria("label", label).Title(label).
			OnClick(func(app.Context, app.Event) { s.Kernel.Live.Turn(by) }).Body(ui.Icon(ui.IconChevron))
	}
	return app.If(all > 1, app.Div().Class("pager").Role("group").Aria("label", t.Pictures).Body(
		turn("previous-picture", t.Previous, -1),
		app.Span().Role("status").Text(t.Place(at+1, all)),
		turn("next-picture", t.Next, 1),
	))
}

// tools shows the small buttons of features.
func (s *Stage) tools() app.UI {
	t := &s.Kernel.Texts().Stage
	return app.Div().Class("camera-tools").Role("group").Aria("label", t.Tools).Body(slices.Concat(s.Page.At(ui.Tools), s.Page.At(ui.MoreTools))...)
}

func (s *Stage) start(app.Context, app.Event) { s.Kernel.Camera.Start("") }

func (s *Stage) turn(app.Context, app.Event) { s.Kernel.Camera.Turn() }

func (s *Stage) stop(app.Context, app.Event) { s.Kernel.Camera.Stop() }

func (s *Stage) choose(ctx app.Context, _ app.Event) {
	s.Kernel.Camera.Start(ctx.JSSrc().Get("value").String())
}

func (s *Stage) picked(ctx app.Context, _ app.Event) { s.show(browser.ChosenFiles(ctx.JSSrc())) }

func (s *Stage) dragOver(_ app.Context, e app.Event) {
	e.PreventDefault() // allows the drop
	s.over = true
}

func (s *Stage) dragLeave(app.Context, app.Event) { s.over = false }

func (s *Stage) drop(_ app.Context, e app.Event) {
	e.PreventDefault()
	s.over = false
	if !broughtFolder(s.Kernel, e, "") {
		s.show(browser.DroppedFiles(e))
	}
}

func (s *Stage) show(files []kernel.File) {
	s.Kernel.ShowPictures(files...)
}

// Picture shows an image file on the stage; it is hidden while File is nil.
type Picture struct {
	app.Compo
	File  *kernel.File
	Label string
}

// Render makes room for the picture.
func (p *Picture) Render() app.UI {
	return app.Canvas().Class("picture", ui.When(p.File == nil, "hidden")).Aria("label", p.Label)
}

// OnMount draws the image.
func (p *Picture) OnMount(ctx app.Context) { p.draw(ctx) }

// OnUpdate draws another image.
func (p *Picture) OnUpdate(ctx app.Context) { p.draw(ctx) }

func (p *Picture) draw(ctx app.Context) {
	if p.File != nil {
		browser.DrawFile(ctx.JSSrc(), p.File.Source)
	}
}
