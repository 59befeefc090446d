package release

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// links finds where Markdown and its HTML lead.
var links = regexp.MustCompile(`\]\(([^)\s]+)\)|(?:src|href)="([^"]+)"`)

// TestLinksLead checks the targets of relative links in the documents, files and headings.
func TestLinksLead(t *testing.T) {
	for _, name := range tracked(t) {
		if path.Ext(name) != ".md" {
			continue
		}
		for _, match := range links.FindAllStringSubmatch(withoutCode(string(read(t, name))), -1) {
			target, anchor, _ := strings.Cut(match[1]+match[2], "#")
			if strings.Contains(target, ":") {
				continue
			}
			file := name
			if target != "" {
				file = path.Join(path.Dir(name), target)
			}
			if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(file))); errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s: no file %s", name, target)
			} else if anchor != "" && path.Ext(file) == ".md" && !headings(string(read(t, file)))[anchor] {
				t.Errorf("%s: %s has no heading #%s", name, file, anchor)
			}
		}
	}
}

// withoutCode drops blocks of code, which hold no links.
func withoutCode(text string) string {
	return regexp.MustCompile("(?s)```.*?```|`[^`\n]*`").ReplaceAllString(text, "")
}

// headings returns the anchors of a document, as GitHub makes them of headings.
func headings(text string) map[string]bool {
	anchors := map[string]bool{}
	for _, match := range regexp.MustCompile(`(?m)^#+ +(.+)$`).FindAllStringSubmatch(text, -1) {
		anchor := strings.ToLower(match[1])
		anchor = regexp.MustCompile("[^a-z0-9 _-]").ReplaceAllString(anchor, "")
		anchors[strings.ReplaceAll(anchor, " ", "-")] = true
	}
	return anchors
}
