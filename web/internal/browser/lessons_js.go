package browser

import (
	"fmt"
	"syscall/js"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/lessons"
)

// connectLessons hands the kernel the drawn characters that come with the page, and begins
// the lesson that the address asks for.
func connectLessons(s *kernel.Kernel) {
	s.Lesson.Deliver(drawings)
	if id := studio.Get("lesson").String(); id != "" {
		s.BeginLesson(lessons.ID(id), "")
	}
}

// drawings cuts the drawings of an alphabet out of the picture of all: see characters.js.
func drawings(alphabet lessons.Alphabet, row int) ([][]kernel.Drawing, error) {
	found, err := await(studio.Call("characters", row, len(alphabet.Labels), lessons.Drawings, lessons.Side))
	if err != nil {
		return nil, &kernel.Error{Code: kernel.CodeNetwork, Message: err.Error()}
	}
	rows := make([][]kernel.Drawing, len(alphabet.Labels))
	for i := range found.Length() {
		drawing, sign, person := found.Index(i), i/lessons.Drawings, i%lessons.Drawings
		rows[sign] = append(rows[sign], kernel.Drawing{
			File: kernel.File{Name: fmt.Sprintf("%s-%d-%d.png", alphabet.ID, sign+1, person+1), Source: drawing.Get("blob")},
			URL:  drawing.Get("url").String(),
		})
	}
	return rows, nil
}

// GoToLesson goes to the page of a lesson's kind, which begins it.
func GoToLesson(lesson lessons.Lesson) {
	hash := "lesson=" + string(lesson.ID)
	if lesson.Kind == project.KindSound {
		hash = "sounds&" + hash
	}
	location.Set("hash", hash)
}

// Pad is a pad to draw on, of a canvas.
type Pad struct{ pad js.Value }

// OpenPad lets a person draw on a canvas, and says what is there after each line, as a file
// without a name.
func OpenPad(canvas app.Value, drew func(kernel.Source)) *Pad {
	told := js.FuncOf(func(_ js.Value, args []js.Value) any {
		go drew(args[0])
		return nil
	})
	p := &Pad{}
	promise := studio.Call("pad", app.JSValue(canvas), told)
	go func() { p.pad, _ = await(promise) }()
	return p
}

// Wipe wipes away what was drawn.
func (p *Pad) Wipe() {
	if p.pad.Truthy() {
		p.pad.Call("wipe")
	}
}
