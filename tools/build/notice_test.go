package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/network"
	"github.com/deepemd/deepemd/internal/require"
)

// tree returns the module, and the components that its NOTICE lists.
func tree(t *testing.T) (*folder, []component) {
	t.Helper()
	root := require.Value(moduleRoot())(t)
	text := require.Value(os.ReadFile(filepath.Join(root, "NOTICE")))(t)
	components := require.Value(parseNotice(text))(t)
	const most = 8000
	if len(text) > most {
		t.Errorf("NOTICE has %d bytes, more than %d", len(text), most)
	}
	return &folder{root: root, out: filepath.Join(t.TempDir(), "site")}, components
}

// TestNoticeListsLinkedModules compares NOTICE with the modules of every program of every product, on
// every platform.
func TestNoticeListsLinkedModules(t *testing.T) {
	s, components := tree(t)
	modfile := require.Value(slimGoApp(s.root))(t)
	listed := map[string]component{}
	for _, c := range components {
		listed[c.name] = c
	}
	in := map[string]map[string]bool{}
	for _, l := range linkers(modfile) {
		modules := require.Value(s.linked(l))(t)
		for name, m := range modules {
			if listed[name].version != m.version {
				t.Errorf("%s links %s %s, and NOTICE lists version %q: make licenses", l.pkg, name, m.version, listed[name].version)
			}
			if in[name] == nil {
				in[name] = map[string]bool{}
			}
			for _, product := range l.in {
				in[name][product] = true
			}
		}
	}
	for _, c := range components {
		products := in[c.name]
		if module := strings.Contains(c.name, "/"); module && len(products) != len(c.in) || slices.ContainsFunc(c.in, func(p string) bool { return module && !products[p] }) {
			t.Errorf("NOTICE lists %s in %v, it is in %v: make licenses", c.name, c.in, products)
		}
	}
}

// TestLicenseTexts checks that licenses has the texts that NOTICE names, each once, and
// no others.
func TestLicenseTexts(t *testing.T) {
	s, components := tree(t)
	named := map[string]bool{}
	for _, c := range components {
		for id := range strings.SplitSeq(c.license, " AND ") {
			if !slices.Contains(accepted, id) {
				t.Errorf("%s has license %q, which is not accepted", c.name, id)
			}
		}
		if len(c.texts) == 0 && !strings.HasPrefix(c.name, "resnet12-") { // this project's own
			t.Errorf("%s has no license text", c.name)
		}
		for _, name := range c.texts {
			named[name] = true
		}
	}
	files := require.Value(filepath.Glob(filepath.Join(s.root, licensesFolder, "*.txt")))(t)
	contents := map[string]string{}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".txt")
		text := require.Value(os.ReadFile(file))(t)
		words := strings.Join(strings.Fields(string(text)), " ")
		if !named[name] || contents[words] != "" {
			t.Errorf("%s is not named in NOTICE, or has the text of %q: make licenses", file, contents[words])
		}
		contents[words] = name
		delete(named, name)
	}
	for name := range named {
		if _, err := os.Stat(filepath.Join(s.root, filepath.FromSlash(name))); err != nil || !strings.Contains(name, "/") {
			t.Errorf("NOTICE names the text %s, which is absent", name)
		}
	}
}

// TestNoticeRoundTrip writes the components that NOTICE lists: the file stays the same.
func TestNoticeRoundTrip(t *testing.T) {
	s, components := tree(t)
	text := require.Value(os.ReadFile(filepath.Join(s.root, "NOTICE")))(t)
	if got := format(components); !bytes.Equal(got, text) {
		t.Errorf("written as\n%s", got)
	}
	for name, bad := range map[string][]byte{"head": text[1:], "cells": bytes.Replace(text, []byte(" | MIT | "), []byte(" "), 1)} {
		if _, err := parseNotice(bad); err == nil || !strings.Contains(err.Error(), "make licenses") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

// TestDescribe: modules with licenses that are not accepted, or without a license file, give errors. Texts with the
// same words are written once, other texts have other names, and outdated ones are removed.
func TestDescribe(t *testing.T) {
	texts := licenseTexts{}
	module := func(files map[string]string, licenses ...string) *linkedModule {
		m := &linkedModule{version: "v2.0.0", dir: t.TempDir(), in: []string{ofSite, ofCommand, ofSite}, licenses: licenses}
		for name, text := range files {
			write(t, filepath.Join(m.dir, filepath.FromSlash(name)), text)
		}
		return m
	}
	for _, test := range []struct {
		name string
		m    *linkedModule
		want component
	}{
		{"example.org/a/lib/v2", module(map[string]string{"LICENSE": "\nFree \r\n for all", "NOTICE.md": "By us", "license.go": "package lib", "license/x": "x", "main.c": ""}, "MIT", "BSD-3-Clause", "MIT"),
			component{version: "v2.0.0", license: "BSD-3-Clause AND MIT", in: []string{ofCommand, ofSite}, texts: []string{"lib", "lib-NOTICE"}}},
		{"example.org/same", module(map[string]string{"COPYING": "Free for all"}, "MIT"), component{version: "v2.0.0", license: "MIT", in: []string{ofCommand, ofSite}, texts: []string{"lib"}}},
		{"example.org/b/lib", module(map[string]string{"LICENSE.txt": "Free for some"}, "MIT"), component{version: "v2.0.0", license: "MIT", in: []string{ofCommand, ofSite}, texts: []string{"lib-2"}}},
	} {
		test.want.name = test.name
		if got, err := texts.describe(test.name, test.m); err != nil || !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: %+v, %v, want %+v", test.name, got, err, test.want)
		}
	}
	for want, m := range map[string]*linkedModule{
		`license "GPL-3.0" is not among those accepted`: module(map[string]string{"LICENSE": "Free"}, "MIT", "GPL-3.0"),
		"no license file": module(map[string]string{"main.c": "Free"}, "MIT"),
	} {
		if _, err := texts.describe("example.org/c", m); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one that says %q", err, want)
		}
	}
	dir := t.TempDir()
	for _, name := range []string{"old.txt", "lib.txt", "go.mod"} {
		write(t, filepath.Join(dir, name), "old")
	}
	require.NoError(t, texts.write(dir))
	want := map[string]string{"go.mod": "old", "lib.txt": "Free\n for all\n", "lib-2.txt": "Free for some\n", "lib-NOTICE.txt": "By us\n"}
	got := map[string]string{}
	for _, entry := range require.Value(os.ReadDir(dir))(t) {
		got[entry.Name()] = string(require.Value(os.ReadFile(filepath.Join(dir, entry.Name())))(t))
	}
	if !maps.Equal(got, want) {
		t.Errorf("the folder has %q, want %q", got, want)
	}
}

// TestNoticesOfProducts checks required texts in the notices of the products.
func TestNoticesOfProducts(t *testing.T) {
	s, _ := tree(t)
	for product, required := range map[string][]string{
		ofCommand: {"Bigelow & Holmes", "Cephes", "mousetrap", "Tiny ImageNet"},
		ofSite:    {"Go 1.27.4", "Brenden Lake", "Copyright (c) 2012, Max Ogden", "Copyright (c) 2021 Microsoft", "typedoc", "Oliver Nightingale", "maxence-charriere/go-app", "eSpeak NG"},
		ofNPM:     {"Copyright 2009 The Go Authors", "go-mp3", "Gonum Authors", "Tiny ImageNet"},
	} {
		text := require.Value(s.notice(product))(t)
		for _, words := range required {
			if !strings.Contains(string(text), words) {
				t.Errorf("the notice of the %s lacks %q", product, words)
			}
		}
		for _, name := range []string{"go-app", "Photographs of cats", "- " + network.ResNet12S + ":", "- " + network.ResNet12XS + ":"} {
			if product == ofNPM && strings.Contains(string(text), name) {
				t.Errorf("the notice of the npm packages names %s, which they do not contain", name)
			}
		}
	}
}

// TestCardsDescribeTheirFiles compares the SHA-256 on each network's card with the file.
func TestCardsDescribeTheirFiles(t *testing.T) {
	s, _ := tree(t)
	for _, n := range slices.Concat(networks, further) {
		card := require.Value(os.ReadFile(filepath.Join(s.root, filepath.FromSlash(n.from), "README.md")))(t)
		if sum := fmt.Sprintf("| SHA-256 | %x |", sha256.Sum256(n.file)); !strings.Contains(string(card), sum) {
			t.Errorf("%s/README.md describes another file: want %s", n.from, sum)
		}
	}
}

// mark finds the copyright notice of a script.
var mark = regexp.MustCompile(`(?i)copyright|@licen[cs]e|SPDX-License|@preserve`)

// TestFilesHaveAuthors checks that images, fonts and recordings which are shipped unchanged
// are either this project's or in NOTICE, and that no script is a copy.
func TestFilesHaveAuthors(t *testing.T) {
	s, _ := tree(t)
	ours := []string{"web/static/web/icon*", "web/internal/lessons/*.svg"}
	credited := []string{"web/static/web/characters/characters.png", "web/internal/lessons/characters.png",
		"web/static/web/demo/apple-*.jpg", "web/static/web/demo/banana-*.jpg", "web/static/web/demo/orange-*.jpg", "web/static/web/demo/cat-*.jpg"}
	scripts := 0
	for _, below := range []string{"web/static", "web/internal/lessons", "web/examples", "internal/publish", "web/site", npm} {
		require.NoError(t, fs.WalkDir(os.DirFS(s.root), below, func(name string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				if err == nil && (entry.Name() == "testdata" || entry.Name() == "node_modules") {
					return fs.SkipDir
				}
				return err
			}
			switch path.Ext(name) {
			case ".js", ".mjs", ".ts", ".css":
				scripts++
				text, err := os.ReadFile(filepath.Join(s.root, filepath.FromSlash(name)))
				if found := mark.Find(text); found != nil && path.Base(name) != "wasm_exec.js" { // Go's
					t.Errorf("%s has the mark %q: if it is a copy, list it in tools/build/licenses.go (others)", name, found)
				}
				return err
			case ".go", ".tsx", ".html", ".tmpl", ".json", ".md", ".txt", ".webmanifest":
				return nil
			}
			if !strings.HasPrefix(entry.Name(), ".") && !slices.ContainsFunc(append(ours, credited...), func(pattern string) bool {
				ok, err := path.Match(pattern, name)
				return ok && err == nil
			}) {
				t.Errorf("%s: who made it, and under which license? List it in tools/build/licenses.go (others) and here", name)
			}
			return nil
		}))
	}
	if scripts < 100 {
		t.Errorf("only %d scripts: did they move?", scripts)
	}
}
