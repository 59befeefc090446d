package view

import (
	"slices"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/kernel"
)

// dialogs are the page's, by their ids.
var dialogs = map[string]func(*kernel.Kernel) app.UI{
	SettingsID:   func(s *kernel.Kernel) app.UI { return &Settings{Kernel: s} },
	RecordingID:  func(s *kernel.Kernel) app.UI { return &RecordingSettings{Kernel: s} },
	ComparisonID: func(s *kernel.Kernel) app.UI { return &Comparison{Kernel: s} },
	ProjectsID:   func(s *kernel.Kernel) app.UI { return &Projects{Kernel: s} },
	LessonsID:    func(s *kernel.Kernel) app.UI { return &Lessons{Kernel: s} },
	EmbeddingID:  func(s *kernel.Kernel) app.UI { return &Embedding{Kernel: s} },
	PrivacyID:    func(s *kernel.Kernel) app.UI { return &Privacy{Kernel: s} },
}

// Dialogs are what opens over the page. Each is drawn when it is opened for the first time:
// a slow device has better things to do while the page starts.
type Dialogs struct {
	app.Compo
	Kernel *kernel.Kernel

	drawn []string // their ids
}

// opening is the action of opening a dialog; its value is the id.
const opening = "open dialog"

// openDialog opens a dialog over the page, once it is drawn.
func openDialog(ctx app.Context, id string) { ctx.NewActionWithValue(opening, id) }

// OnMount starts to open dialogs.
func (d *Dialogs) OnMount(ctx app.Context) {
	ctx.Handle(opening, func(ctx app.Context, a app.Action) {
		id := a.Value.(string)
		open := func(app.Context) { browser.OpenDialog(id) }
		if slices.Contains(d.drawn, id) {
			ctx.Defer(open)
			return
		}
		d.drawn = append(d.drawn, id)
		// It is drawn in the next frame, and learns of that before the one after it.
		ctx.Defer(func(ctx app.Context) { ctx.Defer(open) })
	})
}

// Render draws the dialogs that were opened, in the order of that: those that are there stay
// what they are.
func (d *Dialogs) Render() app.UI {
	var drawn []app.UI
	for _, id := range d.drawn {
		drawn = append(drawn, dialogs[id](d.Kernel))
	}
	return app.Div().Class("dialogs").Body(drawn...)
}
