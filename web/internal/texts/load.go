package texts

import (
	"reflect"
	"slices"
	"strings"

	"github.com/deepemd/deepemd/internal/languages"
)

// sounds is the prefix of texts for pages of sounds.
const sounds = "sounds."

// message is a text with the arguments that the page gives, in their order, separated by commas.
type message struct{ text, arguments string }

// Decode reads the valid output of Served. It delays the page's first paint, so messages are
// parsed on first use.
func Decode(data string) *Texts {
	given := map[string]message{}
	for line := range strings.SplitSeq(data, "\n") {
		name, text, _ := strings.Cut(line, "\t")
		name, arguments, _ := strings.Cut(name, ",")
		given[name] = message{text, arguments}
	}
	t := &Texts{Code: given["code"].text, defaults: map[string][]string{}}
	for _, kind := range []string{classes, projects} {
		t.defaults[kind] = strings.Split(given[defaults+kind].text, between)
	}
	t.sounds = new(*t)
	rules := languages.Rules{Point: given["number.point"].text, Plural: languages.PluralOf(t.Code)}
	t.each(func(name string, field reflect.Value) { set(field, name, given, rules) })
	t.sounds.each(func(name string, field reflect.Value) {
		if _, own := given[sounds+name]; own {
			name = sounds + name
		}
		set(field, name, given, rules)
	})
	return t
}

// each visits the fields of the texts, by the names of the texts in the files.
func (w *Words) each(visit func(name string, field reflect.Value)) {
	eachIn(reflect.ValueOf(w).Elem(), "", visit)
}

func eachIn(section reflect.Value, path string, visit func(name string, field reflect.Value)) {
	for named, field := range section.Fields() {
		name := path + strings.ToLower(named.Name[:1]) + named.Name[1:]
		if field.Kind() == reflect.Struct {
			eachIn(field, name+".", visit)
		} else {
			visit(name, field)
		}
	}
}

// set sets a field to its text, to the map of texts below its name, or to a function that formats
// its message.
func set(field reflect.Value, name string, given map[string]message, rules languages.Rules) {
	switch f := field.Addr().Interface().(type) {
	case *string:
		*f = given[name].text
	case *map[string]string:
		*f = map[string]string{}
		for full, m := range given {
			if key, ok := strings.CutPrefix(full, name+"."); ok {
				(*f)[key] = m.text
			}
		}
	default:
		said := given[name]
		var m languages.Message
		var order []string
		assign(f, func(in ...any) string {
			if m == nil {
				m, _ = languages.Parse(said.text) // valid: checked by Served
				order = strings.Split(said.arguments, ",")
			}
			return m.Format(rules, func(name string) any { return in[slices.Index(order, name)] })
		})
	}
}
