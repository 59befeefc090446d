// Command languages generates code from the files of internal/languages: the declaration of the
// studio's texts (web/internal/texts/words.go), and the scripts with the texts of shared pages and of
// the element <deep-emd>, with functions for messages with arguments.
//
//	go generate ./internal/languages
package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/deepemd/deepemd/internal/languages"
)

func main() {
	mod, err := exec.Command("go", "env", "GOMOD").Output()
	root := filepath.Dir(strings.TrimSpace(string(mod)))
	var files map[string][]byte
	if err == nil { // the current files, not those embedded at compile time
		files, err = generated(os.DirFS(filepath.Join(root, "internal", "languages")))
	}
	for name, data := range files {
		if err == nil {
			err = os.WriteFile(filepath.Join(root, filepath.FromSlash(name)), data, 0o644)
		}
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "languages: %v\n", err)
		os.Exit(1)
	}
}

// script is a generated script with the texts of a section and of common.
type script struct{ file, about, section string }

var scripts = []script{
	{"wasm/npm/element-words.js", "What <deep-emd> says, in each language.", "element."},
	{"internal/publish/words.js", "What a shared page says, in each language.", "player."},
}

// common maps sections of texts that all scripts have to their names in scripts.
var common = map[string]string{"number.percent": "percent", "notice.reasons.": "reasons."}

// generated returns the generated files by their paths in the module.
func generated(files fs.FS) (map[string][]byte, error) {
	words, err := generateWords(files)
	all := map[string][]byte{"web/internal/texts/words.go": words}
	for _, s := range scripts {
		script, wrong := s.generate(files)
		all[s.file], err = script, errors.Join(err, wrong)
	}
	return all, err
}

// words returns the texts of a script in a language, with their names in the script as keys. Missing
// texts are in languages.Default.
func (s script) words(files fs.FS, code string) (map[string]string, error) {
	given, err := languages.Read(files, code)
	if err != nil {
		return nil, err
	}
	instead, err := languages.Read(files, languages.Default)
	if err != nil {
		return nil, err
	}
	takes := maps.Clone(common)
	takes[s.section] = ""
	words := map[string]string{}
	for section, as := range takes {
		for name, text := range instead {
			if rest, ok := strings.CutPrefix(name, section); ok {
				words[as+rest] = cmp.Or(given[name], text)
			}
		}
		for name := range given {
			if strings.HasPrefix(name, section) && instead[name] == "" {
				return nil, fmt.Errorf("%s.json: %s: there is no such text in %s.json", code, name, languages.Default)
			}
		}
	}
	return words, nil
}
