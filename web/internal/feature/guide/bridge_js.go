package guide

import (
	"fmt"
	"time"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/kernel"
)

// fetch fetches the demo's pictures and shows them.
func (d *Demo) fetch() { go d.Fetch(file) }

// file fetches a file of the site as a Blob.
func file(name string) (kernel.Source, error) {
	response, err := browser.Await(browser.Window.Call("fetch", name))
	if err != nil {
		return nil, &kernel.Error{Code: kernel.CodeNetwork, Message: err.Error()}
	}
	if !response.Get("ok").Bool() {
		return nil, &kernel.Error{Code: kernel.CodeNetwork, Message: fmt.Sprintf("%s: %d", name, response.Get("status").Int())}
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

// unfocused reports whether nothing has the focus.
func unfocused() bool {
	document := browser.Window.Get("document")
	return document.Get("activeElement").Equal(document.Get("body"))
}

// hideGuide hides the guide forever.
func hideGuide() { preferences.Call("hideGuide") }
