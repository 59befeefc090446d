package main

import (
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/web/site"
)

var target = regexp.MustCompile(`href="([^"#]*)`)

// A site that was built without the reference has a page for each of its modules to which documents
// link, and these pages lead to the types.
func TestWithoutReference(t *testing.T) {
	source := os.DirFS("../..")
	pages := withoutReference(require.Value(fs.Glob(source, "wasm/npm/*.d.ts"))(t))
	links := 0
	for name, data := range require.Value(site.Documents(source))(t) {
		for _, link := range target.FindAllStringSubmatch(string(data), -1) {
			if !strings.HasPrefix(link[1], "reference/") {
				continue
			}
			links++
			if to := path.Join("docs", link[1]); pages[to] == nil && pages[path.Join(to, "index.html")] == nil {
				t.Errorf("%s leads to %s, which is missing", name, to)
			}
		}
	}
	if links == 0 {
		t.Error("no document leads to the reference")
	}
	for name, page := range pages {
		for _, link := range target.FindAllStringSubmatch(string(page), -1) {
			if to := path.Join(path.Dir(name), link[1]); strings.HasSuffix(to, ".d.ts") {
				_ = require.Value(fs.Stat(source, "wasm/npm/"+strings.TrimPrefix(to, "deepemd/")))(t)
			} else if to != "docs" && to != "web/icon.svg" && to != "examples/page.css" {
				t.Errorf("%s leads to %s", name, to)
			}
		}
	}
}
