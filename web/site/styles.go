package site

import (
	"bytes"
	"cmp"
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"github.com/deepemd/deepemd/web/internal/feature"
)

//go:embed styles/*.css
var sheets embed.FS

// first are the sheets that other sheets use.
var first = []string{"tokens.css", "base.css", "page.css"}

// Styles returns the style sheets of the studio as one: the shared sheets first,
// then the sheets of the page and of the features by name.
//
// A sheet has the name of its part of the page, or is in the folder of its feature; there is no
// list. It uses only the values of tokens.css (colors, spacing, radii, type), so that light and dark
// need no rules, starts its selectors with the class of its part, so that the order of sheets does
// not matter, and contains its rules for wider pages.
func Styles() ([]byte, error) {
	all, err := eachSheet()
	if err != nil {
		return nil, err
	}
	var bundle bytes.Buffer
	for _, s := range all {
		bundle.Write(s.text)
		bundle.WriteByte('\n')
	}
	return bundle.Bytes(), nil
}

type styleSheet struct {
	name string
	text []byte
}

// eachSheet returns the style sheets in their order.
func eachSheet() ([]styleSheet, error) {
	var all []styleSheet
	for _, from := range []struct {
		files fs.FS
		names string
	}{{sheets, "styles/*.css"}, {feature.Styles, "*/*.css"}} {
		paths, err := fs.Glob(from.files, from.names)
		if err != nil {
			return nil, fmt.Errorf("style sheets: %w", err)
		}
		for _, p := range paths {
			text, err := fs.ReadFile(from.files, p)
			if err != nil {
				return nil, fmt.Errorf("style sheet: %w", err)
			}
			all = append(all, styleSheet{path.Base(p), text})
		}
	}
	place := func(s styleSheet) int {
		if i := slices.Index(first, s.name); i >= 0 {
			return i
		}
		return len(first)
	}
	slices.SortFunc(all, func(a, b styleSheet) int {
		return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(a.name, b.name))
	})
	return all, nil
}
