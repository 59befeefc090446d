// Package styles holds the style sheets of the studio, a sheet for each part of
// the page, which the build joins into one file: one request.
//
// A new part brings a sheet of its own, named after it; nothing else has to be
// told. It uses the values of tokens.css (colours, spacing, radii, type) and no
// others, so that light and dark come by themselves, keeps its selectors under
// the class of its part, so that the order of sheets does not matter, and holds
// its own rules for wider pages.
package styles

import (
	"bytes"
	"embed"
	"fmt"
	"slices"
)

//go:embed *.css
var sheets embed.FS

// first are the sheets that the others build on.
var first = []string{"tokens.css", "base.css", "page.css"}

// Bundle returns all sheets as one: those that the others build on, then the
// others by name.
func Bundle() ([]byte, error) {
	entries, err := sheets.ReadDir(".")
	if err != nil {
		return nil, err
	}
	order := slices.Clone(first)
	for _, entry := range entries {
		if !slices.Contains(first, entry.Name()) {
			order = append(order, entry.Name())
		}
	}
	var bundle bytes.Buffer
	for _, name := range order {
		sheet, err := sheets.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("style sheet: %w", err)
		}
		bundle.Write(sheet)
		bundle.WriteByte('\n')
	}
	return bundle.Bytes(), nil
}
