package site

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/net/html"

	"github.com/deepemd/deepemd/internal/languages"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/web/internal/lessons"
)

// Every lesson has notes in every language with the same structure: headings, table rows, questions
// and figures.
func TestNotesAreInEveryLanguage(t *testing.T) {
	files := require.Value(Notes(os.DirFS("../..")))(t)
	for _, lesson := range lessons.All {
		var form string
		for _, language := range languages.Codes(languages.Files) {
			name := lesson.ID + "." + language + ".html"
			page, ok := files[name]
			if !ok {
				t.Errorf("no %s", name)
				continue
			}
			tree := require.Value(html.Parse(bytes.NewReader(page)))(t)
			var tags []string
			main := false
			for node := range tree.Descendants() {
				if node.Type != html.ElementNode {
					continue
				}
				main = main || node.Data == "main"
				if main && node.Data != "em" && node.Data != "strong" {
					tags = append(tags, node.Data)
				}
				for _, a := range node.Attr {
					if _, ok := files[a.Val]; !ok && (a.Key == "src" || a.Key == "href" && !strings.HasPrefix(a.Val, "../")) {
						t.Errorf("%s leads to %s, which is not there", name, a.Val)
					}
				}
			}
			got := strings.Join(tags, " ")
			if form == "" {
				form = got
			}
			if got != form {
				t.Errorf("%s has the form\n%s\nwant\n%s", name, got, form)
			}
			if strings.Count(got, "section") != 2 || strings.Count(got, "table") != 2 {
				t.Errorf("%s has not two pages with a table each", name)
			}
		}
	}
}

// Errors name the source.
func TestNotesThatAreNone(t *testing.T) {
	for text, want := range map[string]string{
		"# Only a page\n":                        "head",
		"---\ntitle: A\n---\none\n---\ntwo\n":    `"language"`,
		"---\ntitle: A\n---\none page alone\n\n": "two pages",
	} {
		source := fstest.MapFS{"web/internal/lessons/recycling.en.md": {Data: []byte(text)}}
		if _, err := Notes(source); err == nil || !strings.Contains(err.Error(), "recycling.en.md") || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want an error that names the file and says %s", text, err, want)
		}
	}
	if _, err := Notes(fstest.MapFS{}); err == nil {
		t.Error("a lesson without notes is no error")
	}
}
