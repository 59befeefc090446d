package texts

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/deepemd/deepemd/web/languages"
)

// sounds begins the names of what pages of sounds say in other words.
const sounds = "sounds."

// Decode reads what Served wrote.
func Decode(data []byte) (*Texts, error) {
	var given map[string]string
	if err := json.Unmarshal(data, &given); err != nil {
		return nil, err
	}
	return fill(given["code"], given)
}

// fill makes the texts of a language of what is given, by the texts' names.
func fill(code string, given map[string]string) (*Texts, error) {
	l := loader{given: given, known: map[string]bool{"code": true}}
	l.rules = languages.Rules{Point: given["number.point"], Plural: languages.PluralOf(code)}
	t := &Texts{Code: code}
	l.section("", reflect.ValueOf(t).Elem())
	other := *t
	l.section(sounds, reflect.ValueOf(&other).Elem())
	t.sounds = &other
	for name := range given {
		if !l.known[name] {
			l.wrong(name, errors.New("the page has no such text: is the name right, or is it no longer needed?"))
		}
	}
	return t, errors.Join(l.errors...)
}

// loader fills texts in from what a file gives.
type loader struct {
	given  map[string]string
	known  map[string]bool // names of texts of the page
	rules  languages.Rules
	errors []error
}

func (l *loader) wrong(name string, err error) {
	l.errors = append(l.errors, fmt.Errorf("%s: %w", name, err))
}

// section fills in the fields of a struct whose names begin with prefix.
func (l *loader) section(prefix string, v reflect.Value) {
	for i := range v.NumField() {
		field, to := v.Type().Field(i), v.Field(i)
		name := prefix + small(field.Name)
		switch {
		case !field.IsExported() || name == "code" || name == sounds+"code":
		case to.Kind() == reflect.Struct:
			l.section(name+".", to)
		case to.Kind() == reflect.Map:
			l.choices(name+".", to)
		default:
			l.known[name] = true
			text, ok := l.given[name]
			if !ok {
				continue
			}
			if to.Kind() == reflect.String {
				to.SetString(text)
			} else if err := l.message(field, to, text); err != nil {
				l.wrong(name, err)
			}
		}
	}
}

// choices fills in a map of texts, in place of what it held.
func (l *loader) choices(prefix string, to reflect.Value) {
	held := to.Interface().(map[string]string)
	all := map[string]string{}
	for name, text := range held {
		all[name] = text
	}
	for name, text := range l.given {
		if rest, ok := strings.CutPrefix(name, prefix); ok {
			l.known[name] = true
			all[rest] = text
		}
	}
	to.Set(reflect.ValueOf(all))
}

// message has a field of a function type format a message with the arguments that its tag
// names.
func (l *loader) message(field reflect.StructField, to reflect.Value, text string) error {
	names := strings.Fields(field.Tag.Get("args"))
	m, err := languages.Parse(text)
	if err != nil {
		return err
	}
	for _, name := range m.Args() {
		if !slices.Contains(names, name) {
			return fmt.Errorf("%q has {%s}, and the page gives only {%s}", text, name, strings.Join(names, "}, {"))
		}
	}
	asName := field.Tag.Get("keeps") != ""
	rules := l.rules
	to.Set(reflect.MakeFunc(field.Type, func(in []reflect.Value) []reflect.Value {
		said := m.Format(rules, func(name string) any {
			value := in[slices.Index(names, name)].Interface()
			if name, ok := value.(string); ok && asName {
				return languages.Plain(name)
			}
			return value
		})
		return []reflect.Value{reflect.ValueOf(said)}
	}))
	return nil
}

// small writes the name of a field as files do: CSVTime as csvTime.
func small(name string) string {
	upper := 0
	for upper < len(name) && unicode.IsUpper(rune(name[upper])) {
		upper++
	}
	if upper > 1 && upper < len(name) {
		upper-- // the last begins the next word
	}
	return strings.ToLower(name[:upper]) + name[upper:]
}
