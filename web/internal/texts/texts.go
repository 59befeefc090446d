// Package texts is every word that the studio says, by names that code uses. Code names a
// text, never spells it. What each language says stands in internal/languages, in a file a
// language.
//
// Files are divided by areas of the page: page.go, project.go, improve.go, then.go and lessons.go
// say which texts there are.
//
// # Adding a text
//
//  1. Add a field to the section of your part of the page, or a section of its own: a
//     string, or a function when the text holds a name or a number, with the arguments'
//     names in the field's tag. Where its name does not say where it is seen, a comment does.
//  2. Give it words in each file of internal/languages, under the same names with a small first
//     letter, in the same place. Where a page of sounds says it in another way, say so in the
//     section sounds.
//  3. Use it: Kernel.Texts().Part.Field in Render.
//
// go test ./web/internal/texts names what a language lacks, and messages that drop what
// they are given.
//
// A component that watches the kernel is drawn again when the language changes. One
// that does not watch must have a field `Texts *texts.Texts`, set by whoever renders it,
// so that go-app sees the change.
//
// # Adding a language
//
// See internal/languages.
package texts

import "github.com/deepemd/deepemd/core/project"

// Texts is all that the studio says in one language.
type Texts struct {
	Code string // BCP 47, such as "en"
	Name string // in the language itself

	Answer   Answer
	Boot     Boot
	Camera   Camera
	Class    Class
	Engine   Engine
	Growth   Growth
	Guide    Guide
	Improve  Improve
	List     List
	Network  Network
	Notice   Notice
	Number   Number
	Page     Page
	Privacy  Privacy
	Project  Project
	Bring    Bringing
	Settings Settings
	Share    Share
	Stage    Stage
	Sound    Sound
	Setup    Setup
	Then     Then
	Lessons  Lessons
	Why      Why

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
