package main

import (
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/deepemd/deepemd/internal/languages"
)

// sideBySide returns a table of all texts for reviewers, tab-separated: a row for each text,
// a column for each language.
func sideBySide(files fs.FS) ([]byte, error) {
	columns := languages.Codes(files)
	texts := make([]map[string]string, len(columns))
	rows := map[string]bool{}
	for i, code := range columns {
		var err error
		if texts[i], err = languages.Read(files, code); err != nil {
			return nil, err
		}
		for name := range texts[i] {
			rows[name] = true
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "text\t%s\n", strings.Join(columns, "\t"))
	for _, name := range slices.Sorted(maps.Keys(rows)) {
		b.WriteString(name)
		for i := range columns {
			b.WriteString("\t" + texts[i][name])
		}
		b.WriteByte('\n')
	}
	return []byte(b.String()), nil
}
