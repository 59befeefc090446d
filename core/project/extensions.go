package project

import (
	"encoding/json"
	"maps"
	"math"
	"slices"

	"github.com/deepemd/deepemd/core/method"
)

// ExtensionActions is the name of the extension for Actions.
const ExtensionActions = "actions"

// Actions holds a page's reactions to classes. A class counts as seen after it has been the answer
// for Hold seconds.
type Actions struct {
	// Hold is the time in seconds, 0 to MaxHold.
	Hold  float64 `json:"hold"`
	Rules []Rule  `json:"rules,omitempty"`
	// Media holds the sounds and pictures of rules as data URLs, by id. Programs may store them
	// elsewhere while the project is not in a file.
	Media map[string]string `json:"media,omitempty"`
}

// MaxHold is the longest Hold, in seconds.
const MaxHold = 60

// maxRules allows one rule per class, and two.
const maxRules = MaxClasses + 2

// Values of Rule.Of.
const (
	OfUnknown = "unknown" // an unknown picture
	OfNothing = "nothing" // a picture similar to background examples
)

// Rule is the reaction to one subject. Empty fields have no effect.
type Rule struct {
	Class string `json:"class,omitempty"` // the class's id, "" if Of is set
	Of    string `json:"of,omitempty"`    // OfUnknown, OfNothing, or "" for a class

	Say     bool   `json:"say,omitempty"`     // speak its name
	Sound   string `json:"sound,omitempty"`   // a tone of the program, or a medium's id
	Show    string `json:"show,omitempty"`    // a large text, such as an emoji
	Picture string `json:"picture,omitempty"` // the id of a picture to show instead of Show
	Count   bool   `json:"count,omitempty"`   // count it
	Counted int    `json:"counted,omitempty"` // the count so far
	Send    bool   `json:"send,omitempty"`    // send a message to the embedding page
	Serial  bool   `json:"serial,omitempty"`  // send Line to a serial device
	Line    string `json:"line,omitempty"`    // the text for the device, or "" for the name
}

// Actions returns the project's actions without unreadable ones, so that the project opens anyway.
func (m *Manifest) Actions() Actions {
	a := extension[Actions](m, ExtensionActions)
	a.Hold = min(max(a.Hold, 0), MaxHold)
	type subject struct{ class, of string }
	about := map[subject]bool{}
	a.Rules = slices.DeleteFunc(a.Rules, func(r Rule) bool {
		if !r.valid() || about[subject{r.Class, r.Of}] {
			return true
		}
		about[subject{r.Class, r.Of}] = true
		return false
	})
	a.Rules = slices.Clip(a.Rules[:min(len(a.Rules), maxRules)])
	return a
}

// valid reports whether a rule has one subject and texts within limits.
func (r Rule) valid() bool {
	for _, text := range []string{r.Class, r.Sound, r.Show, r.Picture, r.Line} {
		if method.CheckText("", text) != nil {
			return false
		}
	}
	of := r.Of == OfUnknown || r.Of == OfNothing
	return (r.Class != "") != of && (of || r.Of == "") && r.Counted >= 0 && r.Counted <= math.MaxInt32
}

// Keep returns a copy of extensions with the actions, or without them if there are no rules.
func (a Actions) Keep(extensions map[string]json.RawMessage) (map[string]json.RawMessage, error) {
	return keep(extensions, ExtensionActions, a, len(a.Rules) > 0)
}

// extension returns the readable fields of an extension. The others are zero.
func extension[T any](m *Manifest, name string) (fields T) {
	_ = json.Unmarshal(m.Extensions[name], &fields) // skips fields of another type
	return fields
}

// keep returns a copy of extensions with a value, or without it.
func keep(extensions map[string]json.RawMessage, name string, value any, present bool) (map[string]json.RawMessage, error) {
	kept := maps.Clone(extensions)
	delete(kept, name)
	if !present {
		return kept, nil
	}
	text, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	if kept == nil {
		kept = map[string]json.RawMessage{}
	}
	kept[name] = text
	return kept, nil
}

// ExtensionFrame is the name of the extension for a Frame.
const ExtensionFrame = "frame"

// MaxZoom is the maximum zoom. It leaves 96 of a camera's 480 rows, more than the network's input.
const MaxZoom = 5

// Frame is the square of a camera's picture that the network sees. The zero Frame is the central
// square.
//
// Lengths are relative to the picture's shorter side s, so that a frame fits all sizes and shapes.
// In a picture of width w and height h the square has the side s/Zoom and the center (w/2 + X·s,
// h/2 + Y·s). A reader moves a square that exceeds the picture back by the shortest way.
type Frame struct {
	// Zoom is the magnification, 1 to MaxZoom; 0 means 1.
	Zoom float64 `json:"zoom,omitempty"`
	// X and Y are the offset of the square's center from the picture's center, to the right and
	// down.
	X float64 `json:"x,omitempty"`
	Y float64 `json:"y,omitempty"`
	// Mirror selects whether the page mirrors the picture; nil depends on the camera's direction.
	// The network always sees the picture unmirrored, like pictures from files.
	Mirror *bool `json:"mirror,omitempty"`
}

// Complete returns the frame with lengths within bounds and Zoom set.
func (f Frame) Complete() Frame {
	within := func(v, least, most float64) float64 {
		if math.IsNaN(v) {
			v = 0
		}
		return min(max(v, least), most)
	}
	f.Zoom = within(f.Zoom, 1, MaxZoom)
	const far = 10 // a picture ten times as wide as high
	f.X, f.Y = within(f.X, -far, far), within(f.Y, -far, far)
	return f
}

// IsCentral reports whether the frame is the unzoomed central square with default mirroring.
func (f Frame) IsCentral() bool { return f.Complete() == Frame{Zoom: 1} }

// Frame returns the frame of the project's cameras, with the defaults of absent and unreadable
// fields.
func (m *Manifest) Frame() Frame { return extension[Frame](m, ExtensionFrame).Complete() }

// Keep returns a copy of extensions with the frame, or without it for the central square.
func (f Frame) Keep(extensions map[string]json.RawMessage) map[string]json.RawMessage {
	kept, err := keep(extensions, ExtensionFrame, f.Complete(), !f.IsCentral())
	if err != nil {
		panic(err) // bounded numbers are valid JSON
	}
	return kept
}

// ExtensionLesson is the name of the extension for a Lesson.
const ExtensionLesson = "lesson"

// Lesson is the lesson of a project with its progress. The zero Lesson means no lesson.
type Lesson struct {
	ID       string   `json:"id"`
	Alphabet string   `json:"alphabet,omitempty"` // for drawn characters
	Done     []string `json:"done,omitempty"`     // completed steps
	// Judged holds the pupils' judgments of the latest answers, oldest first: true for right.
	Judged []bool `json:"judged,omitempty"`
	// Since is the number of examples at the first wrong answer, or 0.
	Since int  `json:"since,omitempty"`
	Away  bool `json:"away,omitempty"` // the steps are hidden
}

// Lesson returns the lesson of the project without unreadable fields, or the zero Lesson.
func (m *Manifest) Lesson() Lesson { return extension[Lesson](m, ExtensionLesson) }

// Keep returns a copy of extensions with the lesson, or without it if there is none.
func (l Lesson) Keep(extensions map[string]json.RawMessage) map[string]json.RawMessage {
	kept, err := keep(extensions, ExtensionLesson, l, l.ID != "")
	if err != nil {
		panic(err) // strings and integers are valid JSON
	}
	return kept
}
