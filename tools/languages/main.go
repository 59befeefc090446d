// Command languages writes the scripts that hold what shared pages and the element
// <deep-emd> say, of the files of internal/languages: each language's words, as functions where a
// message has arguments, so that neither needs to read messages.
//
//	go generate ./internal/languages
package main

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/deepemd/deepemd/internal/languages"
)

func main() {
	mod, err := exec.Command("go", "env", "GOMOD").Output()
	if err == nil {
		root := filepath.Dir(strings.TrimSpace(string(mod)))
		// The files as they are now, not as they were when this was compiled.
		err = write(os.DirFS(filepath.Join(root, "internal", "languages")), root)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "languages:", err)
		os.Exit(1)
	}
}

// A script is a generated one.
type script struct {
	file  string // below the module's root
	about string
	// takes are the texts that it has: sections, by the names that they get in the script, ""
	// for its own.
	takes []taken
}

type taken struct{ section, as string }

var scripts = []script{
	{"wasm/npm/element-words.js", "What <deep-emd> says, in each language.", []taken{{"element.", ""}, {"number.percent", "percent"}, {"notice.reasons.", "reasons."}}},
	{"internal/publish/words.js", "What a shared page says, in each language.", []taken{{"player.", ""}, {"number.percent", "percent"}, {"notice.reasons.", "reasons."}}},
}

func write(files fs.FS, root string) error {
	for _, s := range scripts {
		data, err := s.generate(files)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(root, filepath.FromSlash(s.file)), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// words are the texts of a language that a script has, by their names there. Those that
// the language lacks are in languages.Default.
func (s script) words(files fs.FS, code string) (map[string]string, error) {
	given, err := languages.Read(files, code)
	if err != nil {
		return nil, err
	}
	instead, err := languages.Read(files, languages.Default)
	if err != nil {
		return nil, err
	}
	words := map[string]string{}
	for _, t := range s.takes {
		for name, text := range instead {
			rest, ok := strings.CutPrefix(name, t.section)
			if !ok {
				continue
			}
			if own := given[name]; own != "" {
				text = own
			}
			words[t.as+rest] = text
		}
		for name := range given {
			if strings.HasPrefix(name, t.section) && instead[name] == "" {
				return nil, fmt.Errorf("%s.json: %s: there is no such text in %s.json", code, name, languages.Default)
			}
		}
	}
	return words, nil
}
