package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/deepemd/deepemd/internal/languages"
	"github.com/deepemd/deepemd/internal/nodetest"
	"github.com/deepemd/deepemd/internal/require"
)

// Generated files are current, no language lacks words, and something says each of them.
func TestWordsAreWhole(t *testing.T) {
	root := filepath.Join("..", "..")
	if err := errors.Join(current(languages.Files, root), missing(languages.Files), unused(root)); err != nil {
		t.Error(err)
	}
}

// current returns an error for each outdated generated file.
func current(files fs.FS, root string) error {
	all, err := generated(files)
	for name, data := range all {
		if old, wrong := os.ReadFile(filepath.Join(root, filepath.FromSlash(name))); wrong != nil || !bytes.Equal(old, data) {
			err = errors.Join(err, fmt.Errorf("%s is outdated: go generate ./internal/languages", name))
		}
	}
	return err
}

// missing returns an error for each text that a language lacks. The special texts for sounds are
// optional.
func missing(files fs.FS) error {
	english, err := languages.Read(files, languages.Default)
	for _, code := range languages.Codes(files) {
		given, wrong := languages.Read(files, code)
		err = errors.Join(err, wrong)
		for _, name := range slices.Sorted(maps.Keys(english)) {
			if strings.TrimSpace(given[name]) == "" && !strings.HasPrefix(name, "sounds.") {
				err = errors.Join(err, fmt.Errorf("%s.json lacks %s: readers see it in English", code, name))
			}
		}
	}
	return err
}

// A word that is new in English is missing elsewhere, and makes generated files old.
func TestWhatIsNotWholeIsNamed(t *testing.T) {
	english := require.Value(fs.ReadFile(languages.Files, "en.json"))(t)
	files := with(t, "en.json", strings.Replace(string(english), `"answer": {`, `"answer": { "fresh": "{n, number} of {class}",`, 1))
	if err := missing(files); err == nil || !strings.Contains(err.Error(), "de.json lacks answer.fresh") {
		t.Errorf("%v does not name what de.json lacks", err)
	}
	if err := current(files, filepath.Join("..", "..")); err == nil || !strings.Contains(err.Error(), "web/internal/texts/words.go is outdated") {
		t.Errorf("%v does not name the old file", err)
	}
	words, err := generateWords(files)
	if err != nil || !strings.Contains(string(words), "func(n int, class string) string") {
		t.Errorf("a text with arguments is not declared (%v)", err)
	}
}

// Each note is about a text.
func TestNotes(t *testing.T) {
	notes := require.Value(os.ReadFile(filepath.Join("..", "..", "internal", "languages", "notes.txt")))(t)
	english := require.Value(languages.Read(languages.Files, languages.Default))(t)
	for line := range strings.Lines(string(notes)) {
		name, note, _ := strings.Cut(strings.TrimSpace(line), "\t")
		section := slices.ContainsFunc(slices.Collect(maps.Keys(english)), func(path string) bool { return strings.HasPrefix(path, name+".") })
		if note == "" || english[name] == "" && !section {
			t.Errorf("%q: write the name of a text in en.json, a tab, and where it is seen", line)
		}
	}
}

// with returns the files of all languages and one more.
func with(t *testing.T, name, content string) fstest.MapFS {
	t.Helper()
	files := fstest.MapFS{}
	for _, code := range languages.Codes(languages.Files) {
		data := require.Value(fs.ReadFile(languages.Files, code+".json"))(t)
		files[code+".json"] = &fstest.MapFile{Data: data}
	}
	files[name] = &fstest.MapFile{Data: []byte(content)}
	return files
}

// A new language needs only a file. Missing texts are in English.
func TestAnotherLanguage(t *testing.T) {
	files := with(t, "qq.json", `{"name": "Qq", "number": {"percent": "%{whole}"}, "player": {"teaching": "\u0060{all}\u0060 \\ {done}"}, "element": {"loading": "Qqq"}}`)
	for _, c := range []struct {
		script script
		want   []string
	}{
		{scripts[0], []string{`lang: "qq"`, `loading: "Qqq"`, `unknown: "Unknown"`}},
		{scripts[1], []string{`lang: "qq"`, "=> `%${whole}`", "(/** @type {string | number} */ done, /** @type {string | number} */ all) => `\\`${all}\\` \\\\ ${done}`"}},
	} {
		got := require.Value(c.script.generate(files))(t)
		for _, want := range c.want {
			if !strings.Contains(string(got), want) {
				t.Errorf("%s lacks %s", c.script.file, want)
			}
		}
	}
}

// A text in the language of a region is for that region, even if a tag is in lower case.
func TestLanguagesOfRegions(t *testing.T) {
	script := require.Value(scripts[0].generate(with(t, "pt-BR.json", `{"name": "Português (Brasil)"}`)))(t)
	page := nodetest.Start(t, string(script)+"const answer = (tags) => words(tags).lang;")
	for _, c := range []struct {
		tags []string
		want string
	}{
		{[]string{"pt-BR", "de"}, "pt-BR"}, {[]string{"pt-br"}, "pt-BR"}, {[]string{"de-AT", "pt-BR"}, "de"}, {[]string{"fr-FR", "es"}, "es"},
		{[]string{"fr"}, "en"}, {nil, "en"},
	} {
		var got string
		if err := page.Ask(t, append([]string{}, c.tags...), &got); err != nil || got != c.want {
			t.Errorf("%q: %q, want %q; error %+v", c.tags, got, c.want, err)
		}
	}
}

func TestMistakesAreNamed(t *testing.T) {
	for _, c := range []struct{ content, want string }{
		{`{"name": "Qq", "player": {"teaching": "{dne}"}}`, "qq.json: teaching: \"{dne}\" has {dne}, and en.json has {done}, {all}"},
		{`{"name": "Qq", "player": {"lerning": "x"}}`, "qq.json: player.lerning: there is no such text in en.json"},
	} {
		if _, err := scripts[1].generate(with(t, "qq.json", c.content)); err == nil || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}
