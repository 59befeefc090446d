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
		name, err := languages.Name(languages.Files, code)
		if err != nil {
			panic(err) // a test reads every file
		}
		all = append(all, Language{code, name})
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
		for _, l := range Languages() {
			var err error
			if loaded[l.Code], err = Load(languages.Files, l.Code); err != nil {
				panic(err) // a test reads every file
			}
		}
	})
	return loaded[code]
}

// Load reads the texts of a language from a folder such as languages.Files. Missing texts are in
// languages.Default.
//
// # Errors
//
// It returns an error that names each invalid message, each message with other arguments than
// the page passes, and each unknown text.
func Load(files fs.FS, code string) (*Texts, error) {
	given, err := whole(files, code)
	if err != nil {
		return nil, err
	}
	return fill(code, given), nil
}

// Served returns the texts that Load reads, encoded for Decode: one line per text, with a tab after
// its name.
func Served(files fs.FS, code string) ([]byte, error) {
	given, err := whole(files, code)
	if err != nil {
		return nil, err
	}
	given["code"] = code
	var lines bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if strings.ContainsAny(given[name], "\t\n") {
			return nil, fmt.Errorf("%s.json: %s has a tab or a line break: a text is one line", code, name)
		}
		fmt.Fprintf(&lines, "%s\t%s\n", name, given[name])
	}
	return bytes.TrimSuffix(lines.Bytes(), []byte("\n")), nil
}

// elsewhere are the prefixes of the texts of shared pages and the element.
var elsewhere = []string{"player.", "element."}

// whole returns the page's texts in a language; missing ones are in languages.Default. It returns an
// error for each invalid text.
func whole(files fs.FS, code string) (map[string]string, error) {
	given, err := languages.Read(files, code)
	if err != nil {
		return nil, err
	}
	original, err := languages.Read(files, languages.Default)
	if err != nil {
		return nil, err
	}
	isElsewhere := func(name, _ string) bool {
		return slices.ContainsFunc(elsewhere, func(s string) bool { return strings.HasPrefix(name, s) })
	}
	maps.DeleteFunc(given, isElsewhere)
	maps.DeleteFunc(original, isElsewhere)
	var wrong []error
	for name, text := range given {
		source, ok := original[strings.TrimPrefix(name, sounds)]
		if !ok {
			wrong = append(wrong, fmt.Errorf("%s: the page has no such text: is the name right, or is it no longer needed?", name))
		} else if err := fits(text, source); err != nil {
			wrong = append(wrong, fmt.Errorf("%s: %w", name, err))
		}
	}
	for _, kind := range []string{classes, projects} {
		if given[defaults+kind], err = defaultNames(files, kind); err != nil {
			return nil, err
		}
	}
	for name, text := range original {
		if given[name] == "" && !strings.HasPrefix(name, sounds) {
			given[name] = text
		}
	}
	if wrong != nil {
		return nil, fmt.Errorf("%s.json: %w", code, errors.Join(wrong...))
	}
	return given, nil
}

// fits returns an error for a message that is invalid or has other arguments than its source.
func fits(text, source string) error {
	m, err := languages.Parse(text)
	if err != nil {
		return err
	}
	from, err := languages.Parse(source)
	if err != nil {
		return err
	}
	for _, name := range m.Args() {
		if !slices.Contains(from.Args(), name) {
			return fmt.Errorf("%q has {%s}, and the page gives only {%s}", text, name, strings.Join(from.Args(), "}, {"))
		}
	}
	return nil
}
