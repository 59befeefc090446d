package texts

import (
	"slices"
	"strings"

	"github.com/deepemd/deepemd/internal/languages"
)

// sounds is the prefix of texts for pages of sounds.
const sounds = "sounds."

// Decode reads the valid output of Served. It delays the page's first paint, so messages are
// parsed on first use.
func Decode(data string) *Texts {
	given := map[string]string{}
	for line := range strings.SplitSeq(data, "\n") {
		name, text, _ := strings.Cut(line, "\t")
		given[name] = text
	}
	return fill(given["code"], given)
}

// fill returns the texts of a language, and those for pages of sounds.
func fill(code string, given map[string]string) *Texts {
	t := &Texts{Code: code, defaults: map[string][]string{}}
	for _, kind := range []string{classes, projects} {
		t.defaults[kind] = strings.Split(given[defaults+kind], between)
	}
	other := new(*t)
	t.sounds = other
	rules := languages.Rules{Point: given["number.point"], Plural: languages.PluralOf(code)}
	fields, others := t.fields(), other.fields()
	for i, name := range strings.Fields(names) {
		name, arguments, _ := strings.Cut(name, ",")
		set(fields[i], name, arguments, given, rules)
		if _, own := given[sounds+name]; own {
			name = sounds + name
		}
		set(others[i], name, arguments, given, rules)
	}
	return t
}

// set sets a field to its text, to the map of texts below its name, or to a function that formats
// its message.
func set(field any, name, arguments string, given map[string]string, rules languages.Rules) {
	switch f := field.(type) {
	case *string:
		*f = given[name]
	case *map[string]string:
		*f = map[string]string{}
		for full, text := range given {
			if key, ok := strings.CutPrefix(full, name+"."); ok {
				(*f)[key] = text
			}
		}
	default:
		var m languages.Message
		var order []string
		assign(field, func(in ...any) string {
			if m == nil {
				m, _ = languages.Parse(given[name]) // valid: checked by Served
				order = strings.Split(arguments, ",")
			}
			return m.Format(rules, func(name string) any { return in[slices.Index(order, name)] })
		})
	}
}
