package texts

import (
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/deepemd/deepemd/web/languages"
)

// Best returns the texts in the first of the given languages, by tags such as "de-AT", that
// there are texts in; in languages.Default for none.
func Best(tags ...string) *Texts { return In(languages.Best(codes(), tags...)) }

// Languages are those that the page speaks; the first is for everybody else.
func Languages() []*Texts {
	var all []*Texts
	for _, code := range codes() {
		all = append(all, In(code))
	}
	return all
}

var codes = sync.OnceValue(func() []string { return languages.Codes(languages.Files) })

// loaded holds the languages that were asked for.
var loaded struct {
	sync.Mutex
	texts map[string]*Texts
}

// In returns the texts in the language of a code, the same each time. It panics where
// there is no such language, or its file is wrong.
func In(code string) *Texts {
	loaded.Lock()
	defer loaded.Unlock()
	t := loaded.texts[code]
	if t == nil {
		var err error
		if t, err = Load(languages.Files, code); err != nil {
			panic(err) // a test reads every file
		}
		if loaded.texts == nil {
			loaded.texts = map[string]*Texts{}
		}
		loaded.texts[code] = t
	}
	return t
}

// sounds begins the names of what pages of sounds say in other words.
const sounds = "sounds."

// elsewhere begin the names of what shared pages and the element say.
var elsewhere = []string{"player.", "element."}

// Load reads the texts of one language of a folder such as languages.Files. A text that is
// missing is the one of languages.Default.
//
// # Errors
//
// It returns an error that names each message that cannot be read or has other arguments
// than the page gives it, and each name that the page does not know.
func Load(files fs.FS, code string) (*Texts, error) {
	given, err := languages.Read(files, code)
	if err != nil {
		return nil, err
	}
	l := loader{given: given, known: map[string]bool{}}
	l.rules = languages.Rules{Point: given["number.point"], Plural: languages.PluralOf(code)}
	t := &Texts{Code: code}
	l.section("", reflect.ValueOf(t).Elem())
	if l.lacks && code != languages.Default {
		instead, err := languages.Read(files, languages.Default)
		if err != nil {
			return nil, err
		}
		for name, text := range instead {
			if given[name] == "" && !strings.HasPrefix(name, sounds) {
				given[name] = text
			}
		}
		l.section("", reflect.ValueOf(t).Elem())
	}
	other := *t
	l.section(sounds, reflect.ValueOf(&other).Elem())
	t.sounds = &other
	for name := range given {
		if !l.known[name] && !slices.ContainsFunc(elsewhere, func(s string) bool { return strings.HasPrefix(name, s) }) {
			l.wrong(name, errors.New("the page has no such text: is the name right, or is it no longer needed?"))
		}
	}
	if len(l.errors) > 0 {
		return nil, errors.Join(l.errors...)
	}
	return t, nil
}

// loader fills texts in from what a file gives.
type loader struct {
	given  map[string]string
	known  map[string]bool // names of texts of the page
	lacks  bool            // whether one of them is not given
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
			if !ok || text == "" {
				l.lacks = l.lacks || !strings.HasPrefix(prefix, sounds)
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
