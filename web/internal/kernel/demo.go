package kernel

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/deepemd/deepemd/web/internal/texts"
)

// Demo is the pictures that come with the page: examples, and others to try.
type Demo struct {
	Part
	tries   []File
	project string   // that has the examples
	classes []string // that have them
}

// Show teaches classes from pictures that come with the page and shows the first of
// others that can be tried. See Capture.Fill for which classes.
func (d *Demo) Show(classes []ClassFiles, tries []File) {
	s := d.K
	ids, project := s.Capture.Fill(classes), s.Project.State().ID
	d.Update(func() { d.tries, d.classes, d.project = tries, ids, project })
	if len(tries) > 0 {
		s.ShowPicture(tries[0])
	}
}

// Failed reports that the pictures that come with the page did not arrive.
func (d *Demo) Failed(err error) {
	d.K.Notices.Post(Notice{
		Key: NoticeFiles, Kind: Warning, Detail: Detail(err),
		Say: func(t *texts.Texts) (title, text string) { return t.Guide.Failed, Reason(t, err) },
	})
}

// Tries are the pictures that can be tried: while the project that was taught with their
// like is open, and a class that was has examples.
func (d *Demo) Tries() []File {
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

// CollectionFile is the name of the file that lists a collection, in the folder that has
// its pictures.
const CollectionFile = "collection.json"

// Collection is pictures that come with the page: a folder of the site and the list of
// what is in it.
type Collection struct {
	Classes []CollectionClass `json:"classes"`
}

// CollectionClass is the pictures of one class of a collection.
type CollectionClass struct {
	Name     string   `json:"name"`     // which the page says in its language
	Examples []string `json:"examples"` // files to teach the class from
	Tries    []string `json:"tries"`    // files to be recognised
}

// ParseCollection reads the list of a collection.
func ParseCollection(data []byte) (Collection, error) {
	var c Collection
	if err := json.Unmarshal(data, &c); err != nil {
		return Collection{}, fmt.Errorf("%s: %w", CollectionFile, err)
	}
	return c, nil
}

// Files lists the files of a collection, each once.
func (c Collection) Files() (names []string) {
	for _, class := range c.Classes {
		names = append(names, class.Examples...)
		names = append(names, class.Tries...)
	}
	return names
}

// Pictures returns what [Demo.Show] takes of a collection: the examples of each class,
// under the name that label gives it, and the pictures to try, one of each class after
// the other. The source of a file is what it returns.
func (c Collection) Pictures(label func(name string) string, file func(name string) File) (classes []ClassFiles, tries []File) {
	most := 0
	for _, class := range c.Classes {
		files := make([]File, len(class.Examples))
		for i, name := range class.Examples {
			files[i] = file(name)
		}
		classes = append(classes, ClassFiles{Label: label(class.Name), Files: files})
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
