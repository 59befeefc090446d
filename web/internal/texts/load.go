package texts

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/deepemd/deepemd/internal/languages"
)

// sounds begins the names of what pages of sounds say in other words.
const sounds = "sounds."

// Decode reads what Served wrote, which is known to be right. It is on the way to the page's first
// picture: messages are read when they are said for the first time.
func Decode(data string) *Texts {
	given := map[string]string{}
	for line := range strings.SplitSeq(data, "\n") {
		name, text, _ := strings.Cut(line, "\t")
		given[name] = text
	}
	return fill(given["code"], given)
}

// fill returns the texts of a language, with those of pages of sounds.
func fill(code string, given map[string]string) *Texts {
	t, other := &Texts{Code: code}, &Texts{Code: code}
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

// set gives a field what is said by its name: a text, the texts whose names it begins, or a
// function of the arguments that formats a message.
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
				m, _ = languages.Parse(given[name]) // it was checked before it was served
				order = strings.Split(arguments, ",")
			}
			return m.Format(rules, func(name string) any { return in[slices.Index(order, name)] })
		})
	}
}

// check names each text that the page cannot say.
func check(given map[string]string) error {
	known := map[string]string{"code": ""} // arguments
	var sections []string
	fields := new(Words).fields()
	for i, name := range strings.Fields(names) {
		name, arguments, _ := strings.Cut(name, ",")
		known[name], known[sounds+name] = arguments, arguments
		if _, ok := fields[i].(*map[string]string); ok {
			sections = append(sections, name+".")
		}
	}
	var wrong []error
	for name, text := range given {
		arguments, ok := known[name]
		if !ok && !slices.ContainsFunc(sections, func(s string) bool { return strings.HasPrefix(name, s) }) {
			wrong = append(wrong, fmt.Errorf("%s: the page has no such text: is the name right, or is it no longer needed?", name))
		} else if err := checkMessage(text, arguments); err != nil {
			wrong = append(wrong, fmt.Errorf("%s: %w", name, err))
		}
	}
	return errors.Join(wrong...)
}

// checkMessage says what is wrong with a message that is given some arguments.
func checkMessage(text, arguments string) error {
	m, err := languages.Parse(text)
	if err != nil {
		return err
	}
	for _, name := range m.Args() {
		if !slices.Contains(strings.Split(arguments, ","), name) {
			return fmt.Errorf("%q has {%s}, and the page gives only {%s}", text, name, strings.ReplaceAll(arguments, ",", "}, {"))
		}
	}
	return nil
}
