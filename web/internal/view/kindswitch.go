package view

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/session"
)

// KindSwitch goes over between pictures and sounds.
type KindSwitch struct {
	app.Compo
	watching
	Session *session.Session
}

// OnMount starts to follow the language.
func (k *KindSwitch) OnMount(ctx app.Context) { k.watch(ctx, k.Session) }

// Render shows both kinds, the one of the page pressed.
func (k *KindSwitch) Render() app.UI {
	t, sounds := &k.Session.Texts().Sound, k.Session.Project.OfSounds()
	return app.Div().Class("kind").Role("group").Aria("label", t.Kind).Body(
		app.Button().Type("button").ID("see").Class(when(!sounds, "chosen")).Aria("pressed", !sounds).Aria("label", t.Pictures).
			Title(t.Pictures).OnClick(k.see).Body(icon(iconCamera), app.Span().Text(t.Pictures)),
		app.Button().Type("button").ID("hear").Class(when(sounds, "chosen")).Aria("pressed", sounds).Aria("label", t.Sounds).
			Title(t.Sounds).OnClick(k.hear).Body(icon(iconMicrophone), app.Span().Text(t.Sounds)),
	)
}

func (k *KindSwitch) see(app.Context, app.Event)  { browser.GoTo(project.KindImage) }
func (k *KindSwitch) hear(app.Context, app.Event) { browser.GoTo(project.KindSound) }
