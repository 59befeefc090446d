package site

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/deepemd/deepemd/internal/languages"
	"github.com/deepemd/deepemd/internal/nodetest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/web/internal/texts"
)

func TestPageIsTheSameEveryTime(t *testing.T) {
	first := require.Value(Shell())(t)
	for range 5 {
		again := require.Value(Shell())(t)
		if !bytes.Equal(first, again) {
			t.Fatal("two pages of the same code differ")
		}
	}
}

func TestPageShowsSomethingUseful(t *testing.T) {
	page := require.Value(Shell())(t)
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

// A new language needs only its file: the page before the program has it.
func TestAnotherLanguage(t *testing.T) {
	english := require.Value(fs.ReadFile(languages.Files, "en.json"))(t)
	files := fstest.MapFS{"en.json": {Data: english}, "qq.json": {Data: []byte(`{"name": "Qq", "camera": {"start": "Qamera"}, "boot": {"again": "Qagain"}}`)}}
	var all []*texts.Texts
	for _, code := range languages.Codes(files) {
		language := require.Value(texts.Load(files, code))(t)
		all = append(all, language)
	}
	got := require.Value(page(all))(t)
	for _, want := range []string{`["en", "qq"]`, `<template id="shell-qq">`, "Qamera<", `"Again":"Qagain"`, `"Again":"Reload the page"`} {
		if !strings.Contains(string(got), want) {
			t.Errorf("the page lacks %s", want)
		}
	}
}

// The page prefers the language of a region to its language elsewhere, and the user's choice to the
// browser's languages.
func TestLanguagesOfRegions(t *testing.T) {
	english := require.Value(fs.ReadFile(languages.Files, "en.json"))(t)
	files := fstest.MapFS{"en.json": {Data: english}, "pt.json": {Data: []byte(`{"name": "Português"}`)}, "pt-BR.json": {Data: []byte(`{"name": "Português (Brasil)"}`)}}
	var all []*texts.Texts
	for _, code := range languages.Codes(files) {
		all = append(all, require.Value(texts.Load(files, code))(t))
	}
	_, script, _ := strings.Cut(string(require.Value(page(all))(t)), "<script>")
	script, _, _ = strings.Cut(script, "</script>")
	program := nodetest.Start(t, `
		const script = `+string(require.Value(json.Marshal(script))(t))+`;
		function answer([chosen, ...languages]) {
			const root = { dataset: {} };
			const given = {
				matchMedia: () => ({ addEventListener() {} }), document: { documentElement: root, querySelector: () => ({}) }, navigator: { languages }, addEventListener() {},
				localStorage: { getItem: () => chosen || null }, sessionStorage: {},
			};
			for (const [name, value] of Object.entries(given)) Object.defineProperty(globalThis, name, { value, configurable: true });
			(0, eval)(script);
			return root.lang;
		}`)
	for want, tags := range map[string][]string{"pt-BR": {"", "fr", "pt-BR", "pt"}, "pt": {"", "pt-PT", "pt-BR"}, "en": {"", "fr"}} {
		for _, chosen := range []string{"", want} {
			tags[0] = chosen
			var got string
			if err := program.Ask(t, tags, &got); err != nil || got != want {
				t.Errorf("%q: %q, want %q; error %+v", tags, got, want, err)
			}
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

// The page preloads all modules that it starts with, because each imports others (tools/build).
func TestPageAsksAtOnce(t *testing.T) {
	page := require.Value(Shell())(t)
	for _, want := range []string{
		`rel="preload" as="fetch" type="application/wasm" crossorigin href="web/app.wasm"`,
		`type="module" src="web/boot.js"`,
		`rel="modulepreload" href="deepemd/deepemd.js"`,
		`rel="modulepreload" href="deepemd/networks.js"`,
		`rel="modulepreload" href="deepemd/wasm_exec.js"`,
	} {
		if !strings.Contains(string(page), want) {
			t.Errorf("the page lacks %s", want)
		}
	}
}
