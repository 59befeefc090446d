package texts

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/deepemd/deepemd/internal/languages"
)

// Language is one that the page speaks.
type Language struct {
	Code string // BCP 47, such as "en"
	Name string // in the language itself
}

// Languages are those that the page speaks; the first is for everybody else.
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

// Load reads the texts of one language of a folder such as languages.Files. A text that is
// missing is the one of languages.Default.
//
// # Errors
//
// It returns an error that names each message that cannot be read or has other arguments
// than the page gives it, and each name that the page does not know.
func Load(files fs.FS, code string) (*Texts, error) {
	given, err := whole(files, code)
	if err != nil {
		return nil, err
	}
	if err := check(given); err != nil {
		return nil, fmt.Errorf("%s.json: %w", code, err)
	}
	return fill(code, given), nil
}

// Served is a language as the page's program fetches it, for Decode: what Load reads, a line for each
// text, with a tab after its name.
func Served(files fs.FS, code string) ([]byte, error) {
	if _, err := Load(files, code); err != nil {
		return nil, err
	}
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

// elsewhere begin the names of what shared pages and the element say.
var elsewhere = []string{"player.", "element."}

// whole returns what the page says in a language, in the words of languages.Default where
// it has none.
func whole(files fs.FS, code string) (map[string]string, error) {
	given, err := languages.Read(files, code)
	if err != nil {
		return nil, err
	}
	instead, err := languages.Read(files, languages.Default)
	if err != nil {
		return nil, err
	}
	for name, text := range instead {
		if given[name] == "" && !strings.HasPrefix(name, sounds) {
			given[name] = text
		}
	}
	for name := range given {
		if slices.ContainsFunc(elsewhere, func(s string) bool { return strings.HasPrefix(name, s) }) {
			delete(given, name)
		}
	}
	return given, nil
}
