package browser

import (
	"fmt"
	"sync"
	"syscall/js"
	"time"

	"github.com/deepemd/deepemd/web/internal/session"
)

// The pictures that come with the page, web/static/web/demo: of each kind the
// first are examples, the others are to be tried.
const (
	demoFolder   = "./web/demo/" // not web/demo/, of which go-app would make /web/demo/
	demoExamples = 3
	demoPictures = 5
)

// demoKinds are the beginnings of the pictures' names.
var demoKinds = []string{"cat", "cup", "gravel", "grass"}

// ShowDemo fetches the pictures that come with the page, and has the session
// show them.
func ShowDemo(s *session.Session) {
	go func() {
		t := &s.Texts().Guide
		labels := []string{t.Cat, t.Cup, t.Gravel, t.Grass}
		files := make([]session.File, len(demoKinds)*demoPictures)
		var group sync.WaitGroup
		var once sync.Once
		var failed error
		for i := range files {
			group.Go(func() {
				name := fmt.Sprintf("%s%s-%d.jpg", demoFolder, demoKinds[i/demoPictures], i%demoPictures+1)
				blob, err := fetch(name)
				if err != nil {
					once.Do(func() { failed = err })
				}
				files[i] = session.File{Name: name, Source: blob}
			})
		}
		group.Wait()
		if failed != nil {
			s.Demo.Failed(failed)
			return
		}
		var classes []session.ClassFiles
		tries := make([]session.File, 0, len(files))
		for i := range demoKinds {
			of := files[i*demoPictures : (i+1)*demoPictures]
			classes = append(classes, session.ClassFiles{Label: labels[i], Files: of[:demoExamples]})
		}
		for i := demoExamples; i < demoPictures; i++ { // one of each kind after the other
			for k := range demoKinds {
				tries = append(tries, files[k*demoPictures+i])
			}
		}
		s.Demo.Show(classes, tries)
	}()
}

// fetch returns a file of the site as a Blob.
func fetch(name string) (js.Value, error) {
	response, err := await(js.Global().Call("fetch", name))
	if err != nil {
		return js.Null(), &session.Error{Code: session.CodeNetwork, Message: err.Error()}
	}
	if !response.Get("ok").Bool() {
		return js.Null(), &session.Error{Code: session.CodeNetwork, Message: fmt.Sprintf("%s: %d", name, response.Get("status").Int())}
	}
	return await(response.Call("blob"))
}

// GuideRead has the guide not shown on the next visit.
func GuideRead() { preferences().Call("guideRead") }

// foldingLasts is how long the style sheet takes to fold the guide.
const foldingLasts = 400 * time.Millisecond

// FoldGuide puts the guide away, for good, so slowly that one sees where it went. The
// keyboard's focus goes from it to the element with the given id.
func FoldGuide(next string) {
	document := js.Global().Get("document")
	kept := document.Get("documentElement").Get("dataset")
	if kept.Get("guide").String() == "done" {
		return
	}
	if document.Get("activeElement").Call("closest", ".guide.steps").Truthy() {
		Focus(next)
	}
	kept.Set("guide", "leaving")
	time.AfterFunc(foldingLasts, HideGuide)
}

// Pressed reports whether a mouse or a finger presses something.
func Pressed() bool {
	return js.Global().Get("document").Call("querySelector", ":active").Truthy()
}

// HideGuide puts the guide away, for good.
func HideGuide() { preferences().Call("hideGuide") }
