// Package texts has the texts of the studio as fields and functions, so that code contains no
// texts. internal/languages has one file for each language; words.go declares the texts of
// en.json.
//
// # Adding a text
//
//  1. Add it to each file of internal/languages, in a section of its part of the page. Braces are
//     arguments: {class} is text, {n, number} and {n, plural, …} are whole numbers; the function
//     takes them in the order of en.json. If the name does not show where the text appears,
//     explain it in notes.txt. If pages of sounds need another text, add it to the section sounds.
//  2. go generate ./internal/languages
//  3. Use it: Kernel.Texts().Part.Field in Render.
//
// make check reports unused and missing texts.
//
// Components that watch the kernel are drawn again when the language changes. Other components
// must have a field `Texts *texts.Texts`, set by their parent, so that go-app sees the change.
//
// # Adding a language
//
// See internal/languages.
package texts

import (
	"cmp"
	"strings"

	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/project"
)

// Texts are the studio's texts in one language.
type Texts struct {
	Code string // BCP 47, such as "en"
	Words

	sounds   *Texts              // for pages of sounds
	defaults map[string][]string // see defaults.go
}

// For returns the texts in the same language for projects of a kind, project.KindImage or
// project.KindSound.
func (t *Texts) For(kind string) *Texts {
	if kind == project.KindSound && t.sounds != nil {
		return t.sounds
	}
	return t
}

// Reason returns the text for an error's code.
func (t *Texts) Reason(code string) string {
	return cmp.Or(t.Notice.Reasons[code], t.Project.Reasons[code], t.Notice.Inside)
}

// Method returns the text for the name of a classifier, weights or solver, or "" if pages lack it.
func (t *Texts) Method(name string) string {
	s := &t.Setup
	return map[string]string{
		method.Mixture: s.Mixture, method.Prototype: s.Prototype, method.Nearest: s.Nearest,
		method.Fusion: s.Fusion, method.Merge: s.Merge, method.Cosine: s.Cosine,
		method.CrossReference: s.Cross, method.Equal: s.Equal, method.Simplex: s.Exact, method.Dense: s.Dense,
	}[name]
}

// Lesson returns the texts of a lesson, or of the first lesson if there is none of that name.
func (t *Texts) Lesson(name string) *Lesson {
	l := &t.Lessons
	others := map[string]*Lesson{"hands": &l.Hands, "characters": &l.Characters, "words": &l.Words}
	return cmp.Or(others[name], &l.Recycling)
}

// ClassNames returns the names of a lesson's classes.
func (l *Lesson) ClassNames() []string { return strings.Split(l.Classes, ", ") }
