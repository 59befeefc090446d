package site

import (
	"bytes"
	"io/fs"
	"os"
	"path"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/net/html"

	"github.com/deepemd/deepemd/internal/require"
)

// The targets of all links and images exist, in the pages, elsewhere in the site, or in the
// repository.
func TestPagesLead(t *testing.T) {
	repository := os.DirFS("../..")
	pages := require.Value(Documents(repository))(t)
	links := 0
	for name, page := range pages {
		if path.Ext(name) != ".html" {
			continue
		}
		tree := require.Value(html.Parse(bytes.NewReader(page)))(t)
		for node := range tree.Descendants() {
			for _, a := range node.Attr {
				if a.Key != "href" && a.Key != "src" {
					continue
				}
				links++
				if problem := follow(repository, pages, name, a.Val); problem != "" {
					t.Errorf("%s: %s: %s", name, a.Val, problem)
				}
			}
		}
	}
	if links < 100 {
		t.Errorf("only %d links", links)
	}
}

// follow returns the error of an address in a page, or "".
func follow(repository fs.FS, pages map[string][]byte, from, address string) string {
	target, anchor, _ := strings.Cut(address, "#")
	if own, ok := strings.CutPrefix(target, Repository); ok {
		_, file, _ := strings.Cut(strings.TrimPrefix(own, "blob/"), "main/")
		if _, err := fs.Stat(repository, file); err != nil {
			return err.Error()
		}
		return ""
	}
	switch {
	case strings.Contains(target, "://"), strings.HasPrefix(target, "reference/"), target == "../", target == "../web/icon.svg":
		return ""
	case strings.HasPrefix(target, "../examples/"):
		file := "web/" + strings.TrimPrefix(target, "../")
		if strings.HasSuffix(file, "/") {
			file += "index.html"
		}
		if _, err := fs.Stat(repository, file); err != nil {
			return err.Error()
		}
		return ""
	case target == "":
		target = from
	case target == "./":
		target = "index.html"
	}
	page, ok := pages[target]
	if !ok {
		return "no such page"
	}
	if anchor != "" && !bytes.Contains(page, []byte(`id="`+anchor+`"`)) {
		return "no such heading"
	}
	return ""
}

// Links are converted by their targets.
func TestAddress(t *testing.T) {
	s := &documents{fstest.MapFS{
		"web/docs/try.md": {}, "web/README.md": {}, "wasm/npm/deepemd.d.ts": {}, "RESULTS.md": {},
		"web/examples/plain/index.html": {}, "solver/doc.go": {},
	}, nil}
	for link, want := range map[string]string{
		"https://example.org/#a":       "https://example.org/#a",
		"#below":                       "#below",
		"../README.md#teach":           "studio.html#teach",
		"../../wasm/npm/deepemd.d.ts":  "reference/modules/deepemd.html",
		"../examples/plain/index.html": "../examples/plain/",
		"../../RESULTS.md#speed":       Repository + "blob/main/RESULTS.md#speed",
		"../../solver":                 Repository + "tree/main/solver",
	} {
		got, err := s.address("web/docs/try.md", []byte(link))
		if err != nil || string(got) != want {
			t.Errorf("%s leads to %q (%v), want %q", link, got, err, want)
		}
	}
	if _, err := s.address("web/docs/try.md", []byte("../gone.md")); err == nil {
		t.Error("a link that leads nowhere is no error")
	}
}

// Lines do not break within the names of options.
func TestOptionsStayWhole(t *testing.T) {
	page := string(require.Value(Documents(os.DirFS("../..")))(t)["command.html"])
	for _, want := range []string{
		`<code>deepemd classify <span class="option">--support</span> things <span class="option">--query</span> new/*.jpg</code>`,
		`<code><span class="option">--json</span></code>`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s", want)
		}
	}
}
