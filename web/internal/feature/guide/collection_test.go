package guide

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// siteFolder is the demo's folder in the source.
const siteFolder = "../../../static/web/demo"

// demo reads the list of the demo.
func demo(t *testing.T) Collection {
	t.Helper()
	data := require.Value(os.ReadFile(filepath.Join(siteFolder, CollectionFile)))(t)
	c := require.Value(ParseCollection(data))(t)
	return c
}

// The demo lists every picture of its folder once, and every language names its things.
func TestDemoIsWhole(t *testing.T) {
	c := demo(t)
	paths := require.Value(filepath.Glob(filepath.Join(siteFolder, "*.jpg")))(t)
	var there []string
	for _, path := range paths {
		there = append(there, filepath.Base(path))
	}
	listed := c.Files()
	slices.Sort(listed)
	if !slices.Equal(listed, there) {
		t.Errorf("the list has %v, the folder %v", listed, there)
	}
	for _, class := range c.Classes {
		if len(class.Examples) < 2 || len(class.Tries) < 2 {
			t.Errorf("%s has %d examples and %d pictures to try", class.Name, len(class.Examples), len(class.Tries))
		}
		for _, language := range texts.Languages() {
			if texts.In(language.Code).Guide.Things[class.Name] == "" {
				t.Errorf("%s has no word for %q", language.Code, class.Name)
			}
		}
	}
}

func TestCollectionGivesPictures(t *testing.T) {
	c := require.Value(ParseCollection([]byte(`{"classes": [
		{"name": "a", "examples": ["a1", "a2"], "tries": ["a3"]},
		{"name": "b", "examples": ["b1"], "tries": ["b2", "b3"]}
	]}`)))(t)
	classes, tries := c.Pictures(strings.ToUpper, func(name string) kernel.File { return kernel.File{Name: name, Source: name} })
	if len(classes) != 2 || classes[0].Label != "A" || len(classes[0].Files) != 2 || classes[1].Files[0].Name != "b1" {
		t.Errorf("classes %v", classes)
	}
	var names []string
	for _, file := range tries {
		names = append(names, file.Name)
	}
	if want := []string{"a3", "b2", "b3"}; !slices.Equal(names, want) {
		t.Errorf("to try: %v, want one of each class after the other: %v", names, want)
	}
	if _, err := ParseCollection([]byte("[")); err == nil || !strings.Contains(err.Error(), CollectionFile) {
		t.Errorf("a damaged list: %v, want an error that names the file", err)
	}
}
