package guide

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// Demo holds the pictures that come with the page: examples, and others to try.
type Demo struct {
	kernel.Part
	tries   []kernel.File
	project string   // that contains the examples
	classes []string // likewise
}

// Show teaches classes from pictures, and shows the first of others to try. See
// [kernel.Capture.Fill] for the choice of classes.
func (d *Demo) Show(classes []kernel.ClassFiles, tries []kernel.File) {
	ids, project := d.K.Capture.Fill(classes), d.K.Project.State().ID
	d.Update(func() { d.tries, d.classes, d.project = tries, ids, project })
	if len(tries) > 0 {
		d.K.ShowPictures(tries[0])
	}
}

// Failed reports that the pictures could not be fetched.
func (d *Demo) Failed(err error) {
	d.K.Notices.Post(kernel.Warn(kernel.NoticeFiles, err, func(t *texts.Texts) (title, text string) { return t.Guide.Failed, kernel.Reason(t, err) }))
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

// CollectionFile is the file that lists a collection, in the folder of its pictures.
const CollectionFile = "collection.json"

// Collection lists pictures in a folder of the site.
type Collection struct {
	Classes []CollectionClass `json:"classes"`
}

// CollectionClass lists the pictures of one class.
type CollectionClass struct {
	Name     string   `json:"name"`     // in the program: the page translates it
	Examples []string `json:"examples"` // files to teach the class from
	Tries    []string `json:"tries"`    // files to be recognized
}

// ParseCollection parses the list of a collection.
func ParseCollection(data []byte) (Collection, error) {
	var c Collection
	if err := json.Unmarshal(data, &c); err != nil {
		return Collection{}, fmt.Errorf("%s: %w", CollectionFile, err)
	}
	return c, nil
}

// Files returns the files of a collection, each once.
func (c Collection) Files() (names []string) {
	for _, class := range c.Classes {
		names = append(names, class.Examples...)
		names = append(names, class.Tries...)
	}
	return names
}

// Pictures returns the arguments of [Demo.Show]: the examples of each class, named by label, and
// the pictures to try, which alternate between the classes. file opens a file.
func (c Collection) Pictures(label func(name string) string, file func(name string) kernel.File) (classes []kernel.ClassFiles, tries []kernel.File) {
	most := 0
	for _, class := range c.Classes {
		files := make([]kernel.File, len(class.Examples))
		for i, name := range class.Examples {
			files[i] = file(name)
		}
		classes = append(classes, kernel.ClassFiles{Label: label(class.Name), Files: files})
		most = max(most, len(class.Tries))
	}
	for i := range most {
		for _, class := range c.Classes {
			if i < len(class.Tries) {
				tries = append(tries, file(class.Tries[i]))
			}
		}
	}
	return classes, tries
}
