package view

import (
	"unicode/utf8"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/session"
)

// Shown is what a rule shows large on the stage, over what is seen there.
type Shown struct {
	app.Compo
	watching
	Session *session.Session
}

// OnMount starts to follow what happens.
func (s *Shown) OnMount(ctx app.Context) { s.watch(ctx, s.Session, s.Session.Then) }

// Render shows a text or a picture, or nothing.
func (s *Shown) Render() app.UI {
	row, shown := s.Session.Then.Shown()
	if !shown {
		return app.Div().Class("effect", "hidden")
	}
	if row.Picture != "" {
		return app.Div().Class("effect").Body(&MediumPicture{ID: row.Picture, Label: row.Label})
	}
	return app.Div().Class("effect", when(isWord(row.Show), "word")).Body(app.Span().Dir("auto").Text(row.Show))
}

// isWord reports whether a text is longer than an emoji, which may be of several
// characters.
func isWord(text string) bool {
	const longest = 4
	return utf8.RuneCountInString(text) > longest
}

// MediumPicture shows a picture of the person's that a rule names.
type MediumPicture struct {
	app.Compo
	ID    string
	Label string

	shown string // the id of what the element was given
}

// Render makes room for the picture.
func (m *MediumPicture) Render() app.UI { return app.Img().Class("medium").Alt(m.Label) }

// OnMount shows the picture for the first time.
func (m *MediumPicture) OnMount(ctx app.Context) { m.show(ctx) }

// OnUpdate shows another one.
func (m *MediumPicture) OnUpdate(ctx app.Context) { m.show(ctx) }

func (m *MediumPicture) show(ctx app.Context) {
	if m.ID != m.shown {
		m.shown = m.ID
		browser.ShowMedium(ctx.JSSrc(), m.ID)
	}
}
