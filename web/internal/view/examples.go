package view

import (
	"slices"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/texts"
	"github.com/deepemd/deepemd/web/internal/ui"
)

// The number of the latest examples that are drawn, as thousands would be slow. The first one is a
// multiple of thumbnailsAway, so that a new example does not move all of them.
const (
	mostThumbnails = 60
	thumbnailsAway = 20
)

// Examples shows the number of examples of a class and a scrolling list. The list is one
// Tab stop; arrow keys move between examples, and Delete removes one.
type Examples struct {
	app.Compo
	Studio *Studio
	Kernel *kernel.Kernel
	Texts  *texts.Texts
	Class  kernel.Class

	// The state includes the class's id, as go-app reuses the component for another class.
	all     string // all examples of this class are shown
	current string // the example that is the Tab stop
	count   int    // of examples in the last update
}

// Render shows the number, the buttons and the list.
func (l *Examples) Render() app.UI {
	t, n := l.Texts, len(l.Class.Examples)
	var thumbnails []app.UI
	stop := l.stop()
	shown := l.shown()
	for i, id := range shown {
		number := n - len(shown) + i + 1
		thumbnails = append(thumbnails, &Thumbnail{List: l, Kernel: l.Kernel, Texts: t, ExampleID: id, Number: number, ClassLabel: l.Class.Label, Stop: id == stop})
	}
	more := t.Project.ShowAll(n)
	if l.all == l.Class.ID {
		more = t.Project.ShowFewer
	}
	return app.Div().Class("examples").Body(
		app.Div().Class("sum").Body(
			app.Span().Class("count").Text(t.Class.Count(n, l.Class.Waiting)),
			app.If(n > mostThumbnails, ui.Button("plain small more", "", "", more).OnClick(ui.Do(l.showAll))),
			app.If(n > 1, ui.Button("quiet clear", "", "", t.Project.ClearShort).
				Aria("label", t.Project.Clear(l.Class.Label)).Title(t.Project.ClearTitle).OnClick(ui.Do(l.clear))),
		),
		app.Ul().ID(examplesID(l.Class.ID)).Class("thumbnails").TabIndex(-1).Aria("label", t.Class.Examples(l.Class.Label)).
			On("focusin", l.focused).OnKeyDown(l.key).Body(thumbnails...),
	)
}

func examplesID(classID string) string { return "examples-" + classID }

func (l *Examples) shown() []string {
	examples := l.Class.Examples
	if len(examples) <= mostThumbnails || l.all == l.Class.ID {
		return examples
	}
	away := len(examples) - mostThumbnails
	return examples[(away+thumbnailsAway-1)/thumbnailsAway*thumbnailsAway:]
}

// stop returns the example that is the Tab stop: the last focused one, or the latest.
func (l *Examples) stop() string {
	shown := l.shown()
	if len(shown) == 0 || slices.Contains(shown, l.current) {
		return l.current
	}
	return shown[len(shown)-1]
}

// OnMount records the number of examples.
func (l *Examples) OnMount(app.Context) { l.count = len(l.Class.Examples) }

// OnUpdate scrolls to new examples.
func (l *Examples) OnUpdate(app.Context) {
	if n := len(l.Class.Examples); n != l.count {
		if n > l.count {
			browser.Studio.Call("scrollToEnd", examplesID(l.Class.ID)) // unless the focus is in the list
		}
		l.count = n
	}
}

func (l *Examples) showAll() { l.all = ui.When(l.all != l.Class.ID, l.Class.ID) }

func (l *Examples) clear() {
	l.Kernel.Classes.Clear(l.Class.ID)
	browser.Focus(ui.CaptureID(l.Class.ID))
}

// focused records the Tab stop.
func (l *Examples) focused(_ app.Context, e app.Event) {
	if id := browser.ExampleAt(e); id != "" {
		l.current = id
	}
}

// key moves between examples, or removes the focused one.
func (l *Examples) key(_ app.Context, e app.Event) {
	id, shown := browser.ExampleAt(e), l.shown()
	at := slices.Index(shown, id)
	if at < 0 || e.Get("ctrlKey").Bool() || e.Get("metaKey").Bool() || e.Get("altKey").Bool() {
		return
	}
	key, row := e.Get("key").String(), browser.Columns(examplesID(l.Class.ID))
	if key == "Delete" || key == "Backspace" {
		e.PreventDefault()
		l.remove(id)
		return
	}
	to, moves := map[string]int{
		"ArrowRight": at + 1, "ArrowLeft": at - 1, "ArrowDown": at + row, "ArrowUp": at - row, "Home": 0, "End": len(shown) - 1,
	}[key]
	if !moves {
		return
	}
	e.PreventDefault()
	if to >= 0 && to < len(shown) {
		browser.Focus(thumbnailID(shown[to]))
	}
}

// remove removes an example and moves the focus to the next one, to the previous one, or to the
// capture button.
func (l *Examples) remove(id string) {
	next := ui.CaptureID(l.Class.ID)
	if example := neighbor(l.shown(), id); example != "" {
		l.current, next = example, thumbnailID(example)
	}
	l.Kernel.Classes.RemoveExamples(id)
	l.Studio.Focus(next)
}

// neighbor returns the next id, or the previous one of the last; "" for a single id.
func neighbor(ids []string, id string) string {
	i := slices.Index(ids, id)
	switch {
	case i+1 < len(ids):
		return ids[i+1]
	case i > 0:
		return ids[i-1]
	}
	return ""
}

// Thumbnail shows an example as the network saw it. A click on an image shows the button that
// removes it, which a mouse also shows by hovering; a click on a sound plays it.
type Thumbnail struct {
	app.Compo
	List       *Examples
	Kernel     *kernel.Kernel
	Texts      *texts.Texts
	ExampleID  string
	Number     int // in the class, from 1
	ClassLabel string
	Stop       bool // it is the Tab stop
}

// Render shows the image and the button that removes it. The button has the focus, or for sounds
// the image.
func (t *Thumbnail) Render() app.UI {
	stop := -1
	if t.Stop {
		stop = 0
	}
	picture, sounds := app.Img().Alt("").Draggable(false), t.Kernel.Project.OfSounds()
	remove := app.Button().Type("button").Aria("label", t.Texts.Class.Thumbnail(t.Number, t.ClassLabel)).Title(t.Texts.Class.ThumbTitle).
		OnClick(t.remove) // the style sheet draws its icon
	if sounds {
		play := t.Texts.Sound.Play(t.Number, t.ClassLabel)
		picture = picture.ID(thumbnailID(t.ExampleID)).TabIndex(stop).
			Role("button").Aria("label", play).Title(play).OnClick(t.play).OnKeyDown(t.playByKey)
		remove = remove.TabIndex(-1)
	} else {
		picture = picture.OnClick(func(app.Context, app.Event) { browser.Focus(thumbnailID(t.ExampleID)) })
		remove = remove.ID(thumbnailID(t.ExampleID)).TabIndex(stop)
	}
	return app.Li().Class("thumbnail", ui.When(sounds, "sound")).DataSet("example", t.ExampleID).Body(
		&ui.Drawn{Element: picture, Value: t.ExampleID, Draw: func(image app.Value) { browser.ShowExample(image, t.ExampleID) }},
		remove,
	)
}

// thumbnailID returns the id of the focusable element of an example.
func thumbnailID(exampleID string) string { return "thumbnail-" + exampleID }

func (t *Thumbnail) play(app.Context, app.Event) {
	if !browser.Studio.Call("play", t.ExampleID).Bool() {
		t.Kernel.Notices.Post(kernel.Tell(kernel.NoticeFiles, nil, func(t *texts.Texts) (title, text string) { return t.Sound.Mute, t.Sound.MuteText }))
	}
}

func (t *Thumbnail) playByKey(ctx app.Context, e app.Event) {
	if ui.Holds(e) {
		e.PreventDefault()
		t.play(ctx, e)
	}
}

// remove removes the example. After a tap or click the focus moves to the list, so that a double
// tap removes only one example.
func (t *Thumbnail) remove(_ app.Context, e app.Event) {
	if e.Get("detail").Int() == 0 {
		t.List.remove(t.ExampleID)
		return
	}
	t.Kernel.Classes.RemoveExamples(t.ExampleID)
	browser.Focus(examplesID(t.List.Class.ID))
}
