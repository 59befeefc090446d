package view

import (
	"fmt"
	"math"
	"slices"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/ui"
)

// drawStage shows the square that the network sees, the camera or a picture, or an invitation, and
// the controls of the camera. For sounds, it shows a spectrogram of the microphone and a level meter
// with the threshold.
func (s *Studio) drawStage() app.UI {
	t := &s.Kernel.Texts().Camera
	camera, picture := s.Kernel.Camera.State(), s.Kernel.Live.Shown.Picture()
	on, sounds := camera.Stage == kernel.CameraOn, s.Kernel.Project.OfSounds()
	view := s.Page.Decorated(app.Div().ID(ui.ViewID).DataSet("drop", t.Drop).Class("view", ui.When(s.over, "over")))
	seen := slices.Concat([]app.UI{
		app.If(sounds, app.Canvas().ID(browser.HeardID).Class("heard", ui.When(!on, "hidden")).Role("img").
			Aria("label", t.Sees)).Else(app.Video().ID(browser.VideoID).
			Class(ui.When(!on, "hidden"), ui.When(s.Kernel.Framing.Mirrored(camera.Device), "mirrored")).
			Muted(true).AutoPlay(true).Attr("playsinline", true).
			Aria("label", t.Sees)),
		shown(picture, t.Picture, sounds),
	}, s.Page.At(ui.Picture), []app.UI{
		app.If(!on && picture == nil, s.invitation()),
	}, s.Page.At(ui.Over), []app.UI{
		s.ring(),
	}, s.Page.At(ui.Front))
	stage := app.Div().Class("stage").Body(append([]app.UI{
		view.Body(seen...),
		s.caption(),
		app.If(sounds, s.loudness(on), app.Label().Class("level-note").For("threshold").Text(s.Kernel.Texts().Sound.Threshold)),
		s.controls(camera),
	}, s.Page.At(ui.Controls)...)...)
	return ui.DropTarget(stage, func(over bool) { s.over = over }, func(e app.Event) { drop(s.Kernel, e, s.show, s.Kernel.Showing()) })
}

func (s *Studio) drawInvitation() app.UI {
	t, guide, camera := &s.Kernel.Texts().Camera, &s.Kernel.Texts().Guide, s.Kernel.Camera.State()
	box := app.Div().Class("invitation")
	switch {
	case camera.Problem != nil:
		title, text := kernel.CameraTrouble(s.Kernel.Texts(), camera.Problem)
		return box.Class("problem").Role("alert").Body(app.Strong().Text(title), app.P().Text(text))
	case camera.Stage == kernel.CameraStarting:
		return box.Body(app.P().Text(t.Waiting))
	}
	icon, _ := inputs(s.Kernel)
	return box.Body(
		app.If(s.Kernel.Project.OfSounds() || s.Kernel.Project.Begun(), ui.Icon(icon)).Else(reel(guide.Things)),
		app.P().Text(t.Invitation),
	)
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

func (s *Studio) controls(camera kernel.CameraState) app.UI {
	t := &s.Kernel.Texts().Camera
	on := camera.Stage == kernel.CameraOn
	icon, accepts := inputs(s.Kernel)
	file := ui.IconImage
	if s.Kernel.Project.OfSounds() {
		file = ui.IconNote
	}
	class, text, press := "primary", t.Start, func() { s.Kernel.Camera.Start("") }
	if on {
		class, icon, text, press = "plain", ui.IconStop, t.Stop, s.Kernel.Camera.Stop
	}
	// The button keeps the focus while the camera starts, when clicks do nothing.
	start := app.Button().Type("button").ID("start").Class(class).
		Aria("busy", camera.Stage == kernel.CameraStarting).
		OnClick(ui.Do(press)).
		Body(ui.Icon(icon), app.Span().Text(text))
	if on {
		start.Title(t.Stop)
	}
	return app.Div().Class("controls", ui.When(on, "on")).Body(
		start,
		app.If(camera.Chosen(), app.Select().ID("cameras").Aria("label", t.Choose).OnChange(ui.Take(s.Kernel.Camera.Start)).Body(
			app.Range(camera.Devices).Slice(func(i int) app.UI {
				d := camera.Devices[i]
				return app.Option().Value(d.ID).Text(d.Name).Selected(d.ID == camera.Device.ID)
			}),
		)),
		app.If(camera.Turns(), ui.Sign("plain", "turn", ui.IconTurn, t.Turn).OnClick(ui.Do(s.Kernel.Camera.Turn))),
		app.If(!on, ui.File("plain", file, t.TestPicture,
			app.Input().ID("test-picture").Accept(accepts).Multiple(true).OnChange(ui.TakeFiles(s.show)))),
		app.If(!on, s.pager()),
		app.If(!s.Kernel.Project.OfSounds() && (on || s.Kernel.Live.Shown.Picture() != nil),
			app.Div().Class("camera-tools").Role("group").Aria("label", s.Kernel.Texts().Stage.Tools).
				Body(append(s.Page.At(ui.Tools), s.Page.At(ui.MoreTools)...)...)),
	)
}

// pager turns to the other pictures, if there are several.
func (s *Studio) pager() app.UI {
	t := &s.Kernel.Texts().Stage
	at, all := s.Kernel.Live.Shown.Place()
	turn := func(id, label string, by int) app.UI {
		return ui.Sign("plain", id, ui.IconChevron, label).OnClick(ui.Do(func() { s.Kernel.Live.Turn(by) }, by))
	}
	return app.If(all > 1, app.Div().Class("pager").Role("group").Aria("label", t.Pictures).Body(
		turn("previous-picture", t.Previous, -1),
		app.Span().Role("status").Text(t.Place(at+1, all)),
		turn("next-picture", t.Next, 1),
	))
}

func (s *Studio) loudness(on bool) app.UI {
	t := &s.Kernel.Texts().Sound
	threshold := kernel.DefaultThreshold
	if recorder := s.Kernel.Camera.Recorder(); recorder != nil {
		threshold = recorder.Threshold()
	}
	return app.Div().ID(browser.LevelID).Class("level", ui.When(!on, "off")).
		Title(t.ThresholdTitle).
		Body(
			app.Span().Class("loudness").Aria("hidden", true),
			ui.Range(app.Input().ID("threshold").
				Min(kernel.LowestThreshold).Max(kernel.HighestThreshold).Step(1).
				Aria("label", t.Threshold).
				OnInput(func(ctx app.Context, _ app.Event) {
					s.Kernel.Camera.Recorder().SetThreshold(ctx.JSSrc().Get("valueAsNumber").Float())
				}), math.Round(threshold)),
		)
}

func (s *Studio) show(files []kernel.File) { s.Kernel.ShowPictures(files...) }

// shown shows an image file or plays an audio file on the stage; it is hidden without a file.
func shown(file *kernel.File, label string, sound bool) app.UI {
	hidden := ui.When(file == nil, "hidden")
	if !sound {
		return &ui.Drawn{
			Element: app.Canvas().Class("picture", hidden).Aria("label", label), Value: file,
			Draw: func(canvas app.Value) {
				if file != nil {
					browser.DrawFile(canvas, file.Source)
				}
			},
		}
	}
	return &ui.Drawn{
		Element: app.Audio().Class("recording", hidden).Controls(true).Aria("label", label), Value: file,
		Draw: func(player app.Value) {
			if file == nil {
				browser.LoadFile(player, nil) // a hidden player would continue
				return
			}
			browser.LoadFile(player, file.Source)
		},
	}
}
