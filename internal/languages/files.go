// Package languages holds all texts of the studio, of shared pages and of the element <deep-emd>,
// in one file per language, such as en.json.
//
// # Adding a language
//
// Copy en.json to the language's code, such as fr.json, translate it, and run
//
//	go generate ./internal/languages
//	go test ./tools/languages ./web/internal/texts
//
// No other file lists the languages: the settings, the page before its program runs, shared pages,
// the element and the command read the list of files. The tests report missing and untranslated
// texts, and messages that use arguments differently. Missing texts are shown in English.
//
// # Messages
//
// A message is plain text or uses a subset of ICU MessageFormat, which translation tools support:
//
//	{name}                                        an argument
//	{n, number}                                   in en.json: a whole number
//	{n, decimal}                                  in en.json: a number with decimals
//	{name, verbatim}                              without invisible characters (see below)
//	{n, plural, one {# image} other {# images}} the plural forms of the language
//	{n, plural, =0 {none} one {one} other {#}}    exact numbers
//
// In a plural form, # is the number. CLDR defines the forms of a language: English has one and
// other, Polish also few and many. The form other is required. Before a brace, use the typographic
// apostrophe ’.
//
// Names that contain right-to-left text are isolated by invisible Unicode characters, so that the
// rest keeps its order.
//
// # The files
//
// A file has sections for the parts of the page: notes.txt describes where texts appear if their
// names do not. The section sounds replaces texts of the same names on sound pages, and player.sounds
// on shared pages of sounds. The section player contains the texts of shared pages, and the section
// element the element's texts; number and list define how the language formats numbers and lists.
// web/internal/texts/words.go, a generated file, declares the texts of en.json for the studio.
package languages

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// Files contains one file per language, such as de.json.
//
//go:embed *.json
var Files embed.FS

// Default is the source language of translations and the fallback.
const Default = "en"

const suffix = ".json"

// Codes returns the language codes (BCP 47) of a folder such as Files: Default first, then the
// others in alphabetical order.
func Codes(files fs.FS) []string {
	names, err := fs.Glob(files, "*"+suffix)
	if err != nil {
		panic(err) // the pattern is valid
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

// Read returns the texts of a language by their paths in its file, such as "camera.start".
//
// # Errors
//
// An absent file, or one with other values than texts in objects. The error names the file.
func Read(files fs.FS, code string) (map[string]string, error) {
	data, err := fs.ReadFile(files, code+suffix)
	if err != nil {
		return nil, err
	}
	var tree map[string]any
	if err := json.Unmarshal(data, &tree); err != nil {
		return nil, fmt.Errorf("%s%s: %w: each text needs quotes, and all except the last a comma", code, suffix, err)
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
			return fmt.Errorf("%s%s is %v: write a text in quotes", path, name, value)
		}
	}
	return nil
}

//go:generate go run ../../tools/languages
