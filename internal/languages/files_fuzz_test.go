package languages_test

import (
	"testing"
	"testing/fstest"

	"github.com/deepemd/deepemd/internal/bombs"
	"github.com/deepemd/deepemd/internal/languages"
)

// FuzzRead reads files of texts, which translators write.
func FuzzRead(f *testing.F) {
	for _, text := range []string{`{"name": "English", "a": {"b": "c"}}`, `{"a": 3}`, `{"a": {"b": null}}`, `{"name": ""}`, `[]`, `{"a.b": "c", "a": {"b": "d"}}`, ``, `{`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		files := fstest.MapFS{"en.json": {Data: text}}
		// A text deep in others has a long path.
		bombs.Budget(t, 4<<20, 4096+int64(len(text)), len(text), func() {
			texts, err := languages.Read(files, "en")
			name, wrong := languages.Name(files, "en")
			if err == nil && wrong == nil && texts["name"] == "" {
				t.Errorf("named %q, with the texts %q", name, texts)
			}
		})
	})
}
