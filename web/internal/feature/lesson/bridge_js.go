package lesson

import (
	"fmt"
	"syscall/js"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/lessons"
)

// connect sets the source of the drawings, and starts the lesson in the page's address.
func (l *Lesson) connect() {
	l.Deliver(cut)
	if id := browser.Studio.Get("lesson").String(); id != "" {
		l.Begin(lessons.ID(id), "")
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
			File: kernel.File{Name: fmt.Sprintf("%s-%d-%d.png", alphabet.ID, sign+1, person+1), Source: drawing.Get("blob")},
			URL:  drawing.Get("url").String(),
		})
	}
	return rows, nil
}

// pad is a canvas to draw on.
type pad struct{ canvas js.Value }

// openPad starts drawing on a canvas, and calls drew with the picture after each stroke.
func openPad(canvas app.Value, drew func(kernel.Source)) *pad {
	told := browser.Callback(func(args []js.Value) {
		go drew(args[0])
	})
	p := &pad{}
	promise := browser.Studio.Call("pad", app.JSValue(canvas), told)
	go func() { p.canvas, _ = browser.Await(promise) }()
	return p
}

func (p *pad) wipe() {
	if p.canvas.Truthy() {
		p.canvas.Call("wipe")
	}
}
