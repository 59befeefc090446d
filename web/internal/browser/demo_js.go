package browser

import (
	"errors"
	"fmt"
	"sync"
	"syscall/js"
	"time"

	"github.com/deepemd/deepemd/web/internal/kernel"
)

// demoFolder has the demo. It is not web/demo/, of which go-app would make /web/demo/.
const demoFolder = "./web/demo/"

// ShowDemo has the kernel show the demo.
func ShowDemo(s *kernel.Kernel) {
	guide := &s.Texts().Guide
	ShowCollection(s, demoFolder, func(name string) string { return guide.Things[name] })
}

// ShowCollection fetches pictures that come with the page from a folder, which ends in a
// slash, and has the kernel show them. Label gives the classes their names in the
// language of the page.
func ShowCollection(s *kernel.Kernel, folder string, label func(name string) string) {
	go func() {
		classes, tries, err := collection(folder, label)
		if err != nil {
			s.Demo.Failed(err)
			return
		}
		s.Demo.Show(classes, tries)
	}()
}

// collection fetches a collection.
func collection(folder string, label func(name string) string) (classes []kernel.ClassFiles, tries []kernel.File, err error) {
	list, err := fetch(folder + kernel.CollectionFile)
	if err != nil {
		return nil, nil, err
	}
	text, err := await(list.Call("text"))
	if err != nil {
		return nil, nil, err
	}
	found, err := kernel.ParseCollection([]byte(text.String()))
	if err != nil {
		return nil, nil, err
	}
	var group sync.WaitGroup
	names := found.Files()
	blobs, failed := make([]js.Value, len(names)), make([]error, len(names))
	for i, name := range names {
		group.Go(func() { blobs[i], failed[i] = fetch(folder + name) })
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

// fetch returns a file of the site as a Blob.
func fetch(name string) (js.Value, error) {
	response, err := await(window.Call("fetch", name))
	if err != nil {
		return js.Null(), &kernel.Error{Code: kernel.CodeNetwork, Message: err.Error()}
	}
	if !response.Get("ok").Bool() {
		return js.Null(), &kernel.Error{Code: kernel.CodeNetwork, Message: fmt.Sprintf("%s: %d", name, response.Get("status").Int())}
	}
	return await(response.Call("blob"))
}

// GuideRead has the guide not shown on the next visit.
func GuideRead() { preferences.Call("guideRead") }

// foldingLasts is how long the style sheet takes to fold the guide.
const foldingLasts = 400 * time.Millisecond

// FoldGuide puts the guide away, for good, so slowly that one sees where it went. The
// keyboard's focus goes from it to the element with the given id.
func FoldGuide(next string) {
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
	return document.Call("querySelector", ":active").Truthy()
}

// HideGuide puts the guide away, for good.
func HideGuide() { preferences.Call("hideGuide") }
