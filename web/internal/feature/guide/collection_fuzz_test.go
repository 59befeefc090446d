package guide

import (
	"testing"

	"github.com/deepemd/deepemd/internal/bombs"
	"github.com/deepemd/deepemd/web/internal/kernel"
)

// FuzzParseCollection parses arbitrary lists and collects their pictures.
func FuzzParseCollection(f *testing.F) {
	for _, text := range []string{
		`{"classes": [{"name": "a", "examples": ["1.jpg", "2.jpg"], "tries": ["3.jpg"]}, {"name": "b", "examples": ["4.jpg"]}]}`,
		`{"classes": [null, {}]}`, `{"classes": null}`, `null`, `[]`, ``,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		bombs.Budget(t, 1<<20, 1024, len(text), func() {
			c, err := ParseCollection(text)
			if err != nil {
				return
			}
			shown := 0
			classes, tries := c.Pictures(func(name string) string { return name }, func(name string) kernel.File { return kernel.File{Name: name} })
			for _, class := range classes {
				shown += len(class.Files)
			}
			if shown += len(tries); shown != len(c.Files()) {
				t.Errorf("%d pictures of %d files", shown, len(c.Files()))
			}
		})
	})
}
