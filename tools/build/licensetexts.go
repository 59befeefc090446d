package main

import (
	"cmp"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/deepemd/deepemd/internal/atomicfile"
)

// licenseTexts maps names in the folder licenses to license texts and NOTICE files.
type licenseTexts map[string]string

// licenseFile matches the names of license and attribution files.
var licenseFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|unlicense|notice|copyright)([-._].*)?$`)

// describe returns the component of a module, and adds its texts.
func (t licenseTexts) describe(name string, m *linkedModule) (component, error) {
	choice := choices[name]
	c := component{name: name, version: m.version, in: compacted(m.in)}
	c.license = cmp.Or(choice.license, strings.Join(compacted(m.licenses), " AND "))
	for id := range strings.SplitSeq(c.license, " AND ") {
		if !slices.Contains(accepted, id) {
			return c, fmt.Errorf("%s: license %q is not among those accepted: read it, and add it to accepted or choices in tools/build/licenses.go, or do without the module", name, id)
		}
	}
	var files []string
	for _, folder := range compacted(append(m.folders, m.dir)) {
		entries, err := os.ReadDir(folder)
		if err != nil {
			return c, err
		}
		for _, entry := range entries {
			if !entry.IsDir() && licenseFile.MatchString(entry.Name()) && filepath.Ext(entry.Name()) != ".go" {
				files = append(files, filepath.Join(folder, entry.Name()))
			}
		}
	}
	for _, pattern := range choice.files {
		matches, err := filepath.Glob(filepath.Join(m.dir, filepath.FromSlash(pattern)))
		if err != nil || len(matches) == 0 {
			return c, fmt.Errorf("%s has no file %s: bring tools/build/licenses.go up to date", name, pattern)
		}
		files = append(files, matches...)
	}
	if len(files) == 0 {
		return c, fmt.Errorf("%s has no license file in %s: nobody may ship it", name, m.dir)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return c, err
		}
		c.texts = append(c.texts, t.add(name, filepath.Base(file), string(text)))
	}
	c.texts = compacted(c.texts)
	return c, nil
}

var (
	hostOrVersion = regexp.MustCompile(`^[\w.~-]+\.\w+/|/v\d+$`)
	plainLicense  = regexp.MustCompile(`(?i)^(licen[cs]e|copying|unlicense)(\.\w+)?$`)
)

// add returns the name of a text. Texts with the same words share a name.
func (t licenseTexts) add(module, file, text string) string {
	words := func(text string) string { return strings.Join(strings.Fields(text), " ") }
	for name, other := range t {
		if words(other) == words(text) {
			return name
		}
	}
	name := path.Base(hostOrVersion.ReplaceAllString(module, ""))
	if !plainLicense.MatchString(file) {
		name += "-" + strings.TrimSuffix(file, path.Ext(file))
	}
	for base, n := name, 2; t[name] != ""; n++ {
		name = fmt.Sprintf("%s-%d", base, n)
	}
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " \t\f\r")
	}
	t[name] = strings.Trim(strings.Join(lines, "\n"), "\n") + "\n"
	return name
}

// write writes the texts to a folder, and removes other texts from it.
func (t licenseTexts) write(folder string) error {
	old, err := filepath.Glob(filepath.Join(folder, "*.txt"))
	if err != nil {
		return err
	}
	for _, file := range old {
		if t[strings.TrimSuffix(filepath.Base(file), ".txt")] == "" {
			if err := os.Remove(file); err != nil {
				return err
			}
		}
	}
	for name, text := range t {
		if err := atomicfile.Replace(filepath.Join(folder, name+".txt"), []byte(text)); err != nil {
			return err
		}
	}
	return nil
}

// compacted returns the values sorted, each once.
func compacted(values []string) []string {
	return slices.Compact(slices.Sorted(slices.Values(values)))
}
