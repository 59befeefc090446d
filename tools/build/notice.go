package main

import (
	"bytes"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Products with third-party components, as in the table in NOTICE.
const (
	ofCommand = "command"
	ofSite    = "site"
	ofNPM     = "npm"
)

// component is a row of the table in NOTICE.
type component struct {
	name, version string
	license       string   // an SPDX expression
	in            []string // products
	texts         []string // files in licenses, or in the module if a name has a slash
	note          string   // attribution that the license requires
}

// The table has five columns, and notes follow it, one for each line.
const (
	noticeHead = `DeepEMD
Copyright (c) 2026 The deepemd authors. MIT license: LICENSE.

The command, the site and the npm packages contain the components below. The license texts are
in licenses/; each is there once. "make licenses" writes this file.

| component | version | license | in | text |
| --- | --- | --- | --- | --- |
`
	notesHead = "\nNotes\n\n"
)

func format(components []component) []byte {
	var out, notes bytes.Buffer
	out.WriteString(noticeHead)
	for _, c := range components {
		fmt.Fprintf(&out, "| %s | %s | %s | %s | %s |\n", c.name, c.version, c.license, strings.Join(c.in, " "), strings.Join(c.texts, " "))
		if c.note != "" {
			fmt.Fprintf(&notes, "- %s: %s\n", c.name, c.note)
		}
	}
	out.WriteString(notesHead)
	out.Write(notes.Bytes())
	return out.Bytes()
}

func parseNotice(text []byte) ([]component, error) {
	table, ok := bytes.CutPrefix(text, []byte(noticeHead))
	if !ok {
		return nil, fmt.Errorf("NOTICE has another head: make licenses writes it")
	}
	rows, notes, _ := strings.Cut(string(table), notesHead)
	var all []component
	for row := range strings.Lines(rows) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(row), "|"), "|")
		if len(cells) != 5 {
			return nil, fmt.Errorf("NOTICE: row %q has %d cells, want 5: make licenses writes it", row, len(cells))
		}
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		all = append(all, component{name: cells[0], version: cells[1], license: cells[2], in: strings.Fields(cells[3]), texts: strings.Fields(cells[4])})
	}
	for line := range strings.Lines(notes) {
		name, note, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "- "), ": ")
		for i := range all {
			if all[i].name == name {
				all[i].note = note
			}
		}
	}
	return all, nil
}

// notice returns NOTICE.txt of a product: its components and their license texts.
func (s *folder) notice(product string) ([]byte, error) {
	table, err := os.ReadFile(filepath.Join(s.root, "NOTICE"))
	if err != nil {
		return nil, err
	}
	components, err := parseNotice(table)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	var texts []string
	out.WriteString("DeepEMD\nCopyright (c) 2026 The deepemd authors. MIT license.\n\nThird-party components, and their licenses:\n\n")
	for _, c := range components {
		if !slices.Contains(c.in, product) {
			continue
		}
		fmt.Fprintf(&out, "- %s: %s", strings.TrimSpace(c.name+" "+c.version), c.license)
		if len(c.texts) > 0 {
			fmt.Fprintf(&out, " (%s)", strings.Join(c.texts, ", "))
		}
		if c.note != "" {
			fmt.Fprintf(&out, ". %s", c.note)
		}
		out.WriteByte('\n')
		for _, name := range c.texts {
			if !slices.Contains(texts, name) {
				texts = append(texts, name)
			}
		}
	}
	for _, name := range texts {
		file := name
		if !strings.Contains(name, "/") {
			file = path.Join(licensesFolder, name+".txt")
		}
		text, err := os.ReadFile(filepath.Join(s.root, filepath.FromSlash(file)))
		if err != nil {
			return nil, fmt.Errorf("NOTICE: %w: make licenses writes it", err)
		}
		fmt.Fprintf(&out, "\n%[1]s\n%[2]s\n%[1]s\n\n%[3]s", strings.Repeat("-", 80), name, text)
	}
	return out.Bytes(), nil
}
