package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/wasm/internal/protocol"
)

const root = "../../../.."

// The generated files in the tree are up to date.
func TestCurrent(t *testing.T) {
	files := require.Value(generate(root))(t)
	for name, want := range files {
		if got := contents(t, name); got != string(want) {
			t.Errorf("%s is not what the declaration says: run go generate ./wasm/internal/protocol", name)
		}
	}
}

// messages have a type as requests have one, and go the other way; workers, buttons and
// filters of sound have one, too.
var messages = []string{"progress", "down", "module", "classic", "button", "highpass"}

// Every request that is declared is sent by the page or the worker, and none is sent that is
// not declared. That the host answers it is tested there.
func TestRequests(t *testing.T) {
	if len(protocol.Messages) < 21 {
		t.Errorf("%d requests", len(protocol.Messages))
	}
	sent := map[string]bool{}
	for _, m := range requestType.FindAllStringSubmatch(scripts(t, false), -1) {
		sent[m[1]] = true
	}
	for _, m := range protocol.Messages {
		name := protocol.Type(m.Request)
		if !sent[name] {
			t.Errorf("no script sends %q", name)
		}
		delete(sent, name)
	}
	for name := range sent {
		if !slices.Contains(messages, name) {
			t.Errorf("a script sends %q, which is not declared", name)
		}
	}
}

var requestType = regexp.MustCompile(`\btype: "([A-Za-z]+)"`)

// Every code that is declared is used, and none is used that is not declared.
func TestCodes(t *testing.T) {
	s := require.Value(read(root))(t)
	used := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?:DeepEMDError|Failure)\((?:[a-z]+ (?:\? |=== "[a-z]+" \? ))?"([a-z-]+)"|code: "([a-z-]+)"|: "([a-z-]+)",$`).FindAllStringSubmatch(scripts(t, true), -1) {
		used[m[1]+m[2]+m[3]] = true
	}
	for _, m := range regexp.MustCompile(`(?:coded|reason)\{"([a-z-]+)",`).FindAllStringSubmatch(contents(t, "wasm/gallery/find.go")+contents(t, "wasm/gallery/request.go"), -1) {
		used[m[1]] = true
	}
	delete(used, "")
	delete(used, "file") // which the gallery's program tells its worker, and that says why
	for _, c := range s.codes {
		declaredHere := strings.Contains(contents(t, "wasm/internal/protocol/codes.go"), `"`+c.name+`"`)
		if declaredHere && !used[c.name] {
			t.Errorf("no script uses the code %q", c.name)
		}
		delete(used, c.name)
		if c.doc == "" {
			t.Errorf("the code %q has no comment", c.name)
		}
	}
	for code := range used {
		t.Errorf("a script uses the code %q, which is not declared", code)
	}
}

// A declaration that nothing can carry is refused.
func TestBadDeclarations(t *testing.T) {
	type own struct {
		_ struct{} `wire:"x"`
	}
	type mapped struct{ M map[string]int }
	type waiting struct{ C []chan int }
	for name, m := range map[string]protocol.Message{
		"worker's type": {Request: new(own)}, "map": {Request: new(mapped)}, "channel": {Request: new(protocol.Stop), Reply: new(waiting)},
	} {
		if _, err := new(source).types([]protocol.Message{m}); err == nil || !strings.Contains(err.Error(), "has no type for") {
			t.Errorf("%s: %v, want an error that says that there is no type", name, err)
		}
	}
}

// scripts returns the JavaScript files of the package; without the galleries' files, which have separate
// requests, unless all is set.
func scripts(t *testing.T, all bool) string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(root, "wasm/npm/*.js"))
	if err != nil || len(paths) < 10 {
		t.Fatalf("%d scripts, %v", len(paths), err)
	}
	var text strings.Builder
	for _, path := range paths {
		if name := filepath.Base(path); all || !strings.HasPrefix(name, "gallery") {
			text.WriteString(contents(t, "wasm/npm/"+name))
		}
	}
	return text.String()
}

func contents(t *testing.T, name string) string {
	t.Helper()
	data := require.Value(os.ReadFile(filepath.Join(root, filepath.FromSlash(name))))(t)
	return string(data)
}
