package thirdparty

import (
	"bytes"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
)

const root = "../.."

// inventory is asked for once: it takes seconds.
var inventory = sync.OnceValues(func() (Inventory, error) { return Find(root) })

func found(t *testing.T) Inventory {
	t.Helper()
	inv, err := inventory()
	if err != nil {
		t.Fatal(err)
	}
	return inv
}

// A notice that is not of what is linked today tells users something that is not so.
func TestNoticesAreUpToDate(t *testing.T) {
	inv := found(t)
	for _, file := range NoticeFiles {
		have, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file.Name)))
		if err != nil {
			t.Errorf("%v: go run ./tools/notice -write", err)
		} else if want := Notice(inv, file.Of...); !bytes.Equal(have, want) {
			t.Errorf("%s is not up to date: go run ./tools/notice -write", file.Name)
		}
	}
}

// The notices hold what the licences ask.
func TestNoticesHoldWhatIsAsked(t *testing.T) {
	inv := found(t)
	for _, c := range []struct {
		of   Product
		asks []string
	}{
		{Command, []string{"svgo by Anthony Starks", "Creative Commons Attribution 4.0 International Public License",
			"SIL OPEN FONT LICENSE", "Portions of this software are copyright", "The FreeType Project LICENSE", "Bigelow & Holmes", "Cephes", "mousetrap", "Tiny ImageNet"}},
		{Site, []string{"Go 1.27.4", "Brenden Lake", "Copyright (c) 2012, Max Ogden", "Copyright (c) 2021 Microsoft", "typedoc", "Oliver Nightingale", "maxence-charriere/go-app", "eSpeak NG"}},
		{NPM, []string{"Copyright 2009 The Go Authors", "go-mp3", "The Gonum Authors", "Tiny ImageNet"}},
	} {
		text := string(Notice(inv, c.of))
		for _, asked := range c.asks {
			if !strings.Contains(text, asked) {
				t.Errorf("the notice of %s lacks %q", c.of, asked)
			}
		}
	}
	for _, name := range []string{"svgo", "go-app", "cats"} {
		if strings.Contains(string(Notice(inv, NPM)), name) {
			t.Errorf("the packages for npm hold nothing of %s, and their notice names it", name)
		}
	}
	if n := len(inv.Of(Command)); n < 35 || n >= len(inv.Parts) {
		t.Errorf("%d of %d parts are in the command", n, len(inv.Parts))
	}
}

// Whoever's work is shipped, the licence has a name that others know, and its text goes along.
func TestLicencesHaveTexts(t *testing.T) {
	for _, part := range found(t).Parts {
		for id := range strings.SplitSeq(part.Licence, " AND ") {
			if !Identified(id) {
				t.Errorf("%s is under %q, which is no licence of SPDX that was accepted", part.Name, id)
			}
		}
		if len(part.Texts) == 0 && part.Kind != Network { // those are the project's own
			t.Errorf("%s is under %s, and the notice has no text of it", part.Name, part.Licence)
		}
	}
}

// Every program has its modules, and every module that one needs is a part.
func TestProgramsAreComplete(t *testing.T) {
	inv := found(t)
	refs := map[string]bool{}
	for _, part := range inv.Parts {
		if refs[part.Ref] {
			t.Errorf("two parts are %s", part.Ref)
		}
		refs[part.Ref] = true
	}
	for _, part := range inv.Parts {
		for _, need := range part.Needs {
			if !refs[need] || need == part.Ref {
				t.Errorf("%s needs %s", part.Ref, need)
			}
		}
	}
	for _, p := range inv.Programs {
		if !slices.ContainsFunc(p.Parts, func(ref string) bool { return strings.HasPrefix(ref, "pkg:golang/std@1.") }) {
			t.Errorf("%s is without Go: %v", p.Name, p.Parts)
		}
		for _, ref := range p.Parts {
			if !refs[ref] {
				t.Errorf("%s links %s, which is no part", p.Name, ref)
			}
		}
		windows := slices.ContainsFunc(p.Parts, func(ref string) bool { return strings.Contains(ref, "mousetrap") })
		if windows != strings.HasPrefix(p.Name, "deepemd windows/") {
			t.Errorf("%s links mousetrap: %v", p.Name, windows)
		}
	}
	if len(inv.Programs) != len(Platforms)+5 {
		t.Errorf("%d programs", len(inv.Programs))
	}
}

// Nobody puts a picture, a font or a recording into what is shipped without saying who
// made it.
func TestFilesHaveTheirMakers(t *testing.T) {
	known := slices.Clone(ours)
	for _, g := range pictures {
		known = append(known, g.files...)
	}
	used := map[string]bool{}
	walkShipped(t, func(name string) {
		switch path.Ext(name) {
		case ".go", ".js", ".mjs", ".ts", ".tsx", ".css", ".html", ".tmpl", ".json", ".md", ".txt", ".webmanifest":
			return
		}
		for _, pattern := range known {
			if ok, err := path.Match(pattern, name); err == nil && ok {
				used[pattern] = true
				return
			}
		}
		t.Errorf("%s: who made it, and under which licence? Write it down in tools/thirdparty/others.go", name)
	})
	for _, pattern := range known {
		if !used[pattern] {
			t.Errorf("tools/thirdparty/others.go names %s: there is no such file", pattern)
		}
	}
}

var marks = regexp.MustCompile(`(?i)copyright|@licen[cs]e|SPDX-License|@preserve`)

// A script of others that is copied says so in its head, and is known.
func TestScriptsOfOthersAreKnown(t *testing.T) {
	n := 0
	walkShipped(t, func(name string) {
		if !slices.Contains([]string{".js", ".mjs", ".ts", ".css", ".svg"}, path.Ext(name)) {
			return
		}
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		n++
		if found := marks.Find(text); found != nil && name != "wasm/npm/wasm_exec.js" { // Go's
			t.Errorf("%s says %q: is it a copy of somebody's? Then tools/thirdparty/others.go has to know it", name, found)
		}
	})
	if n < 100 {
		t.Errorf("only %d scripts: are they elsewhere now?", n)
	}
}

// walkShipped calls a function with the names of all files that are shipped unchanged.
func walkShipped(t *testing.T, visit func(name string)) {
	t.Helper()
	for _, folder := range []string{"web/static", "web/lessons", "web/examples", "web/player", "web/styles", "web/shell", "wasm/npm"} {
		err := filepath.WalkDir(filepath.Join(root, filepath.FromSlash(folder)), func(file string, entry fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			if entry.IsDir() {
				if entry.Name() == "testdata" || entry.Name() == "node_modules" {
					return fs.SkipDir
				}
				return nil
			}
			rel, err := filepath.Rel(root, file)
			if err == nil && !strings.HasPrefix(entry.Name(), ".") {
				visit(filepath.ToSlash(rel))
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// The texts that are kept here are those of what npm installs for the reference.
func TestTextsAreThoseOfTheTool(t *testing.T) {
	for name, kept := range map[string]string{"typedoc": typedocLicence, "lunr": lunrLicence} {
		installed, err := os.ReadFile(filepath.Join(root, "build", "docs", "tool", "node_modules", name, "LICENSE"))
		if err != nil {
			t.Skipf("%v: make docs installs it", err)
		}
		if clean(installed) != clean([]byte(kept)) {
			t.Errorf("texts/%s.txt is not the licence of the %s that makes the reference: copy it again", name, name)
		}
	}
}
