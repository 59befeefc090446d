package view

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/texts"
	"github.com/deepemd/deepemd/web/internal/ui"
)

// drawCaption names the most probable class in large letters, with its probability. Before the
// first answer it suggests the next step of teaching.
func (s *Studio) drawCaption() app.UI {
	t, answer := s.Kernel.Texts(), s.Kernel.Live.State().Answer
	class, known := s.verdict()
	switch {
	case known:
		p, _ := answer.Of(class.ID)
		return app.P().Class("caption", ui.Hue(class)).Body(
			app.Span().Attr("dir", "auto").Text(class.Label),
			app.Span().Class("percent").Text(t.Percent(p)),
		)
	case answer.Unknown():
		return app.P().Class("caption", "stranger").Body(app.Span().Text(t.Improve.Unknown))
	}
	return app.P().Class("caption", "hint").Text(hint(t, s.Kernel.Classes.List()))
}

// drawRing frames the stage in the color of the most probable class, or in gray for something
// unknown.
func (s *Studio) drawRing() app.UI {
	answer, color := s.Kernel.Live.State().Answer, "hidden"
	if class, known := s.verdict(); known {
		color = ui.Hue(class)
	} else if answer.Unknown() {
		color = "stranger"
	}
	return app.Div().Class("ring", color)
}

// verdict returns the class that the latest answer names, if it names one.
func (s *Studio) verdict() (kernel.Class, bool) {
	answer := s.Kernel.Live.State().Answer
	if answer.Unknown() {
		return kernel.Class{}, false
	}
	return s.Kernel.Classes.Find(answer.Best())
}

// hint suggests the next step of teaching, if any.
func hint(t *texts.Texts, classes []kernel.Class) string {
	var taught int
	for _, c := range classes {
		if len(c.Examples) > 0 {
			taught++
		}
	}
	switch taught {
	case 0:
		return t.Answer.TeachFirst
	case 1:
		return t.Answer.TeachMore
	}
	return ""
}
