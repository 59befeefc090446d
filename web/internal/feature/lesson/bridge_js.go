package lesson

import (
	"fmt"
	"syscall/js"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/lessons"
)

// connect hands the lesson the drawn characters that come with the page, and begins
// the lesson that the address asks for.
func (l *Lesson) connect() {
	l.Deliver(cut)
	if id := browser.Studio.Get("lesson").String(); id != "" {
		l.Begin(lessons.ID(id), "")
	}
}

// cut cuts the drawings of an alphabet out of the picture of all: see characters.js.
func cut(alphabet lessons.Alphabet, row int) ([][]Drawing, error) {
	found, err := browser.Await(browser.Studio.Call("characters", row, len(alphabet.Labels), lessons.Drawings, lessons.Side))
	if err != nil {
		return nil, &kernel.Error{Code: kernel.CodeNetwork, Message: err.Error()}
	}
	rows := make([][]Drawing, len(alphabet.Labels))
	for i := range found.Length() {
		drawing, sign, person := found.Index(i), i/lessons.Drawings, i%lessons.Drawings
		rows[sign] = append(rows[sign], Drawing{
			File: kernel.File{Name: fmt.Sprintf("%s-%d-%d.png", alphabet.ID, sign+1, person+1), Source: drawing.Get("blob")},
			URL:  drawing.Get("url").String(),
		})
	}
	return rows, nil
}

// goTo goes to the page of a lesson's kind, which begins it.
func goTo(lesson lessons.Lesson) {
	hash := "lesson=" + string(lesson.ID)
	if lesson.Kind == project.KindSound {
		hash = "sounds&" + hash
	}
	browser.Location.Set("hash", hash)
}

// pad is a pad to draw on, of a canvas.
type pad struct{ canvas js.Value }

// openPad lets a person draw on a canvas, and says what is there after each line, as a file
// without a name.
func openPad(canvas app.Value, drew func(kernel.Source)) *pad {
	told := js.FuncOf(func(_ js.Value, args []js.Value) any {
		go drew(args[0])
		return nil
	})
	p := &pad{}
	promise := browser.Studio.Call("pad", app.JSValue(canvas), told)
	go func() { p.canvas, _ = browser.Await(promise) }()
	return p
}

// wipe wipes away what was drawn.
func (p *pad) wipe() {
	if p.canvas.Truthy() {
		p.canvas.Call("wipe")
	}
}
