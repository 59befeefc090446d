package view

import (
	"time"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/kernel"
)

// settled is the time without changes after which something is announced.
const settled = 700 * time.Millisecond

// Spoken announces the answer to screen readers once it has settled: the class or that the picture
// is unknown, without the probability, which changes with every frame. It announces the answer for
// another picture even if it is the same. It also announces numbers of examples that have changed.
type Spoken struct {
	app.Compo
	watching
	Kernel *kernel.Kernel

	picture  *kernel.File // that the answer is for; nil for the camera
	answer   string       // the latest
	said     string
	settling *time.Timer

	classes  []kernel.Class // when they had settled last
	counted  string
	counting *time.Timer
}

// OnMount starts to follow the answers.
func (s *Spoken) OnMount(ctx app.Context) {
	s.settling = time.AfterFunc(settled, func() {
		ctx.Dispatch(func(app.Context) { s.said = s.answer })
	})
	s.counting = time.AfterFunc(settled, func() { ctx.Dispatch(func(app.Context) { s.count() }) })
	s.Also(func() { s.settling.Stop(); s.counting.Stop() })
	s.Follow(ctx, func() { s.counting.Reset(settled) }, s.Kernel.Classes)
	s.Follow(ctx, func() { ctx.Defer(s.follow) }, s.Kernel.Live, s.Kernel.Classes, s.Kernel.Language)
}

// follow waits for the latest answer to settle.
func (s *Spoken) follow(ctx app.Context) {
	picture, answer := s.Kernel.Live.Shown.Picture(), s.latest()
	if picture == s.picture && answer == s.answer {
		return
	}
	if picture != s.picture && s.said != "" {
		s.said = ""
		ctx.Dispatch(nil)
	}
	s.picture, s.answer = picture, answer
	s.settling.Reset(settled)
}

// latest returns the latest answer in words, or "".
func (s *Spoken) latest() string {
	t, answer := s.Kernel.Texts(), s.Kernel.Live.State().Answer
	if answer.Unknown() {
		return t.Improve.Unknown + ". " + note(t, answer)
	}
	class, _ := s.Kernel.Classes.Find(answer.Best())
	return class.Label
}

// count announces numbers of examples, unless some are on their way.
func (s *Spoken) count() {
	now := append(s.Kernel.Classes.List(), s.Kernel.Classes.Nothing()...)
	for _, class := range now {
		if class.Waiting > 0 {
			return
		}
	}
	s.counted, s.classes = counted(s.Kernel.Texts(), s.classes, now), now
}

// Render draws the regions, which must exist before their texts change.
func (s *Spoken) Render() app.UI {
	return app.Div().Class("said").Body(
		app.P().Role("status").Text(s.said),
		app.P().Role("status").Text(s.counted),
	)
}
