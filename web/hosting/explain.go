package hosting

import (
	_ "embed"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/deepemd/deepemd/web/server"
)

//go:embed README.md.txt
var readme string

// explain adds what there is to tell the host: headers, in the form that several
// hosts read, and a README for those who set up others.
func explain(files map[string][]byte) {
	var pages [][]byte
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if path.Ext(name) == ".html" {
			pages = append(pages, files[name])
		}
	}
	header := server.Headers(pages...)
	names := slices.Sorted(maps.Keys(header))
	var lines strings.Builder
	for _, name := range names {
		fmt.Fprintf(&lines, "  %s: %s\n", name, header.Get(name))
	}
	files["_headers"] = []byte("/*\n" + lines.String() + "  Cache-Control: no-cache\n")
	files["README.md"] = []byte(strings.Replace(readme, "HEADERS\n", lines.String(), 1))
}
