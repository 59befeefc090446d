// Package texts holds every word that the studio says, once in each language. Code names
// a text, never spells it.
//
// Files are divided by areas of the page: page.go, stage.go, project.go, share.go and improve.go say
// which texts there are, en*.go and de*.go what they say. A page of sounds says other
// words in some places: en_sounds.go and de_sounds.go.
//
// # Adding a text
//
//  1. Add a field to the section of your part of the page, or a section of its own: a
//     string, or a function when the text holds a name or a number. Where its name does
//     not say where it is seen, a comment does.
//  2. Give it a value in each language, in the same place. Counted things go through
//     counted, which knows singular and plural.
//  3. Use it: Session.Texts().Part.Field in Render.
//
// go test ./web/internal/texts names what a language lacks, and functions that drop what
// they are given.
//
// A component that watches the session is drawn again when the language changes. One
// that does not watch must have a field `Texts *texts.Texts`, set by whoever renders it,
// so that go-app sees the change.
//
// # Adding a language
//
// Copy the files en*.go, translate them, and name the language in Languages and its words
// for sounds in ofSounds.
package texts

import (
	"strings"

	"github.com/deepemd/deepemd/core/project"
)

// Texts is all that the studio says in one language.
type Texts struct {
	Code string // BCP 47, such as "en"
	Name string // in the language itself

	Answer   Answer
	Camera   Camera
	Class    Class
	Engine   Engine
	Guide    Guide
	Improve  Improve
	Notice   Notice
	Number   Number
	Page     Page
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
}

// Languages are those that the page speaks; the first is for everybody else.
var Languages = []*Texts{English, German}

// ofSounds are the texts of a page of sounds, by those of a page of pictures.
var ofSounds = map[*Texts]*Texts{
	English: English.with(englishSounds),
	German:  German.with(germanSounds),
}

// For returns the texts of a page for projects of a kind, project.KindImage or
// project.KindSound, in the same language: one of Languages.
func (t *Texts) For(kind string) *Texts {
	if sounds := ofSounds[t]; kind == project.KindSound && sounds != nil {
		return sounds
	}
	return t
}

// with returns a changed copy.
func (t *Texts) with(change func(*Texts)) *Texts {
	c := *t
	change(&c)
	return &c
}

// Best returns the texts for the first of the given language tags, such as
// "de-AT", that the page speaks; English for none.
func Best(tags ...string) *Texts {
	for _, tag := range tags {
		code, _, _ := strings.Cut(strings.ToLower(tag), "-")
		for _, t := range Languages {
			if t.Code == code {
				return t
			}
		}
	}
	return Languages[0]
}
