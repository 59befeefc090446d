// Package languages holds every word of the studio, of shared pages and of the element
// <deep-emd>: one file for each language, such as en.json.
//
// # Adding a language
//
// Copy en.json to the language's code, such as fr.json, translate it, and run
//
//	go generate ./internal/languages
//	go run ./tools/languages -check
//	go test ./web/internal/texts
//
// Nothing else names the language: the settings, the page before its program runs, shared
// pages, the element and the command all list the files. The checks name what is missing,
// what is left in English, and what a message does with its arguments. A text that is
// missing is shown in English. side-by-side.tsv, which is generated, has a column for each
// language: read the texts there.
//
// # Messages
//
// A message is plain text or uses a part of ICU MessageFormat, which translators' tools know:
//
//	{name}                                        what the page puts there
//	{n, number}                                   in en.json: it is a whole number
//	{n, decimal}                                  in en.json: it is a number with decimals
//	{name, verbatim}                              without invisible characters (see below)
//	{n, plural, one {# picture} other {# pictures}} by the language's own plural forms
//	{n, plural, =0 {none} one {one} other {#}}    and for exact numbers
//
// In a plural form, # is the number. Which forms a language has is CLDR's to say: English
// has one and other, Polish one, few and many besides. The form other is always needed.
// An apostrophe is an apostrophe: write the typographic one, ’, before a brace.
//
// A name that runs from right to left in a sentence that runs the other way is set apart by
// the invisible characters that Unicode has for it, so that the rest keeps its place.
//
// # The files
//
// A file has sections, for the parts of the page: notes.txt says where texts are seen whose names
// do not. The section sounds says other words for pages of sounds, by the same names. The section
// player is what shared pages say, element what the element says; number and list say how the
// language writes numbers and lists, and serve all three. What en.json has is declared for the
// studio in web/internal/texts/words.go, which is generated.
package languages

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// Files are the languages: a file each, such as de.json.
//
//go:embed *.json
var Files embed.FS

// Default is the language that others are translated from, for whoever reads none of the
// others.
const Default = "en"

// suffix ends the name of a language's file.
const suffix = ".json"

// Codes lists the languages of a folder such as Files, by their codes (BCP 47): Default
// first, then the others in the order of the alphabet.
func Codes(files fs.FS) []string {
	names, err := fs.Glob(files, "*"+suffix)
	if err != nil {
		panic(err) // the pattern is right
	}
	codes := []string{Default}
	for _, name := range names {
		if code := strings.TrimSuffix(name, suffix); code != Default {
			codes = append(codes, code)
		}
	}
	slices.Sort(codes[1:])
	return codes
}

// Name returns what a language calls itself, with which its file begins.
//
// # Errors
//
// It returns an error that names the file if there is none of the language, or if it begins
// with something else.
func Name(files fs.FS, code string) (string, error) {
	file, err := files.Open(code + suffix)
	if err != nil {
		return "", err
	}
	defer file.Close()
	tokens := json.NewDecoder(file)
	var begin [3]json.Token // {, "name" and the name
	for i := range begin {
		if begin[i], err = tokens.Token(); err != nil {
			return "", fmt.Errorf("%s%s: %w", code, suffix, err)
		}
	}
	name, ok := begin[2].(string)
	if begin[1] != "name" || !ok || name == "" {
		return "", fmt.Errorf("%s%s does not begin with the language's name: write \"name\" and what it calls itself first", code, suffix)
	}
	return name, nil
}

// Read returns the texts of a language by their paths in its file, such as
// "camera.start".
//
// # Errors
//
// It returns an error that names the file if there is none of the language, or if it is
// something else than texts in objects.
func Read(files fs.FS, code string) (map[string]string, error) {
	data, err := fs.ReadFile(files, code+suffix)
	if err != nil {
		return nil, err
	}
	var tree map[string]any
	if err := json.Unmarshal(data, &tree); err != nil {
		return nil, fmt.Errorf("%s%s: %w: a text stands in quotes, after each but the last stands a comma", code, suffix, err)
	}
	texts := make(map[string]string, 1024)
	if err := flatten(texts, "", tree); err != nil {
		return nil, fmt.Errorf("%s%s: %w", code, suffix, err)
	}
	return texts, nil
}

func flatten(texts map[string]string, path string, tree map[string]any) error {
	for name, value := range tree {
		switch value := value.(type) {
		case string:
			texts[path+name] = value
		case map[string]any:
			if err := flatten(texts, path+name+".", value); err != nil {
				return err
			}
		default:
			return fmt.Errorf("%s%s is %v: give a text in quotes", path, name, value)
		}
	}
	return nil
}

//go:generate go run ../../tools/languages
