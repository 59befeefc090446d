package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/deepemd/deepemd/internal/require"
)

// declared matches the lines of fields in the generated declaration of the studio's texts, and used
// matches selectors, and names in quotes, as boot.js has them.
var (
	declared = regexp.MustCompile(`(?m)^\t+([A-Z]\w*(?:, [A-Z]\w*)*) +(?:string|func\(.*\) string|map\[string\]string)$`)
	used     = regexp.MustCompile(`[."]([A-Za-z]\w*)\b`)
)

// unused returns an error for each text that no program uses.
func unused(root string) error { return errors.Join(unusedInStudio(root), unusedInScripts(root)) }

// unusedInStudio returns an error for each field of Words whose name is in none of the studio's
// sources. A name in several sections counts as used if one of them is.
func unusedInStudio(root string) error {
	const generatedWords = "words.go"
	names := map[string]bool{}
	var fields []string
	err := filepath.WalkDir(filepath.Join(root, "web"), func(path string, entry fs.DirEntry, err error) error {
		ending := filepath.Ext(path)
		if err != nil || ending != ".go" && filepath.Base(path) != "boot.js" || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		if filepath.Base(path) == generatedWords && filepath.Base(filepath.Dir(path)) == "texts" {
			for _, m := range declared.FindAllStringSubmatch(string(text), -1) {
				fields = append(fields, strings.Split(m[1], ", ")...)
			}
			return err
		}
		for _, m := range used.FindAllStringSubmatch(string(text), -1) {
			names[m[1]] = true
			if ending == ".js" {
				names[m[1]+"Text"] = true
			}
		}
		return err
	})
	if err != nil {
		return err
	}
	var wrong []error
	for _, name := range fields {
		if !names[name] {
			wrong = append(wrong, fmt.Errorf("no program uses the text %s: use it, or remove it from the languages", name))
		}
	}
	if len(fields) < 100 {
		wrong = append(wrong, fmt.Errorf("only %d texts are declared: is web/internal/texts/%s there?", len(fields), generatedWords))
	}
	return errors.Join(wrong...)
}

// key is a property of the words in a script.
var key = regexp.MustCompile(`(?m)^  ([A-Za-z]\w*): `)

// unusedInScripts returns an error for each text in a generated script that no script in the same
// folder uses. A name may be composed of two parts, as ${kind}Insecure.
func unusedInScripts(root string) error {
	var wrong []error
	for _, s := range scripts {
		path := filepath.Join(root, filepath.FromSlash(s.file))
		words, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		others, err := filepath.Glob(filepath.Join(filepath.Dir(path), "*.js"))
		if err != nil {
			return err
		}
		var source strings.Builder
		for _, other := range others {
			data, err := os.ReadFile(other)
			if err != nil {
				return err
			}
			if other != path {
				source.Write(data)
			}
		}
		original, _, _ := strings.Cut(string(words), "\n};")
		for _, match := range key.FindAllStringSubmatch(original, -1) {
			last := match[1][max(0, strings.LastIndexFunc(match[1], unicode.IsUpper)):]
			if !regexp.MustCompile(`\b` + match[1] + `\b|["}]` + last + `\b`).MatchString(source.String()) {
				wrong = append(wrong, fmt.Errorf("%s: no script uses the text %s: use it, or remove it from the languages", s.file, match[1]))
			}
		}
	}
	return errors.Join(wrong...)
}

// TestUnusedTexts names fields of every kind that no source uses.
func TestUnusedTexts(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"texts/words.go":   "type A struct {\n\tTitle, Lost, BootText string\n\tSaid      func(n int) string\n\tUnsaid    func(n int) string\n\tKinds map[string]string\n}\n",
		"studio/view.go":   "w.A.Title + w.A.Said(1)",
		"studio/a_test.go": "w.A.Lost",
		"static/boot.js":   `text("boot.Boot")`,
	} {
		path := filepath.Join(root, "web", filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	}
	err := unusedInStudio(root)
	for name, unused := range map[string]bool{"Title": false, "Lost": true, "BootText": false, "Said": false, "Unsaid": true, "Kinds": true} {
		if strings.Contains(fmt.Sprint(err), " text "+name+":") != unused {
			t.Errorf("%s: unused %v, error %v", name, unused, err)
		}
	}
}
