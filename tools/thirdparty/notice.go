package thirdparty

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// NoticeFiles are where the notices lie, from the root: that of everything, which goes
// with the command, that of the site, and that of the packages for npm.
var NoticeFiles = []struct {
	Name string
	Of   []Product
}{
	{"NOTICE", []Product{Command, Site, NPM}},
	{"web/static/NOTICE.txt", []Product{Site}},
	{"wasm/npm/NOTICE.txt", []Product{NPM}},
}

// products are what notices call the products.
var products = map[Product]string{Command: "the command", Site: "the site", NPM: "the packages for npm"}

const columns = 100

// Notice returns the notice of products: what others made of them, what has to be said
// of it, and the texts of the licences, each once.
func Notice(inv Inventory, of ...Product) []byte {
	var out bytes.Buffer
	title := "DeepEMD"
	if len(of) == 1 {
		title += ": " + products[of[0]]
	}
	fmt.Fprintf(&out, "%s\n%s\n\n", title, strings.Repeat("=", len(title)))
	wrap(&out, "", "Copyright (c) 2026 The deepemd authors, under the MIT licence, whose text lies beside this file. It holds the work of others, too: this is what, under which licences, and the texts of these.")
	out.WriteString("\nMade by go run ./tools/notice -write: do not edit.\n")
	var shown []Part
	for _, part := range inv.Parts {
		if slices.ContainsFunc(part.In, func(p Product) bool { return slices.Contains(of, p) }) {
			shown = append(shown, part)
		}
	}
	for _, part := range shown {
		fmt.Fprintf(&out, "\n%s\n", part.title())
		if len(of) > 1 {
			var in []string
			for _, p := range part.In {
				in = append(in, products[p])
			}
			wrap(&out, "    ", "in "+strings.Join(in, ", "))
		}
		wrap(&out, "    ", "licence: "+part.Licence)
		wrap(&out, "    ", "from: "+part.From)
		if part.Note != "" {
			wrap(&out, "    ", part.Note)
		}
	}
	for _, group := range texts(shown) {
		fmt.Fprintf(&out, "\n%s\n", strings.Repeat("-", columns))
		for _, title := range group.of {
			fmt.Fprintf(&out, "%s\n", title)
		}
		fmt.Fprintf(&out, "%s\n\n%s", strings.Repeat("-", columns), group.text)
	}
	return out.Bytes()
}

func (p Part) title() string { return strings.TrimSpace(p.Name + " " + p.Version) }

// group is a text and the parts that it is the licence of.
type group struct {
	text string
	of   []string
}

// texts returns the texts of parts, each once, in the order in which they come.
func texts(parts []Part) (groups []*group) {
	of := map[string]*group{}
	for _, part := range parts {
		for _, text := range part.Texts {
			// Texts that differ in where their lines break are one.
			key := strings.Join(strings.Fields(text.Content), " ")
			if of[key] == nil {
				of[key] = &group{text: text.Content}
				groups = append(groups, of[key])
			}
			name := part.title()
			if len(part.Texts) > 1 {
				name += ", " + text.Name
			}
			of[key].of = append(of[key].of, name)
		}
	}
	return groups
}

// wrap writes a paragraph in lines that are not too long.
func wrap(out *bytes.Buffer, indent, text string) {
	line := indent
	for _, word := range strings.Fields(text) {
		if len(line)+1+len(word) > columns && strings.TrimSpace(line) != "" {
			fmt.Fprintln(out, line)
			line = indent
		}
		if line != indent {
			line += " "
		}
		line += word
	}
	fmt.Fprintln(out, line)
}
