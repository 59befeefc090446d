package view

import (
	"math"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/session"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// On a page of sounds the stage shows what the microphone hears instead of a video, and
// beneath it how loud that is, with the threshold above which it counts.

// spectrogram shows what the microphone hears: the page's microphone draws on it.
func spectrogram(t *texts.Camera, on bool) app.UI {
	return app.Canvas().ID(browser.HeardID).Class("heard", when(!on, "hidden")).Role("img").Aria("label", t.Sees)
}

// loudness is the meter and the threshold.
func (s *Stage) loudness(on bool) app.UI {
	t := &s.Session.Texts().Sound
	threshold := s.Session.Camera.Threshold()
	return app.Div().ID(browser.LevelID).Class("level", when(!on, "off")).
		Title(t.ThresholdTitle).
		Body(
			app.Span().Class("loudness").Aria("hidden", true),
			app.Input().Type("range").ID("threshold").
				Min(session.LowestThreshold).Max(session.HighestThreshold).Step(1).
				Value(math.Round(threshold)).
				Aria("label", t.Threshold).
				OnInput(s.threshold),
		)
}

func (s *Stage) threshold(ctx app.Context, _ app.Event) {
	s.Session.Camera.SetThreshold(ctx.JSSrc().Get("valueAsNumber").Float())
}
