package site

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"

	"github.com/deepemd/deepemd/internal/languages"
	"github.com/deepemd/deepemd/web/internal/lessons"
)

// notesFolder holds the notes for teachers: <lesson>.<language>.md, and their figures.
const notesFolder = "web/internal/lessons"

//go:embed notes.css
var notesSheet []byte

// note is the teacher's notes for a lesson in a language.
type note struct {
	Lesson   lessons.Lesson
	Language string            // a code
	Head     map[string]string // title, open, print, language
	Sheets   []template.HTML   // two pages
	Others   []note            // the same in the other languages
}

// Page returns the name of the notes in the site's folder lessons.
func (n note) Page() string { return n.Lesson.ID + "." + n.Language + ".html" }

// Address returns the address in the studio that starts the lesson.
func (n note) Address() string { return "../#" + n.Lesson.Hash() }

// Notes returns the files of the site's folder lessons, by name: two pages to print for each
// lesson and language, their figures and the style sheet. Languages without notes get the
// default language's.
//
// A Markdown source begins with lines "name: text" between two lines "---": title, language (its
// own name), print (how to print) and open (the link to the lesson). A line "---" separates the
// two pages.
//
// The repository is the root of the module.
//
// # Errors
//
// It returns an error that names an unreadable or invalid file, or a lesson without notes.
func Notes(repository fs.FS) (map[string][]byte, error) {
	files := map[string][]byte{"notes.css": notesSheet}
	for _, lesson := range lessons.All {
		sources, err := fs.Glob(repository, fmt.Sprintf("%s/%s.*.md", notesFolder, lesson.ID))
		if err != nil {
			return nil, err
		}
		if len(sources) == 0 {
			return nil, fmt.Errorf("%s/%s.en.md: the lesson has no notes", notesFolder, lesson.ID)
		}
		var all []note
		for _, source := range sources {
			n, err := readNote(repository, source)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", source, err)
			}
			n.Lesson = lesson
			all = append(all, n)
		}
		for _, n := range all {
			n.Others = slices.DeleteFunc(slices.Clone(all), func(o note) bool { return o.Language == n.Language })
			if files[n.Page()], err = executed("notes.html.tmpl", n); err != nil {
				return nil, err
			}
		}
		for _, code := range languages.Codes(languages.Files) {
			written := note{Lesson: lesson, Language: languages.Default}
			if name := (note{Lesson: lesson, Language: code}).Page(); files[name] == nil {
				files[name] = files[written.Page()]
			}
		}
	}
	for _, pattern := range []string{"*.svg", "*.png"} {
		figures, err := fs.Glob(repository, notesFolder+"/"+pattern)
		if err != nil {
			return nil, err
		}
		for _, name := range figures {
			if files[path.Base(name)], err = fs.ReadFile(repository, name); err != nil {
				return nil, err
			}
		}
	}
	return files, nil
}

// readNote reads and renders a source, without the lesson.
func readNote(repository fs.FS, source string) (note, error) {
	text, err := fs.ReadFile(repository, source)
	if err != nil {
		return note{}, err
	}
	n := note{Language: strings.TrimPrefix(path.Ext(strings.TrimSuffix(source, ".md")), "."), Head: map[string]string{}}
	parts := strings.Split(string(text), "\n---\n")
	head, ok := strings.CutPrefix(parts[0], "---\n")
	if !ok || len(parts) != 3 {
		return note{}, errors.New("want a head between two lines \"---\", and two pages with another between them")
	}
	for line := range strings.Lines(head) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		n.Head[name] = value
	}
	for _, name := range []string{"title", "language", "print", "open"} {
		if n.Head[name] == "" {
			return note{}, fmt.Errorf("its head does not say %q", name)
		}
	}
	engine := goldmark.New(goldmark.WithExtensions(extension.Table))
	for _, page := range parts[1:] {
		var body bytes.Buffer
		if err := engine.Convert([]byte(page), &body); err != nil {
			return note{}, err
		}
		n.Sheets = append(n.Sheets, template.HTML(body.String()))
	}
	return n, nil
}
