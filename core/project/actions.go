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
