package shell

import (
	"bytes"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/deepemd/deepemd/web/internal/texts"
	"github.com/deepemd/deepemd/web/languages"
)

func TestPageIsTheSameEveryTime(t *testing.T) {
	first, err := Page()
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		again, err := Page()
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(first, again) {
			t.Fatal("two pages of the same code differ")
		}
	}
}

func TestPageShowsSomethingUseful(t *testing.T) {
	page, err := Page()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Start camera", "Class 1", "Class 2", "Add pictures", "Loading the classifier", "sends nothing"} {
		if !strings.Contains(string(page), want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	for _, unwanted := range []string{"http://", "https://", " style=", "onclick"} {
		if strings.Contains(string(page), unwanted) {
			t.Errorf("the page has %q: its policy forbids that, or it leaves the origin", unwanted)
		}
	}
}

// A file is all that a language needs: the page is there in it before its program runs.
func TestAnotherLanguage(t *testing.T) {
	english, err := fs.ReadFile(languages.Files, "en.json")
	if err != nil {
		t.Fatal(err)
	}
	files := fstest.MapFS{"en.json": {Data: english}, "qq.json": {Data: []byte(`{"name": "Qq", "camera": {"start": "Qamera"}, "boot": {"again": "Qagain"}}`)}}
	var all []*texts.Texts
	for _, code := range languages.Codes(files) {
		language, err := texts.Load(files, code)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, language)
	}
	got, err := page(all)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`["en", "qq"]`, `<template id="shell-qq">`, "Qamera<", `"Again":"Qagain"`, `"Again":"Load the page again"`} {
		if !strings.Contains(string(got), want) {
			t.Errorf("the page lacks %s", want)
		}
	}
}

func TestTidy(t *testing.T) {
	for _, c := range []struct{ name, html, want string }{
		{"text only", "a &amp; b", "a &amp; b"},
		{"no attributes", "<p>a</p>", "<p>a</p>"},
		{"sorted", `<p id="b" class="a c">x</p>`, `<p class="a c" id="b">x</p>`},
		{"false left out", `<video muted hidden="false"></video>`, `<video muted=""></video>`},
		{"aria in full", `<i aria-hidden aria-live="polite"></i>`, `<i aria-hidden="true" aria-live="polite"></i>`},
		{"aria false stays", `<b aria-pressed="false"></b>`, `<b aria-pressed="false"></b>`},
		{"within others", `<p><b title="a > b" id="c">d</b></p>`, `<p><b id="c" title="a &gt; b">d</b></p>`},
		{"quotes", `<p title="&#34;a&#34;"></p>`, `<p title="&#34;a&#34;"></p>`},
		{"drawings", `<svg viewBox="0 0 1 1"><path d="M0 0"></path></svg>`, `<svg viewBox="0 0 1 1"><path d="M0 0"></path></svg>`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, err := tidy(c.html); err != nil || got != c.want {
				t.Errorf("tidy(%s) = %s (%v), want %s", c.html, got, err, c.want)
			}
		})
	}
}

// The page asks for all modules that it begins with at once, rather than for each
// when another that imports it has arrived.
func TestPageAsksForItsModulesAtOnce(t *testing.T) {
	page, err := Page()
	if err != nil {
		t.Fatal(err)
	}
	imports := regexp.MustCompile(`(?m)^(?:import|export) .*from "(\./[\w-]+\.js)";`)
	folders := map[string]string{"web": "../static/web", "deepemd": "../../wasm/npm"}
	waiting, seen := []string{"web/boot.js", "deepemd/deepemd.js"}, map[string]bool{}
	for len(waiting) > 0 {
		name := waiting[0]
		waiting = waiting[1:]
		if seen[name] {
			continue
		}
		seen[name] = true
		if !strings.Contains(string(page), `"`+name+`"`) {
			t.Errorf("the page does not ask for %s: it wants <link rel=\"modulepreload\"> in index.html.tmpl", name)
		}
		folder, file := path.Split(name)
		script, err := os.ReadFile(filepath.Join(filepath.FromSlash(folders[strings.Trim(folder, "/")]), file))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range imports.FindAllSubmatch(script, -1) {
			waiting = append(waiting, path.Join(folder, string(m[1])))
		}
	}
	if len(seen) < 5 {
		t.Errorf("only %d modules: are imports still written like this?", len(seen))
	}
}
