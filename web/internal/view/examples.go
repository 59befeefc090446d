package view

import (
	"slices"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/texts"
	"github.com/deepemd/deepemd/web/internal/ui"
)

// How many of a class's examples are drawn, the latest, until a person wants to see all:
// thousands take the browser a while. They begin at a multiple of a row or two, so that
// another example does not move all of them.
const (
	mostThumbnails = 60
	thumbnailsAway = 20
)

// Examples shows the examples of one class: how many there are, and each in a list that
// scrolls. The list is one stop of the Tab key; arrow keys go from example to example, and
// Delete removes one.
type Examples struct {
	app.Compo
	Classes *ClassList
	Kernel  *kernel.Kernel
	Texts   *texts.Texts
	Class   kernel.Class

	// Of the class, as go-app reuses the component for another one.
	all     string // the class all of whose examples are shown
	current string // the example at which the Tab key stops
	count   int    // of the examples that were shown last
}

// Render shows the number, a way to delete all, and the list.
func (l *Examples) Render() app.UI {
	t, n := l.Texts, len(l.Class.Examples)
	var thumbnails []app.UI
	stop := l.stop()
	for _, id := range l.shown() {
		thumbnails = append(thumbnails, &Thumbnail{List: l, Kernel: l.Kernel, Texts: t, ExampleID: id, ClassLabel: l.Class.Label, Stop: id == stop})
	}
	more := t.Project.ShowAll(n)
	if l.all == l.Class.ID {
		more = t.Project.ShowFewer
	}
	return app.Div().Class("examples").Body(
		app.Div().Class("sum").Body(
			app.Span().Class("count").Text(t.Class.Count(n, l.Class.Waiting)),
			app.If(n > mostThumbnails, app.Button().Type("button").Class("plain small more").Text(more).OnClick(l.showAll)),
			app.If(n > 1, app.Button().Type("button").Class("quiet clear").
				Aria("label", t.Project.Clear(l.Class.Label)).Title(t.Project.ClearTitle).
				OnClick(l.clear).Body(ui.Icon(ui.IconClear))),
		),
		app.Ul().ID(examplesID(l.Class.ID)).Class("thumbnails").TabIndex(-1).Aria("label", t.Class.Examples(l.Class.Label)).
			On("focusin", l.focused).OnKeyDown(l.key).Body(thumbnails...),
	)
}

// examplesID is the id of the list of a class's examples.
func examplesID(classID string) string { return "examples-" + classID }

// shown are the examples that are drawn.
func (l *Examples) shown() []string {
	examples := l.Class.Examples
	if len(examples) <= mostThumbnails || l.all == l.Class.ID {
		return examples
	}
	away := len(examples) - mostThumbnails
	return examples[(away+thumbnailsAway-1)/thumbnailsAway*thumbnailsAway:]
}

// stop is the example at which the Tab key stops: the one where it was last, else the
// latest.
func (l *Examples) stop() string {
	shown := l.shown()
	if len(shown) == 0 || slices.Contains(shown, l.current) {
		return l.current
	}
	return shown[len(shown)-1]
}

// OnMount notes how many examples there are.
func (l *Examples) OnMount(app.Context) { l.count = len(l.Class.Examples) }

// OnUpdate shows examples that have come.
func (l *Examples) OnUpdate(app.Context) {
	if n := len(l.Class.Examples); n != l.count {
		if n > l.count {
			browser.ScrollToEnd(examplesID(l.Class.ID))
		}
		l.count = n
	}
}

func (l *Examples) showAll(app.Context, app.Event) {
	if l.all == l.Class.ID {
		l.all = ""
	} else {
		l.all = l.Class.ID
	}
}

func (l *Examples) clear(app.Context, app.Event) {
	l.Kernel.Classes.Clear(l.Class.ID)
	browser.Focus(ui.CaptureID(l.Class.ID))
}

// focused notes where the Tab key is to come back to.
func (l *Examples) focused(_ app.Context, e app.Event) {
	if id := browser.ExampleAt(e); id != "" {
		l.current = id
	}
}

// key goes to another example, or removes the one that has the focus.
func (l *Examples) key(_ app.Context, e app.Event) {
	id, shown := browser.ExampleAt(e), l.shown()
	at := slices.Index(shown, id)
	if at < 0 || e.Get("ctrlKey").Bool() || e.Get("metaKey").Bool() || e.Get("altKey").Bool() {
		return
	}
	to := at
	switch e.Get("key").String() {
	case "ArrowRight":
		to++
	case "ArrowLeft":
		to--
	case "ArrowDown":
		to += browser.Columns(examplesID(l.Class.ID))
	case "ArrowUp":
		to -= browser.Columns(examplesID(l.Class.ID))
	case "Home":
		to = 0
	case "End":
		to = len(shown) - 1
	case "Delete", "Backspace":
		e.PreventDefault()
		l.remove(id)
		return
	default:
		return
	}
	e.PreventDefault()
	if to >= 0 && to < len(shown) {
		browser.Focus(thumbnailID(shown[to]))
	}
}

// remove forgets an example. The focus goes to the next one, else to the one before, and
// with the last to the button for more.
func (l *Examples) remove(id string) {
	shown := l.shown()
	next := ui.CaptureID(l.Class.ID)
	if i := slices.Index(shown, id); i+1 < len(shown) {
		l.current = shown[i+1]
		next = thumbnailID(l.current)
	} else if i > 0 {
		l.current = shown[i-1]
		next = thumbnailID(l.current)
	}
	l.Kernel.Classes.RemoveExample(id)
	l.Classes.Focus(next)
}

// Thumbnail shows one example as the network saw it, pixel by pixel. A click on a picture
// brings up the button that deletes it, where a mouse that hovers does not; one on a sound
// plays it.
type Thumbnail struct {
	app.Compo
	List       *Examples
	Kernel     *kernel.Kernel
	Texts      *texts.Texts
	ExampleID  string
	ClassLabel string
	Stop       bool // the Tab key stops here

	drawn string // the example whose pixels are shown
}

// Render makes room for the pixels, and a button to delete the example. What has the focus
// is the button, or the sound.
func (t *Thumbnail) Render() app.UI {
	stop := -1
	if t.Stop {
		stop = 0
	}
	picture, sounds := app.Img().Alt("").Draggable(false), t.Kernel.Project.OfSounds()
	remove := app.Button().Type("button").Aria("label", t.Texts.Class.Thumbnail(t.ClassLabel)).Title(t.Texts.Class.ThumbTitle).
		OnClick(t.remove) // the style sheet draws its sign, where it is wanted
	if sounds {
		play := t.Texts.Sound.Play(t.ClassLabel)
		picture = picture.ID(thumbnailID(t.ExampleID)).TabIndex(stop).
			Role("button").Aria("label", play).Title(play).OnClick(t.play).OnKeyDown(t.playByKey)
		remove = remove.TabIndex(-1)
	} else {
		picture = picture.OnClick(t.choose)
		remove = remove.ID(thumbnailID(t.ExampleID)).TabIndex(stop)
	}
	return app.Li().Class("thumbnail", ui.When(sounds, "sound")).DataSet("example", t.ExampleID).Body(picture, remove)
}

// thumbnailID is the id of what has the focus of an example.
func thumbnailID(exampleID string) string { return "thumbnail-" + exampleID }

// OnMount draws the example for the first time.
func (t *Thumbnail) OnMount(ctx app.Context) { t.draw(ctx) }

// OnUpdate draws the example that has taken the place of another.
func (t *Thumbnail) OnUpdate(ctx app.Context) {
	if t.drawn != t.ExampleID {
		t.draw(ctx)
	}
}

func (t *Thumbnail) draw(ctx app.Context) {
	t.drawn = t.ExampleID
	browser.ShowExample(ctx.JSSrc().Get("firstElementChild"), t.ExampleID)
}

func (t *Thumbnail) choose(app.Context, app.Event) { browser.Focus(thumbnailID(t.ExampleID)) }

func (t *Thumbnail) play(app.Context, app.Event) { browser.PlayExample(t.ExampleID) }

func (t *Thumbnail) playByKey(_ app.Context, e app.Event) {
	if ui.Holds(e) {
		e.PreventDefault()
		browser.PlayExample(t.ExampleID)
	}
}

// remove forgets the example. Under a finger or a mouse nothing else is chosen by that: who
// taps twice deletes one.
func (t *Thumbnail) remove(_ app.Context, e app.Event) {
	if e.Get("detail").Int() == 0 { // by a key
		t.List.remove(t.ExampleID)
		return
	}
	t.Kernel.Classes.RemoveExample(t.ExampleID)
	browser.Focus(examplesID(t.List.Class.ID))
}
