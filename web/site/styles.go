package site

import (
	"bytes"
	"embed"
	"fmt"
	"slices"
)

//go:embed styles/*.css
var sheets embed.FS

// first are the sheets that the others build on.
var first = []string{"tokens.css", "base.css", "page.css"}

// Styles returns the style sheets of the studio as one: a sheet for each part of the page,
// those that the others build on first, then the others by name.
//
// A new part brings a sheet of its own, named after it; nothing else has to be
// told. It uses the values of tokens.css (colours, spacing, radii, type) and no
// others, so that light and dark come by themselves, keeps its selectors under
// the class of its part, so that the order of sheets does not matter, and holds
// its own rules for wider pages.
func Styles() ([]byte, error) {
	entries, err := sheets.ReadDir("styles")
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
		sheet, err := sheets.ReadFile("styles/" + name)
		if err != nil {
			return nil, fmt.Errorf("style sheet: %w", err)
		}
		bundle.Write(sheet)
		bundle.WriteByte('\n')
	}
	return bundle.Bytes(), nil
}
