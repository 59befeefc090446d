package thirdparty

import (
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	licenseclassifier "github.com/google/licenseclassifier/v2"
	"github.com/google/licenseclassifier/v2/assets"
)

// accepted are the licences that somebody has read, with what they ask of those who ship
// programs and the site. The notice carries it all: texts whole, notes beside the names.
var accepted = []string{
	"Apache-2.0",   // its text, and the NOTICE of its makers
	"BSD-2-Clause", // its text, with the copyright
	"BSD-3-Clause", // the same
	"CC-BY-4.0",    // its text, and who made what, where it is, whether it was changed
	"FTL",          // its text, and that the FreeType project has a part in it
	"MIT",          // its text, with the copyright
	"OFL-1.1",      // its text beside the fonts
	"Unlicense",    // nothing
}

// Identified reports whether the name of an accepted licence is an identifier of SPDX.
func Identified(licence string) bool { return slices.Contains(accepted, licence) }

// choice is what the project says of a module where its files do not.
type choice struct {
	// files are the licences of files of which the text says nothing, or too much: an SPDX
	// identifier, "" for a file that is only kept. A pattern of path.Match is no licence file
	// by its name, but one of these.
	files map[string]string
	note  string
}

var choices = map[string]choice{
	"github.com/ajstarks/svgo": {
		files: map[string]string{"LICENSE-link.txt": ""}, // says which licence LICENSE is
		note:  "svgo by Anthony Starks, https://github.com/ajstarks/svgo, under CC BY 4.0 (https://creativecommons.org/licenses/by/4.0/legalcode), unchanged and without warranty.",
	},
	"github.com/apache/arrow/go/arrow": {
		files: map[string]string{"LICENSE.txt": "Apache-2.0"}, // the others are of parts in other languages
	},
	"github.com/golang/freetype": {
		// One of two licences may be chosen: this one, not the GPL.
		files: map[string]string{"LICENSE": "", "licenses/ftl.txt": "FTL"},
		note:  "Portions of this software are copyright © 1996-2017 The FreeType Project (www.freetype.org), and of the Freetype-Go authors. All rights reserved.",
	},
	"golang.org/x/image": {
		files: map[string]string{"font/gofont/ttfs/README": "BSD-3-Clause"}, // the Go fonts, in plots
	},
	"gonum.org/v1/gonum": {
		files: map[string]string{"THIRD_PARTY_LICENSES/*": ""}, // the classifier knows few of them; all are permissive
	},
	itself: {
		note: "Its runtime and packages are in every program; wasm_exec.js, which starts those for browsers, is a copy.",
	},
}

// licenceFile matches the names of files that licences lie in.
var licenceFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|unlicense|notice|copyright)([-._].*)?$`)

// licenceOf finds the licence of a module: an SPDX expression, the texts, and a note.
func licenceOf(m *module) (expression string, texts []Text, note string, err error) {
	chosen := choices[m.path]
	names, err := licenceFiles(m, chosen)
	if err != nil {
		return "", nil, "", fmt.Errorf("%s: %w", m.path, err)
	}
	found := map[string]bool{}
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join(m.dir, filepath.FromSlash(name)))
		if err != nil {
			return "", nil, "", fmt.Errorf("%s: %w", m.path, err)
		}
		texts = append(texts, Text{name, clean(data)})
		licences, known := chosen.licence(name)
		if !known && !isNotice(name) {
			if licences, err = recognise(data); err != nil {
				return "", nil, "", err
			}
			if len(licences) == 0 {
				return "", nil, "", fmt.Errorf("%s: the licence in %s is not recognised: read it, and write down what it is in tools/thirdparty/licence.go (choices)",
					m.path, filepath.Join(m.dir, name))
			}
		}
		for _, l := range licences {
			if !slices.Contains(accepted, l) {
				return "", nil, "", fmt.Errorf("%s: the licence %s (%s) is none of those accepted: use another module, or add it to tools/thirdparty/licence.go with what it asks",
					m.path, l, name)
			}
			found[l] = true
		}
	}
	if len(found) == 0 {
		return "", nil, "", fmt.Errorf("%s: no file with a licence in %s: nobody may ship it: use another module, or ask its authors", m.path, m.dir)
	}
	return strings.Join(slices.Sorted(maps.Keys(found)), " AND "), texts, chosen.note, nil
}

// licence returns what is written down of a file, and whether anything is.
func (c choice) licence(name string) (licences []string, known bool) {
	for pattern, id := range c.files {
		if ok, err := path.Match(pattern, name); err == nil && ok {
			if id != "" {
				licences = []string{id}
			}
			return licences, true
		}
	}
	return nil, false
}

// licenceFiles lists the files with licences in the folders that are linked, and those
// that the choice names, by their slash-separated names in the module.
func licenceFiles(m *module, chosen choice) ([]string, error) {
	var names []string
	for _, folder := range m.folders() {
		entries, err := os.ReadDir(filepath.Join(m.dir, filepath.FromSlash(folder)))
		if err != nil {
			return nil, err
		}
		for _, entry := range entries {
			if licenceFile.MatchString(entry.Name()) && !entry.IsDir() && path.Ext(entry.Name()) != ".go" {
				names = append(names, path.Join(folder, entry.Name()))
			}
		}
	}
	for pattern := range chosen.files {
		matches, err := filepath.Glob(filepath.Join(m.dir, filepath.FromSlash(pattern)))
		if err != nil || len(matches) == 0 {
			return nil, fmt.Errorf("no file %s in %s: bring tools/thirdparty/licence.go up to date", pattern, m.dir)
		}
		for _, match := range matches {
			name, err := filepath.Rel(m.dir, match)
			if err != nil {
				return nil, err
			}
			names = append(names, filepath.ToSlash(name))
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// isNotice reports whether a file holds no licence, but what one asks to be passed on.
func isNotice(name string) bool {
	return strings.HasPrefix(strings.ToLower(path.Base(name)), "notice")
}

// classifier knows the texts of licences. It takes seconds to make.
var classifier = sync.OnceValues(func() (*licenseclassifier.Classifier, error) { return assets.DefaultClassifier() })

// certain is how much of a licence's words a text must have.
const certain = 0.9

// recognise returns the licences in a text as SPDX identifiers, sorted.
func recognise(text []byte) ([]string, error) {
	c, err := classifier()
	if err != nil {
		return nil, err
	}
	found := map[string]bool{}
	for _, match := range c.Match(text).Matches {
		if match.MatchType == "License" && match.Confidence >= certain {
			found[match.Name] = true
		}
	}
	return slices.Sorted(maps.Keys(found)), nil
}

// clean returns a text with the line ends of this project, and no space at their ends.
func clean(data []byte) string {
	lines := strings.Split(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " \t\f\r")
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n") + "\n"
}
