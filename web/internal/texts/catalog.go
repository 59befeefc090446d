package texts

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/deepemd/deepemd/internal/languages"
)

// Language is a language of the page.
type Language struct {
	Code string // BCP 47, such as "en"
	Name string // in the language itself
}

// Languages returns the page's languages; the first is the fallback.
func Languages() []Language {
	var all []Language
	for _, code := range languages.Codes(languages.Files) {
		all = append(all, Language{code, In(code).Name})
	}
	return all
}

// loaded are the texts of all languages by code, after once. A function that loads them when the
// program starts would put the files into the studio's program.
var (
	loaded map[string]*Texts
	once   sync.Once
)

// In returns the texts in the language of a code, the same value each time, or nil if there is no
// such language.
func In(code string) *Texts {
	once.Do(func() {
		loaded = map[string]*Texts{}
		for _, code := range languages.Codes(languages.Files) {
			var err error
			if loaded[code], err = Load(languages.Files, code); err != nil {
				panic(err) // a test reads every file
			}
		}
	})
	return loaded[code]
}

// Load reads the texts of a language from a folder such as languages.Files. Missing texts are in
// languages.Default. It returns the errors of Served.
func Load(files fs.FS, code string) (*Texts, error) {
	data, err := Served(files, code)
	if err != nil {
		return nil, err
	}
	return Decode(string(data)), nil
}

// elsewhere are the prefixes of the texts of shared pages and the element.
var elsewhere = []string{"player.", "element."}

// Served returns the texts of a language, encoded for Decode: one line per text, with its name, the
// arguments that the page gives, after commas, and after a tab the text. Missing texts are in
// languages.Default.
//
// # Errors
//
// It returns an error that names each invalid message, each message with other arguments than
// the page passes, and each unknown text.
func Served(files fs.FS, code string) ([]byte, error) {
	given, err := languages.Read(files, code)
	if err != nil {
		return nil, err
	}
	original, err := languages.Read(files, languages.Default)
	if err != nil {
		return nil, err
	}
	for name, text := range original {
		if given[name] == "" && !strings.HasPrefix(name, sounds) {
			given[name] = text
		}
	}
	var lines bytes.Buffer
	fmt.Fprintf(&lines, "code\t%s", code)
	for _, kind := range []string{classes, projects} {
		names, err := defaultNames(files, kind)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&lines, "\n%s\t%s", defaults+kind, names)
	}
	var wrong []error
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if slices.ContainsFunc(elsewhere, func(s string) bool { return strings.HasPrefix(name, s) }) {
			continue
		}
		source, ok := original[strings.TrimPrefix(name, sounds)]
		if !ok {
			wrong = append(wrong, fmt.Errorf("%s: the page has no such text: is the name right, or is it no longer needed?", name))
			continue
		}
		arguments, err := fits(given[name], source)
		if err != nil {
			wrong = append(wrong, fmt.Errorf("%s: %w", name, err))
		}
		fmt.Fprintf(&lines, "\n%s\t%s", strings.Join(append([]string{name}, arguments...), ","), given[name])
	}
	if wrong != nil {
		return nil, fmt.Errorf("%s.json: %w", code, errors.Join(wrong...))
	}
	return lines.Bytes(), nil
}

// fits returns the arguments of a message's source, or an error for a message that is invalid, has
// other arguments or is more than a line.
func fits(text, source string) (arguments []string, err error) {
	m, err := languages.Parse(text)
	if err != nil {
		return nil, err
	}
	from, err := languages.Parse(source)
	if err != nil {
		return nil, err
	}
	if strings.ContainsAny(text, "\t\n") {
		return nil, fmt.Errorf("%q has a tab or a line break: a text is one line", text)
	}
	for _, name := range m.Args() {
		if !slices.Contains(from.Args(), name) {
			return nil, fmt.Errorf("%q has {%s}, and the page gives only {%s}", text, name, strings.Join(from.Args(), "}, {"))
		}
	}
	return from.Args(), nil
}
