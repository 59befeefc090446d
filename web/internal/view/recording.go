package view

import (
	"math"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/texts"
	"github.com/deepemd/deepemd/web/internal/ui"
)

// Recording plays an audio file; it is hidden while File is nil.
type Recording struct {
	app.Compo
	File  *kernel.File
	Label string

	shown *kernel.File // the player's file
}

// Render shows the player.
func (r *Recording) Render() app.UI {
	return app.Audio().Class("recording", ui.When(r.File == nil, "hidden")).Controls(true).Aria("label", r.Label)
}

// OnMount loads the file.
func (r *Recording) OnMount(ctx app.Context) { r.play(ctx) }

// OnUpdate loads the file if it has changed.
func (r *Recording) OnUpdate(ctx app.Context) { r.play(ctx) }

func (r *Recording) play(ctx app.Context) {
	if r.File != nil && r.File != r.shown {
		r.shown = r.File
		browser.LoadFile(ctx.JSSrc(), r.File.Source)
	}
}

// For sounds, the stage shows a spectrogram of the microphone instead of a video, and a level meter
// with the threshold.

// spectrogram returns the canvas that the page's microphone draws on.
func spectrogram(t *texts.Texts, on bool) app.UI {
	return app.Canvas().ID(browser.HeardID).Class("heard", ui.When(!on, "hidden")).Role("img").Aria("label", t.Camera.Sees)
}

// loudness shows the level meter and the threshold.
func (s *Stage) loudness(on bool) app.UI {
	t := &s.Kernel.Texts().Sound
	threshold := kernel.DefaultThreshold
	if recorder := s.Kernel.Camera.Recorder(); recorder != nil {
		threshold = recorder.Threshold()
	}
	return app.Div().ID(browser.LevelID).Class("level", ui.When(!on, "off")).
		Title(t.ThresholdTitle).
		Body(
			app.Span().Class("loudness").Aria("hidden", true),
			app.Input().Type("range").ID("threshold").
				Min(kernel.LowestThreshold).Max(kernel.HighestThreshold).Step(1).
				Value(math.Round(threshold)).
				Aria("label", t.Threshold).
				OnInput(s.threshold),
		)
}

func (s *Stage) threshold(ctx app.Context, _ app.Event) {
	s.Kernel.Camera.Recorder().SetThreshold(ctx.JSSrc().Get("valueAsNumber").Float())
}
