package publish

import (
	_ "embed"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/deepemd/deepemd/internal/server"
)

//go:embed README.md.txt
var readme string

// explain adds what there is to tell the host: headers, in the form that several
// hosts read, and a README for those who set up others.
func explain(files map[string][]byte, embeddable bool) {
	var rules strings.Builder
	for _, r := range headerRules(files, embeddable) {
		for _, pattern := range r.patterns {
			fmt.Fprintf(&rules, "%s\n%s", pattern, r.lines)
		}
	}
	files["_headers"] = []byte(rules.String())
	sharing := closed
	if embeddable {
		sharing = open
	}
	files["README.md"] = []byte(strings.NewReplacer("HEADERS\n", indented(rules.String()), "SHARING\n", sharing).Replace(readme))
}

// closed and open describe in the README the permissions of pages of other origins.
const (
	closed = "With these headers, only pages of this site may frame it and use its files. Export with `--embed` for headers\n" +
		"that let any page use shared pages, project files, the package and the models.\n"
	open = "With these headers, pages of any origin may frame the files in `pages`, and fetch project files, `deepemd` and\n" +
		"`weights`. The studio itself stays with its own origin.\n"
)

// rule is which addresses are to have which headers.
type rule struct {
	patterns []string // /folder/*, /file
	lines    string   // a header each
}

// headerRules says what headers the files are to have. An address is in one rule only,
// as hosts join what several say, and of two policies a browser follows both.
func headerRules(files map[string][]byte, embeddable bool) []rule {
	var pages [][]byte
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if path.Ext(name) == ".html" && !strings.HasPrefix(name, server.PagesFolder) {
			pages = append(pages, files[name])
		}
	}
	var rules []rule
	add := func(pattern, lines string) {
		for i := range rules {
			if rules[i].lines == lines {
				rules[i].patterns = append(rules[i].patterns, pattern)
				return
			}
		}
		rules = append(rules, rule{[]string{pattern}, lines})
	}
	add("/", headerLines("index.html", embeddable, pages))
	patterns := map[string]string{"/" + WorkerScript: WorkerScript} // and a file that each is about
	for name := range files {
		pattern := "/" + name
		if folder, _, below := strings.Cut(name, "/"); below {
			pattern = "/" + folder + "/*"
		}
		patterns[pattern] = name
	}
	for _, pattern := range slices.Sorted(maps.Keys(patterns)) {
		add(pattern, headerLines(patterns[pattern], embeddable, pages))
	}
	if len(rules) == 1 {
		rules[0].patterns = []string{"/*"}
	}
	return rules
}

// headerLines are the headers of a file, one a line.
func headerLines(name string, embeddable bool, pages [][]byte) string {
	header := server.Headers(name, embeddable, pages...)
	var lines strings.Builder
	for _, name := range slices.Sorted(maps.Keys(header)) {
		fmt.Fprintf(&lines, "  %s: %s\n", name, header.Get(name))
	}
	return lines.String() + "  Cache-Control: no-cache\n"
}

// indented sets lines as Markdown shows them unchanged.
func indented(lines string) string {
	return "    " + strings.ReplaceAll(strings.TrimSuffix(lines, "\n"), "\n", "\n    ") + "\n"
}
