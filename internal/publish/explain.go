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

// explain adds instructions for hosts: headers in a format that several hosts read, and a README.
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

// closed and open describe in the README the permissions of other origins.
const (
	closed = "With these headers, only pages of this site may frame it and use its files. Export with `--embed` for headers\n" +
		"that let any page use shared pages, project files, the package and the models.\n"
	open = "With these headers, pages of any origin may frame the files in `pages`, and fetch project files, `deepemd` and\n" +
		"`weights`. The studio itself remains closed to them.\n"
)

// rule assigns headers to addresses.
type rule struct {
	patterns []string // /folder/*, /file
	lines    string   // one header per line
}

// headerRules returns the headers of all files. Each address is in one rule, since hosts join the
// headers of several, and browsers enforce all policies.
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
	patterns := map[string]string{"/" + WorkerScript: WorkerScript}
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

func headerLines(name string, embeddable bool, pages [][]byte) string {
	header := server.Headers(name, embeddable, pages...)
	var lines strings.Builder
	for _, name := range slices.Sorted(maps.Keys(header)) {
		fmt.Fprintf(&lines, "  %s: %s\n", name, header.Get(name))
	}
	return lines.String() + "  Cache-Control: no-cache\n"
}

// indented formats lines as a Markdown code block.
func indented(lines string) string {
	return "    " + strings.ReplaceAll(strings.TrimSuffix(lines, "\n"), "\n", "\n    ") + "\n"
}
