package lesson

import (
	"fmt"
	"slices"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/lessons"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// Drawing is a drawing that comes with the page.
type Drawing struct {
	kernel.File
	URL string // of the image
}

// Try is a drawing to recognize.
type Try struct {
	Drawing
	Mark Mark
	sign int // its position in the alphabet
}

// Mark is the result of a try.
type Mark int

// The marks.
const (
	NotTried Mark = iota
	TriedRight
	TriedWrong
)

// Offer names the drawings that can be taught next.
type Offer int

// The offers.
const (
	NoOffer    Offer = iota // all are taught
	OfferFirst              // one per character
	OfferMore               // the others
)

// drawings holds the drawn characters of a lesson.
type drawings struct {
	// Deliver returns the drawings of an alphabet, given its first row: lessons.Drawings per character.
	// It is set before the first lesson begins.
	Deliver func(alphabet lessons.Alphabet, row int) ([][]Drawing, error)

	examples [][]Drawing // by sign
	tries    []Try
	counted  int  // number of examples when the marks were made
	trying   bool // TryAll runs
	pad      bool
	drawn    *kernel.File
}

// marks returns the numbers of right marks and of all. The lock is held.
func (d *drawings) marks() (right, all int) {
	for _, try := range d.tries {
		if try.Mark != NotTried {
			all++
		}
		if try.Mark == TriedRight {
			right++
		}
	}
	return right, all
}

// outdate removes the marks if the number of examples has changed. The lock is held.
func (d *drawings) outdate(examples int) {
	if d.counted == examples {
		return
	}
	d.tries = slices.Clone(d.tries)
	for i := range d.tries {
		d.tries[i].Mark = NotTried
	}
}

// connect sets the source of the drawings, and starts the lesson in the page's address.
func (l *Lesson) connect() {
	if app.IsServer {
		return
	}
	l.Deliver = cut
	if id := browser.Studio.Get("lesson").String(); id != "" {
		l.Begin(id, "")
	}
}

// cut cuts the drawings of an alphabet out of one picture: see characters.js.
func cut(alphabet lessons.Alphabet, row int) ([][]Drawing, error) {
	found, err := browser.Await(browser.Studio.Call("characters", row, len(alphabet.Labels), lessons.Drawings, lessons.Side))
	if err != nil {
		return nil, &kernel.Error{Code: kernel.CodeNetwork, Message: err.Error()}
	}
	rows := make([][]Drawing, len(alphabet.Labels))
	for i := range found.Length() {
		drawing, sign, person := found.Index(i), i/lessons.Drawings, i%lessons.Drawings
		rows[sign] = append(rows[sign], Drawing{
			Name: fmt.Sprintf("%s-%d-%d.png", alphabet.ID, sign+1, person+1), Source: drawing.Get("blob"), URL: drawing.Get("url").String(),
		})
	}
	return rows, nil
}

// load fetches the drawings of an alphabet, unless the lesson has ended by then.
func (l *Lesson) load(id string) {
	if l.Deliver == nil {
		return
	}
	go func() {
		alphabet, row := lessons.FindAlphabet(id)
		rows, err := l.Deliver(alphabet, row)
		if err != nil {
			l.K.Notices.Post(kernel.Warn(kernel.NoticeFiles, nil, func(t *texts.Texts) (title, text string) {
				return t.Lessons.Failed, kernel.Reason(t, err)
			}))
			return
		}
		l.Update(func() {
			if l.kept.Alphabet != id {
				return
			}
			l.examples, l.tries = nil, nil
			for _, row := range rows {
				l.examples = append(l.examples, row[:lessons.Examples])
			}
			for k := lessons.Examples; k < lessons.Drawings; k++ {
				for sign, row := range rows {
					l.tries = append(l.tries, Try{Drawing: row[k], sign: sign})
				}
			}
		})
	}()
}

// classesOfSigns returns the classes of an alphabet's characters: the class of its name, otherwise
// of its position if that was renamed; or a zero class.
func classesOfSigns(alphabet lessons.Alphabet, classes []kernel.Class) []kernel.Class {
	found := make([]kernel.Class, len(alphabet.Labels))
	for i, label := range alphabet.Labels {
		at := slices.IndexFunc(classes, func(c kernel.Class) bool { return c.Label == label })
		if at < 0 && len(classes) == len(alphabet.Labels) {
			at = i
		}
		if at >= 0 {
			found[i] = classes[at]
		}
	}
	return found
}

// lacked returns the drawings that a class of an alphabet lacks.
func lacked(class kernel.Class) Offer {
	switch n := len(class.Examples) + class.Waiting; {
	case class.ID == "" || n >= lessons.Examples:
		return NoOffer
	case n == 0:
		return OfferFirst
	}
	return OfferMore
}

// offered returns the drawings to teach next to the classes of an alphabet.
func offered(alphabet lessons.Alphabet, classes []kernel.Class) Offer {
	offer := NoOffer
	for _, class := range classesOfSigns(alphabet, classes) {
		switch lacked(class) {
		case OfferFirst:
			return OfferFirst
		case OfferMore:
			offer = OfferMore
		}
	}
	return offer
}

// TeachDrawings teaches the offered drawings, as one step, to the classes that lack them.
func (l *Lesson) TeachDrawings() {
	classes := l.K.Classes.List()
	l.Lock()
	id, examples := l.kept.Alphabet, l.examples
	l.Unlock()
	alphabet, _ := lessons.FindAlphabet(id)
	offer := offered(alphabet, classes)
	if len(examples) == 0 || offer == NoOffer {
		return
	}
	var ids []string
	var files [][]kernel.File
	for sign, class := range classesOfSigns(alphabet, classes) {
		if lacked(class) != offer {
			continue
		}
		some := examples[sign][:1]
		if offer == OfferMore {
			some = examples[sign][1:]
		}
		var own []kernel.File
		for _, drawing := range some {
			own = append(own, drawing.File)
		}
		ids, files = append(ids, class.ID), append(files, own)
	}
	l.K.Capture.AddTo(ids, files)
}

// Try shows the i-th drawing.
func (l *Lesson) Try(i int) {
	tries := kernel.Get(&l.Part, &l.tries)
	if i < 0 || i >= len(tries) {
		return
	}
	l.K.ShowPictures(tries[i].File)
}

// TryAll classifies and marks all drawings.
func (l *Lesson) TryAll() {
	l.Lock()
	tries, busy := l.tries, l.trying
	l.Unlock()
	if busy || len(tries) == 0 {
		return
	}
	l.Update(func() { l.trying = true })
	go func() {
		defer l.Update(func() { l.trying = false })
		engine, examples := l.K.Engine.Drain(), l.K.Classes.Examples()
		for _, try := range tries {
			answer, err := engine.Classify(try.Source, false)
			if err != nil {
				l.K.Notices.Trouble(err)
				return
			}
			if l.K.Classes.Examples() != examples || !l.markShown(try.Name, answer) {
				return
			}
		}
	}()
}

// markShown marks the try of a name; ok is false if there is none.
func (l *Lesson) markShown(name string, answer kernel.Answer) (ok bool) {
	at := slices.IndexFunc(kernel.Get(&l.Part, &l.tries), func(t Try) bool { return t.Name == name })
	if at < 0 {
		return false
	}
	classes, examples := l.K.Classes.List(), l.K.Classes.Examples()
	l.Update(func() {
		if at >= len(l.tries) || l.tries[at].Name != name {
			return
		}
		ok = true
		l.outdate(examples)
		alphabet, _ := lessons.FindAlphabet(l.kept.Alphabet)
		right := !answer.Unknown() && answer.Best() == classesOfSigns(alphabet, classes)[l.tries[at].sign].ID
		l.tries = slices.Clone(l.tries)
		l.tries[at].Mark = TriedWrong
		if right {
			l.tries[at].Mark = TriedRight
		}
		l.counted = examples
		if slices.Contains(l.kept.Done, string(StepTeach)) { // otherwise there is only one class
			l.recordMark(right, examples)
		}
	})
	l.K.Project.Touch()
	return ok
}

// OpenPad shows a pad to draw on instead of the stage.
func (l *Lesson) OpenPad() {
	l.K.Camera.Stop()
	l.K.Live.DropPicture()
	l.Update(func() { l.pad, l.drawn = true, nil })
}

// ClosePad hides the pad.
func (l *Lesson) ClosePad() {
	if kernel.Get(&l.Part, &l.pad) {
		l.Update(func() { l.pad, l.drawn = false, nil })
		l.K.Live.DropPicture()
	}
}

// leavePad hides the pad when a camera or another picture is shown.
func (l *Lesson) leavePad() {
	camera, picture := l.K.Camera.Wanted(), l.K.Live.Shown.Picture()
	l.Lock()
	mine := picture == nil || l.drawn != nil && l.drawn.Name == picture.Name
	leave := l.pad && (camera || !mine)
	l.Unlock()
	if leave {
		l.Update(func() { l.pad, l.drawn = false, nil })
	}
}

// Drew classifies the drawing on the pad; nil for an empty pad.
func (l *Lesson) Drew(drawing *kernel.File) {
	l.Update(func() { l.drawn = drawing })
	if drawing == nil {
		l.K.Live.DropPicture()
		return
	}
	l.K.ShowPictures(*drawing)
}

// TeachDrawn adds the drawing on the pad to a class.
func (l *Lesson) TeachDrawn(classID string) {
	if drawn := kernel.Get(&l.Part, &l.drawn); drawn != nil {
		l.K.AddFiles(classID, []kernel.File{*drawn})
	}
}
