package texts

import (
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/deepemd/deepemd/internal/languages"
)

// The texts of a language also have the default names of all languages with the number 0, such as
// "Class 0", so that names from another language can be translated.
const (
	defaults = "defaults."
	classes  = "class"
	projects = "project"
	between  = "|"
)

// defaultNames returns the default name of a kind in each language.
func defaultNames(files fs.FS, kind string) (string, error) {
	var all []string
	for _, code := range languages.Codes(files) {
		given, err := languages.Read(files, code)
		if err != nil {
			return "", err
		}
		name := given[kind+".default"]
		if name == "" {
			continue
		}
		m, err := languages.Parse(name)
		if err != nil {
			return "", err
		}
		all = append(all, m.Format(languages.Rules{}, func(string) any { return 0 }))
	}
	return strings.Join(all, between), nil
}

// ClassName translates the default name of a class, such as "Class 1", from any language, and
// returns its number. Other names are unchanged and have the number 0.
func (t *Texts) ClassName(label string) (string, int) { return t.name(label, classes, t.Class.Default) }

// ProjectName translates the default name of a project, such as "Project 1", from any language.
// Other names are unchanged.
func (t *Texts) ProjectName(name string) string {
	name, _ = t.name(name, projects, t.Project.Default)
	return name
}

func (t *Texts) name(given, kind string, byNumber func(n int) string) (string, int) {
	digits := strings.TrimFunc(given, func(r rune) bool { return r < '0' || r > '9' })
	n, _ := strconv.Atoi(digits)
	if n == 0 || digits != strconv.Itoa(n) || !slices.Contains(t.defaults[kind], strings.Replace(given, digits, "0", 1)) {
		return given, 0
	}
	return byNumber(n), n
}
