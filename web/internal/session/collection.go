package session

import (
	"encoding/json"
	"fmt"
)

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
