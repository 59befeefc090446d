package main

import (
	"errors"
	"fmt"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/tools/go/packages"
)

// unused returns an error for each text that no program says: fields of Words that neither the
// studio nor the page before it uses, and what the scripts for shared pages and the element
// declare and do not use.
func unused(root string) error {
	boot, err := os.ReadFile(filepath.Join(root, "web", "static", "web", "boot.js")) // says the section boot
	if err != nil {
		return err
	}
	used := map[token.Position]bool{}
	declared := map[token.Position]string{}
	for _, c := range []struct {
		env      []string
		patterns []string
	}{
		{[]string{"GOOS=js", "GOARCH=wasm"}, []string{"./web/studio", "./web/internal/..."}},
		{nil, []string{"./web/site", "./web/internal/texts"}},
	} {
		found, err := packages.Load(&packages.Config{
			Mode: packages.NeedName | packages.NeedImports | packages.NeedTypes | packages.NeedSyntax | packages.NeedTypesInfo,
			Dir:  root, Env: append(os.Environ(), c.env...),
		}, c.patterns...)
		if err != nil {
			return err
		}
		for _, p := range found {
			if len(p.Errors) > 0 {
				return p.Errors[0]
			}
			at := func(o types.Object) token.Position { return p.Fset.Position(o.Pos()) }
			if p.Name == "texts" {
				for identifier, o := range p.TypesInfo.Defs {
					if field, ok := o.(*types.Var); ok && field.IsField() && filepath.Base(at(o).Filename) == "words.go" {
						declared[at(o)] = identifier.Name
					}
				}
			}
			for identifier, o := range p.TypesInfo.Uses {
				if filepath.Base(p.Fset.Position(identifier.Pos()).Filename) != "words.go" {
					used[at(o)] = true
				}
			}
		}
	}
	var wrong []error
	for place, name := range declared {
		if !used[place] && !regexp.MustCompile(`[."]`+strings.TrimSuffix(name, "Text")+`\b`).Match(boot) {
			wrong = append(wrong, fmt.Errorf("nothing says %s (%s:%d): use it, or remove it from the languages", name, filepath.Base(place.Filename), place.Line))
		}
	}
	if len(declared) < 100 {
		wrong = append(wrong, fmt.Errorf("only %d texts are declared: is web/internal/texts/words.go there?", len(declared)))
	}
	slices.SortFunc(wrong, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	return errors.Join(append(wrong, unusedInScripts(root))...)
}

// key is a property of the words in a script.
var key = regexp.MustCompile(`(?m)^  ([A-Za-z]\w*): `)

// unusedInScripts names what no script beside a script of words uses. Names may be put together
// of two parts, as ${kind}Insecure.
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
				wrong = append(wrong, fmt.Errorf("%s: nothing says %s: use it, or remove it from the languages", s.file, match[1]))
			}
		}
	}
	return errors.Join(wrong...)
}
