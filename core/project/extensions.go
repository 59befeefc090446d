package project

import (
	"encoding/json"
	"maps"
	"math"
	"slices"

	"github.com/deepemd/deepemd/core/method"
)

// ExtensionActions is the extension in which a project keeps its Actions.
const ExtensionActions = "actions"

// Actions is what happens when a class is seen, that is: when it has been the answer
// for some time without a break.
type Actions struct {
	// Hold is that time, in seconds, from 0 to MaxHold.
	Hold  float64 `json:"hold"`
	Rules []Rule  `json:"rules,omitempty"`
	// Media holds the sounds and pictures that rules name, as data URLs, by their ids.
	// Programs may keep them elsewhere as long as the project is in no file.
	Media map[string]string `json:"media,omitempty"`
}

// MaxHold is the longest Hold, in seconds.
const MaxHold = 60

// maxRules is how many rules are read: one a class, and two.
const maxRules = maxClasses + 2

// What a rule can be about beside a class.
const (
	OfUnknown = "unknown" // what is none of the classes
	OfNothing = "nothing" // what looks like examples of nothing
)

// Rule is what happens when one thing is seen; a field that is empty has nothing happen.
type Rule struct {
	Class string `json:"class,omitempty"` // id of the class that is seen, "" where Of says it
	Of    string `json:"of,omitempty"`    // OfUnknown, OfNothing, or "" for a class

	Say     bool   `json:"say,omitempty"`     // its name is spoken
	Sound   string `json:"sound,omitempty"`   // the name of a tone that the program knows, or the id of a medium
	Show    string `json:"show,omitempty"`    // a text, such as an emoji, that is shown large
	Picture string `json:"picture,omitempty"` // the id of a medium that is shown, in place of Show
	Count   bool   `json:"count,omitempty"`   // it is counted
	Counted int    `json:"counted,omitempty"` // how often so far
	Send    bool   `json:"send,omitempty"`    // the page around this one is told
	Serial  bool   `json:"serial,omitempty"`  // a device is told
	Line    string `json:"line,omitempty"`    // with this text instead of the name of what is seen
}

// Actions returns the project's actions. What cannot be read is left out: a project opens
// without them.
func (m *Manifest) Actions() Actions {
	var a Actions
	if json.Unmarshal(m.Extensions[ExtensionActions], &a) != nil || !(a.Hold >= 0 && a.Hold <= MaxHold) {
		return Actions{}
	}
	type subject struct{ class, of string }
	about := map[subject]bool{}
	a.Rules = slices.DeleteFunc(a.Rules, func(r Rule) bool {
		double := about[subject{r.Class, r.Of}]
		about[subject{r.Class, r.Of}] = true
		return double || !r.sound()
	})
	a.Rules = slices.Clip(a.Rules[:min(len(a.Rules), maxRules)])
	return a
}

// sound reports whether a rule is about one thing, and of bearable size.
func (r Rule) sound() bool {
	for _, text := range []string{r.Class, r.Sound, r.Show, r.Picture, r.Line} {
		if len(text) > method.MaxText {
			return false
		}
	}
	of := r.Of == OfUnknown || r.Of == OfNothing
	return (r.Class != "") != of && (of || r.Of == "") && r.Counted >= 0 && r.Counted <= math.MaxInt32
}

// Keep returns extensions with the actions among them, and does not change the given
// ones. Actions without rules are not kept.
func (a Actions) Keep(extensions map[string]json.RawMessage) (map[string]json.RawMessage, error) {
	return keep(extensions, ExtensionActions, a, len(a.Rules) > 0)
}

// keep returns a copy of extensions with a value under its name, or without it.
func keep(extensions map[string]json.RawMessage, name string, value any, said bool) (map[string]json.RawMessage, error) {
	kept := maps.Clone(extensions)
	delete(kept, name)
	if !said {
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

// ExtensionFrame is the extension in which a project keeps its Frame.
const ExtensionFrame = "frame"

// MaxZoom bounds how far a frame zooms in: a camera's 480 rows give 96 then, still more
// than the network's input has.
const MaxZoom = 5

// Frame is the square of a camera's picture that the network sees, and how a page shows
// it. The zero Frame is the central square.
//
// Lengths are shares of the picture's shorter side, so that a frame fits pictures of every
// size and shape: of a picture of width w and height h, with s the smaller of the two, the
// square has the side s/Zoom and its middle at (w/2 + X·s, h/2 + Y·s). A reader moves a
// square that leaves the picture back into it, by the shortest way.
type Frame struct {
	// Zoom is how much larger the square shows things than the whole shorter side would,
	// 1 to MaxZoom; 0 stands for 1.
	Zoom float64 `json:"zoom,omitempty"`
	// X and Y say where the square's middle lies, from the picture's middle to the right
	// and down.
	X float64 `json:"x,omitempty"`
	Y float64 `json:"y,omitempty"`
	// Mirror says whether the page shows the picture as a mirror does; nil leaves it to
	// where the camera looks. The network sees the picture unmirrored either way, as it
	// does pictures from files.
	Mirror *bool `json:"mirror,omitempty"`
}

// Complete returns the frame with its lengths within bounds and Zoom said.
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

// IsCentral reports whether the frame is the central square, shown as the camera wants.
func (f Frame) IsCentral() bool {
	return f.Mirror == nil && f.Complete() == Frame{Zoom: 1}
}

// Frame returns the frame that the project's cameras have. A project that says nothing of
// it, or nothing that can be read, has the zero Frame.
func (m *Manifest) Frame() Frame {
	var f Frame
	if json.Unmarshal(m.Extensions[ExtensionFrame], &f) != nil {
		return Frame{}
	}
	return f.Complete()
}

// Keep returns extensions with the frame among them, and does not change the given ones.
// The central square is not kept.
func (f Frame) Keep(extensions map[string]json.RawMessage) map[string]json.RawMessage {
	kept, err := keep(extensions, ExtensionFrame, f.Complete(), !f.IsCentral())
	if err != nil {
		panic(err) // numbers within bounds can be written
	}
	return kept
}

// ExtensionLesson is the extension in which a project keeps its Lesson.
const ExtensionLesson = "lesson"

// Lesson is the lesson that a project was begun for, and how far its pupils are. The zero
// Lesson is none.
type Lesson struct {
	ID       string   `json:"id"`
	Alphabet string   `json:"alphabet,omitempty"` // of drawn characters
	Done     []string `json:"done,omitempty"`     // the names of the steps that were reached
	// Judged says of the latest answers that the pupils judged whether they were right,
	// oldest first.
	Judged []bool `json:"judged,omitempty"`
	// Since is how many examples there were when an answer was wrong for the first time;
	// 0 before that.
	Since int  `json:"since,omitempty"`
	Away  bool `json:"away,omitempty"` // the steps are not shown
}

// Lesson returns the lesson of the project: the zero Lesson where it says nothing of one, or
// nothing that can be read.
func (m *Manifest) Lesson() Lesson {
	var l Lesson
	if json.Unmarshal(m.Extensions[ExtensionLesson], &l) != nil {
		return Lesson{}
	}
	return l
}

// Keep returns extensions with the lesson among them, and does not change the given ones. No
// lesson is not kept.
func (l Lesson) Keep(extensions map[string]json.RawMessage) map[string]json.RawMessage {
	kept, err := keep(extensions, ExtensionLesson, l, l.ID != "")
	if err != nil {
		panic(err) // texts and numbers can be written
	}
	return kept
}
