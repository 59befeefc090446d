package languages_test

import (
	"slices"
	"testing"
	"testing/fstest"

	"github.com/deepemd/deepemd/internal/bombs"
	"github.com/deepemd/deepemd/internal/languages"
)

// FuzzBest chooses a language for any tags, which browsers and people give.
func FuzzBest(f *testing.F) {
	for _, tag := range []string{"de-AT", "", "-", "DE", "zh-Hant-TW", "es_ES", "*", "i-klingon", "\x00", "ſ"} {
		f.Add(tag, "fr")
	}
	codes := languages.Codes(languages.Files)
	f.Fuzz(func(t *testing.T, first, second string) {
		bombs.Budget(t, 1<<20, 16, len(first)+len(second), func() {
			code := languages.Best(codes, first, second)
			if !slices.Contains(codes, code) {
				t.Errorf("%q, %q: %q", first, second, code)
			}
			if again := languages.Best(codes, code, first, second); again != code {
				t.Errorf("%q, %q: %q, and %q when that is asked for", first, second, code, again)
			}
		})
	})
}

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
