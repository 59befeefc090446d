package main

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/deepemd/deepemd/internal/languages"
)

// The scripts are those of the files: make generated says the same of a whole tree.
func TestScriptsAreCurrent(t *testing.T) {
	for _, s := range scripts {
		want, err := s.generate(languages.Files)
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(s.file)))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is not what the languages say: run go generate ./internal/languages", s.file)
		}
	}
}

// with returns the files of all languages and one more.
func with(t *testing.T, name, content string) fstest.MapFS {
	t.Helper()
	files := fstest.MapFS{name: {Data: []byte(content)}}
	for _, code := range languages.Codes(languages.Files) {
		data, err := fs.ReadFile(languages.Files, code+".json")
		if err != nil {
			t.Fatal(err)
		}
		files[code+".json"] = &fstest.MapFile{Data: data}
	}
	return files
}

// A file is all that a language needs, and what it lacks is in English.
func TestAnotherLanguage(t *testing.T) {
	files := with(t, "qq.json", `{"name": "Qq", "number": {"percent": "%{whole}"}, "player": {"teaching": "\u0060{all}\u0060 \\ {done}"}, "element": {"loading": "Qqq"}}`)
	for _, c := range []struct {
		script script
		want   []string
	}{
		{scripts[0], []string{`lang: "qq"`, `loading: "Qqq"`, `unknown: "Unknown"`}},
		{scripts[1], []string{`lang: "qq"`, "=> `%${whole}`", "(/** @type {string | number} */ done, /** @type {string | number} */ all) => `\\`${all}\\` \\\\ ${done}`"}},
	} {
		got, err := c.script.generate(files)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range c.want {
			if !strings.Contains(string(got), want) {
				t.Errorf("%s lacks %s", c.script.file, want)
			}
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
