package guide

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// Things are shown in the demo's pictures. The page translates their names.
var Things = []string{"apple", "banana", "orange", "cat"}

const (
	// Pictures is the number of pictures of each thing.
	Pictures = 5
	// Examples is the number of these that are taught; the page recognizes the others.
	Examples = 3
)

// Picture returns the file name of the n-th picture of a thing, from 1.
func Picture(thing string, n int) string { return fmt.Sprintf("%s-%d.jpg", thing, n) }

// demoFolder contains the demo. It is not web/demo/, which go-app would change to /web/demo/.
const demoFolder = "./web/demo/"

// Demo holds the pictures that come with the page: examples, and others to try.
type Demo struct {
	kernel.Part
	tries   []kernel.File
	fetches bool     // the pictures are being fetched
	project string   // that contains the examples
	classes []string // likewise
}

// Fetch teaches classes from pictures, and shows the first of others to try, which alternate between
// the classes. See [kernel.Capture.Fill] for the choice of classes. It blocks. It does nothing while
// another call fetches, or if another project has been opened since.
func (d *Demo) Fetch(fetch func(name string) (kernel.Source, error)) {
	again, project := false, d.K.Project.State().ID
	d.Update(func() { again, d.fetches = d.fetches, true })
	if again {
		return
	}
	defer d.Update(func() { d.fetches = false })
	files, failed := make([]kernel.File, len(Things)*Pictures), make([]error, len(Things)*Pictures)
	var group sync.WaitGroup
	for i := range files {
		group.Go(func() {
			files[i].Name = demoFolder + Picture(Things[i/Pictures], i%Pictures+1)
			files[i].Source, failed[i] = fetch(files[i].Name)
		})
	}
	group.Wait()
	if err := errors.Join(failed...); err != nil {
		d.K.Notices.Post(kernel.Warn(kernel.NoticeFiles, err, func(t *texts.Texts) (title, text string) { return t.Guide.Failed, kernel.Reason(t, err) }))
		return
	}
	if d.K.Project.State().ID != project {
		return
	}
	words := d.K.Texts().Guide.Things
	var labels []string
	var examples [][]kernel.File
	for i, thing := range Things {
		labels, examples = append(labels, words[thing]), append(examples, files[i*Pictures:][:Examples])
	}
	var tries []kernel.File
	for n := Examples; n < Pictures; n++ {
		for i := range Things {
			tries = append(tries, files[i*Pictures+n])
		}
	}
	ids := d.K.Capture.Fill(labels, examples)
	d.Update(func() { d.tries, d.classes, d.project = tries, ids, project })
	d.K.ShowPictures(tries[0])
}

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

// Tries returns the pictures to try, while the demo's project is open and one of its classes has
// examples.
func (d *Demo) Tries() []kernel.File {
	d.Lock()
	tries, project, classes := d.tries, d.project, d.classes
	d.Unlock()
	if len(tries) == 0 || project != d.K.Project.State().ID {
		return nil
	}
	taught := func(id string) bool {
		class, ok := d.K.Classes.Find(id)
		return ok && len(class.Examples)+class.Waiting > 0
	}
	if !slices.ContainsFunc(classes, taught) {
		return nil
	}
	return slices.Clone(tries)
}
