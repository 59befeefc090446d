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

// loaded caches the languages in use, by code.
var loaded sync.Map

// In returns the texts in the language of a code, the same value each time. It panics if there is
// no such language or its file is invalid.
func In(code string) *Texts {
	if t, ok := loaded.Load(code); ok {
		return t.(*Texts)
	}
	t, err := Load(languages.Files, code)
	if err != nil {
		panic(err) // a test reads every file
	}
	same, _ := loaded.LoadOrStore(code, t)
	return same.(*Texts)
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
	if err := check(given); err != nil {
		return nil, fmt.Errorf("%s.json: %w", code, err)
	}
	return fill(code, given), nil
}

// Served returns the texts that Load reads, encoded for Decode: one line per text, with a tab after
// its name.
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

// elsewhere are the prefixes of the texts of shared pages and the element.
var elsewhere = []string{"player.", "element."}

// whole returns the page's texts in a language; missing ones are in languages.Default.
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
