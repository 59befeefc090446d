package texts

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode"

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
	code := given["code"]
	return newLoader(code, given).fill(code)
}

// checked makes the texts of a language of what is given, by the texts' names. The error names each
// text that the page cannot say.
func checked(code string, given map[string]string) (*Texts, error) {
	l := newLoader(code, given)
	l.known = map[string]bool{"code": true}
	t := l.fill(code)
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
	rules  languages.Rules
	known  map[string]bool // names of texts of the page; nil where nothing is checked
	errors []error
}

func newLoader(code string, given map[string]string) *loader {
	return &loader{given: given, rules: languages.Rules{Point: given["number.point"], Plural: languages.PluralOf(code)}}
}

func (l *loader) wrong(name string, err error) {
	l.errors = append(l.errors, fmt.Errorf("%s: %w", name, err))
}

// fill returns the texts, with those of pages of sounds.
func (l *loader) fill(code string) *Texts {
	t, other := &Texts{Code: code}, &Texts{Code: code}
	l.section("", reflect.ValueOf(t).Elem(), reflect.ValueOf(other).Elem())
	t.sounds = other
	return t
}

// section fills in the fields of a struct whose names begin with prefix, and those of other, which is
// what pages of sounds say.
func (l *loader) section(prefix string, v, other reflect.Value) {
	of := v.Type()
	for i := range of.NumField() {
		field, to, also := of.Field(i), v.Field(i), other.Field(i)
		name := prefix + small(field.Name)
		switch {
		case !field.IsExported() || name == "code":
		case to.Kind() == reflect.Struct:
			l.section(name+".", to, also)
		case to.Kind() == reflect.Map:
			l.choices(name+".", to, nil)
			l.choices(sounds+name+".", also, to.Interface().(map[string]string))
		case !l.text(name, field, to):
		case !l.text(sounds+name, field, also):
			also.Set(to)
		}
	}
}

// text fills in a text and reports whether one is given.
func (l *loader) text(name string, field reflect.StructField, to reflect.Value) bool {
	if l.known != nil {
		l.known[name] = true
	}
	text, ok := l.given[name]
	switch {
	case !ok:
	case to.Kind() == reflect.String:
		to.SetString(text)
	default:
		l.message(name, field, to, text)
	}
	return ok
}

// choices fills in a map of texts: what is given beside what there is.
func (l *loader) choices(prefix string, to reflect.Value, there map[string]string) {
	all := map[string]string{}
	maps.Copy(all, there)
	for name, text := range l.given {
		if rest, ok := strings.CutPrefix(name, prefix); ok {
			if l.known != nil {
				l.known[name] = true
			}
			all[rest] = text
		}
	}
	to.Set(reflect.ValueOf(all))
}

// message has a field of a function type format a message with the arguments that its tag
// names.
func (l *loader) message(name string, field reflect.StructField, to reflect.Value, text string) {
	if l.known != nil {
		if err := check(text, arguments(field)); err != nil {
			l.wrong(name, err)
			return
		}
	}
	var m languages.Message
	var names []string
	rules, asName := l.rules, field.Tag.Get("keeps") != ""
	say := func(in ...any) string {
		if m == nil {
			m, _ = languages.Parse(text) // it was checked here, or before it was served
			names = arguments(field)
		}
		return m.Format(rules, func(name string) any {
			value := in[slices.Index(names, name)]
			if name, ok := value.(string); ok && asName {
				return languages.Plain(name)
			}
			return value
		})
	}
	// What reflect calls in general is long to compile, and a page says much while it starts.
	switch f := to.Addr().Interface().(type) {
	case *func(int) string:
		*f = func(n int) string { return say(n) }
	case *func(string) string:
		*f = func(text string) string { return say(text) }
	case *func(int, int) string:
		*f = func(n, all int) string { return say(n, all) }
	case *func(string, int) string:
		*f = func(text string, n int) string { return say(text, n) }
	case *func(string, string) string:
		*f = func(text, other string) string { return say(text, other) }
	default:
		to.Set(reflect.MakeFunc(field.Type, func(in []reflect.Value) []reflect.Value {
			values := make([]any, len(in))
			for i, v := range in {
				values[i] = v.Interface()
			}
			return []reflect.Value{reflect.ValueOf(say(values...))}
		}))
	}
}

// arguments are the names that a field's tag gives to what its function takes.
func arguments(field reflect.StructField) []string { return strings.Fields(field.Tag.Get("args")) }

// check says what is wrong with a message that is given some arguments.
func check(text string, args []string) error {
	m, err := languages.Parse(text)
	if err != nil {
		return err
	}
	for _, name := range m.Args() {
		if !slices.Contains(args, name) {
			return fmt.Errorf("%q has {%s}, and the page gives only {%s}", text, name, strings.Join(args, "}, {"))
		}
	}
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
