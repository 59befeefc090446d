package shell

import (
	"slices"
	"strings"
)

// tidy makes what go-app prints the same every time, and right where go-app
// leaves it to the program in the browser to set it right: attributes come in
// the order of their names; a boolean one that is false is left out; aria-…
// says "true" in full.
func tidy(html string) string {
	var out strings.Builder
	for {
		open := strings.IndexByte(html, '<')
		if open < 0 {
			out.WriteString(html)
			return out.String()
		}
		out.WriteString(html[:open])
		end := tagEnd(html[open:])
		out.WriteString(tidyTag(html[open : open+end]))
		html = html[open+end:]
	}
}

// tagEnd returns where a tag ends, just past its ">".
func tagEnd(html string) int {
	quoted := false
	for i := range len(html) {
		switch html[i] {
		case '"':
			quoted = !quoted
		case '>':
			if !quoted {
				return i + 1
			}
		}
	}
	return len(html)
}

func tidyTag(tag string) string {
	name, rest, more := strings.Cut(strings.TrimSuffix(tag, ">"), " ")
	if !more {
		return tag
	}
	var attributes []string
	for rest = strings.TrimSpace(rest); rest != ""; rest = strings.TrimSpace(rest) {
		end := attributeEnd(rest)
		attribute := rest[:end]
		rest = rest[end:]
		key, value, valued := strings.Cut(attribute, "=")
		switch {
		case value == `"false"` && !strings.HasPrefix(key, "aria-") && key != "spellcheck":
			continue
		case !valued && strings.HasPrefix(key, "aria-"):
			attribute = key + `="true"`
		}
		attributes = append(attributes, attribute)
	}
	slices.Sort(attributes)
	return strings.Join(append([]string{name}, attributes...), " ") + ">"
}

// attributeEnd returns where the attribute that begins the text ends.
func attributeEnd(text string) int {
	quoted := false
	for i := range len(text) {
		switch text[i] {
		case '"':
			quoted = !quoted
		case ' ':
			if !quoted {
				return i
			}
		}
	}
	return len(text)
}
