package guide

import (
	"errors"
	"fmt"
	"sync"
	"syscall/js"
	"time"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/kernel"
)

// demoFolder contains the demo. It is not web/demo/, which go-app would change to /web/demo/.
const demoFolder = "./web/demo/"

// fetch fetches the demo's pictures and shows them.
func (d *Demo) fetch() {
	words := d.K.Texts().Guide.Things
	go func() {
		classes, tries, err := collection(demoFolder, func(name string) string { return words[name] })
		if err != nil {
			d.Failed(err)
			return
		}
		d.Show(classes, tries)
	}()
}

// collection fetches a collection.
func collection(folder string, label func(name string) string) (classes []kernel.ClassFiles, tries []kernel.File, err error) {
	list, err := file(folder + CollectionFile)
	if err != nil {
		return nil, nil, err
	}
	text, err := browser.Await(list.Call("text"))
	if err != nil {
		return nil, nil, err
	}
	found, err := ParseCollection([]byte(text.String()))
	if err != nil {
		return nil, nil, err
	}
	var group sync.WaitGroup
	names := found.Files()
	blobs, failed := make([]js.Value, len(names)), make([]error, len(names))
	for i, name := range names {
		group.Go(func() { blobs[i], failed[i] = file(folder + name) })
	}
	group.Wait()
	if err := errors.Join(failed...); err != nil {
		return nil, nil, err
	}
	files := map[string]kernel.File{}
	for i, name := range names {
		files[name] = kernel.File{Name: folder + name, Source: blobs[i]}
	}
	classes, tries = found.Pictures(label, func(name string) kernel.File { return files[name] })
	return classes, tries, nil
}

// file fetches a file of the site as a Blob.
func file(name string) (js.Value, error) {
	response, err := browser.Await(browser.Window.Call("fetch", name))
	if err != nil {
		return js.Null(), &kernel.Error{Code: kernel.CodeNetwork, Message: err.Error()}
	}
	if !response.Get("ok").Bool() {
		return js.Null(), &kernel.Error{Code: kernel.CodeNetwork, Message: fmt.Sprintf("%s: %d", name, response.Get("status").Int())}
	}
	return browser.Await(response.Call("blob"))
}

// preferences is an object of the page's first script.
var preferences = browser.Window.Get("preferences")

// guideRead hides the guide in later visits.
func guideRead() { preferences.Call("guideRead") }

// foldingLasts is the duration of the style sheet's transition.
const foldingLasts = 400 * time.Millisecond

// foldGuide hides the guide forever, with a transition, and moves the focus from it to the element
// with the given id.
func foldGuide(next string) {
	document := browser.Window.Get("document")
	kept := document.Get("documentElement").Get("dataset")
	if kept.Get("guide").String() == "done" {
		return
	}
	if document.Get("activeElement").Call("closest", ".guide.steps").Truthy() {
		browser.Focus(next)
	}
	kept.Set("guide", "leaving")
	time.AfterFunc(foldingLasts, hideGuide)
}

// pressed reports whether a mouse or a finger presses something.
func pressed() bool {
	return browser.Window.Get("document").Call("querySelector", ":active").Truthy()
}

// hideGuide hides the guide forever.
func hideGuide() { preferences.Call("hideGuide") }
