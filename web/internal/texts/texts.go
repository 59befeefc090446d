// Package texts is every word that the studio says, by names that code uses. Code names a
// text, never spells it. The words are in internal/languages, in a file for each language;
// words.go declares what en.json has.
//
// # Adding a text
//
//  1. Give it words in each file of internal/languages, in the section of your part of the
//     page or in a section of its own. Braces are arguments: {class} is text, {n, number} a
//     whole number, as is {n, plural, …}; the function takes them in the order in which en.json
//     has them. Where the name does not say where the text is seen, notes.txt does. Where a page
//     of sounds says it in another way, say so in the section sounds.
//  2. go generate ./internal/languages
//  3. Use it: Kernel.Texts().Part.Field in Render.
//
// make check names texts that nothing uses, and what a language lacks.
//
// A component that watches the kernel is drawn again when the language changes. One
// that does not watch must have a field `Texts *texts.Texts`, set by whoever renders it,
// so that go-app sees the change.
//
// # Adding a language
//
// See internal/languages.
package texts

import (
	"strings"

	"github.com/deepemd/deepemd/core/project"
)

// Texts is all that the studio says in one language.
type Texts struct {
	Code string // BCP 47, such as "en"
	Words

	sounds *Texts // what a page of sounds says
}

// For returns the texts of a page for projects of a kind, project.KindImage or
// project.KindSound, in the same language.
func (t *Texts) For(kind string) *Texts {
	if kind == project.KindSound && t.sounds != nil {
		return t.sounds
	}
	return t
}

// Reason says why something failed, by the error's code.
func (n *Notice) Reason(code string) string {
	if reason, known := n.Reasons[code]; known {
		return reason
	}
	return n.Inside
}

// Of returns the words of a lesson; the first one's where no lesson has that name.
func (l *Lessons) Of(lesson string) *Lesson {
	switch lesson {
	case "hands":
		return &l.Hands
	case "characters":
		return &l.Characters
	case "words":
		return &l.Words
	}
	return &l.Recycling
}

// ClassNames are the names of a lesson's classes.
func (l *Lesson) ClassNames() []string { return strings.Split(l.Classes, ", ") }
