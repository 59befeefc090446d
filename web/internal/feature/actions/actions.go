// Package actions is the feature that acts when a class is seen, and keeps a log of answers.
package actions

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/web/internal/kernel"
)

const (
	// DefaultHold is the default time that something must be the answer until it counts as seen.
	DefaultHold = time.Second / 2
	// shownFor is the display time of a sample or of a heard class.
	shownFor = 3 * time.Second
)

// Holds are the times that the user can choose.
var Holds = []time.Duration{0, DefaultHold, time.Second, 2 * time.Second, 3 * time.Second, 5 * time.Second}

// Actions holds the project's rules and performs their effects.
type Actions struct {
	kernel.Part
	seen kernel.Revisions

	// Log records the answers.
	Log *Log

	effects  Effects // nil outside a browser
	state    State   // without Rows and Abilities
	log      func() app.UI
	rules    []project.Rule // including removed classes, which undo may restore
	sighting sighting
	shown    project.Rule // the rule on the stage, or a zero rule
	showing  int          // the number of the present showing
	turn     int          // incremented by every answer
	spoken   int          // incremented by every sound
	greeting string       // the latest greeting of the embedding page
}

// DeviceStage is the stage of a serial device.
type DeviceStage int

// The stages of a device.
const (
	NoDevice DeviceStage = iota
	DeviceConnecting
	DeviceConnected
)

// Bauds are the speeds of serial devices to choose from, in bits per second.
var Bauds = []int{9600, 19200, 57600, 115200}

// New returns the actions of a kernel's projects.
func New(k *kernel.Kernel) *Actions {
	t := &Actions{K: k, state: State{Hold: DefaultHold, Baud: 115200}}
	t.Log = &Log{K: k, subjects: t.subjects}
	t.sighting.ofSounds = k.Project.OfSounds()
	k.Project.Extend(t)
	k.Follow(t.follow)
	return t
}

// follow reacts to answers, pictures and changes of the classes.
func (t *Actions) follow() {
	news := t.News(&t.seen)
	if news.Shown > 0 {
		t.resetSighting()
	}
	if news.Answer > 0 {
		t.onAnswer(t.K.Live.State())
	}
	if news.Examples+news.Project > 0 {
		t.greet()
	}
}

// State is the state of the panel.
type State struct {
	Open      bool // the panel is open
	Paused    bool // rules do nothing
	Hold      time.Duration
	Rows      []Row
	Abilities Abilities
	Device    DeviceStage
	Baud      int
}

// Row is a rule with its subject.
type Row struct {
	Named
	project.Rule
}

// Named is a subject with its name.
type Named struct {
	Subject Subject
	Label   string
	Hue     int // -1 unless it is a class
}

// Active reports whether the rule has effects.
func (r Row) Active() bool { return hasEffects(r.Rule) }

func hasEffects(r project.Rule) bool {
	return r.Say || r.Sound != "" || r.Show != "" || r.Picture != "" || r.Count || r.Send || r.Serial
}

// State returns the state of the panel.
func (t *Actions) State() State {
	subjects := t.subjects()
	t.Lock()
	defer t.Unlock()
	state := t.state
	for _, named := range subjects {
		state.Rows = append(state.Rows, Row{named, t.rule(named.Subject)})
	}
	if t.effects != nil {
		state.Abilities = t.effects.Abilities()
	}
	return state
}

// Active reports whether any rule has effects.
func (s State) Active() bool { return slices.ContainsFunc(s.Rows, Row.Active) }

// subjects returns the possible subjects: classes, the background if it has examples, and unknown.
func (t *Actions) subjects() []Named {
	words := t.K.Texts()
	var subjects []Named
	for _, c := range t.K.Classes.List() {
		subjects = append(subjects, Named{Subject{ClassID: c.ID}, c.Label, c.Hue})
	}
	if slices.ContainsFunc(t.K.Classes.Nothing(), func(c kernel.Class) bool { return len(c.Examples) > 0 }) {
		subjects = append(subjects, Named{Subject{Of: project.OfNothing}, words.Class.Nothing, -1})
	}
	return append(subjects, Named{Subject{Of: project.OfUnknown}, words.Improve.Unknown, -1})
}

// named returns a subject with its name; ok is false if it does not exist.
func (t *Actions) named(subject Subject) (named Named, ok bool) {
	for _, n := range t.subjects() {
		if n.Subject == subject {
			return n, true
		}
	}
	return Named{}, false
}

// rule returns the rule of a subject, or one without effects. The lock is held.
func (t *Actions) rule(subject Subject) project.Rule {
	for _, r := range t.rules {
		if subjectOf(r) == subject {
			return r
		}
	}
	return project.Rule{Class: subject.ClassID, Of: subject.Of}
}

func subjectOf(r project.Rule) Subject { return Subject{r.Class, r.Of} }

// Connect sets the browser's effects.
func (t *Actions) Connect(effects Effects) { t.Update(func() { t.effects = effects }) }

// Show opens or closes the panel.
func (t *Actions) Show(open bool) { t.Update(func() { t.state.Open = open }) }

// Pause stops all effects, or resumes them.
func (t *Actions) Pause(paused bool) {
	t.Update(func() {
		t.state.Paused = paused
		t.shown = project.Rule{}
		t.sighting.reset() // after a pause, everything is seen for the first time
	})
	if !paused {
		t.K.Live.Reclassify() // a still picture, too
	}
}

// SetHold sets the time that something must be the answer until it counts as seen.
func (t *Actions) SetHold(hold time.Duration) {
	t.Update(func() { t.state.Hold = hold })
	t.K.Project.Touch()
}

// Edit changes the rule of a subject.
func (t *Actions) Edit(subject Subject, change func(*project.Rule)) {
	var before []project.Rule
	var former, rule project.Rule
	t.Update(func() {
		before, former = t.rules, t.rule(subject)
		rule = former
		change(&rule)
		rule.Class, rule.Of = subject.ClassID, subject.Of
		rule.Show, rule.Line = strings.TrimSpace(rule.Show), strings.TrimSpace(rule.Line)
		t.replace(rule)
		if hasPicture(t.shown) && subjectOf(t.shown) == subject {
			t.shown = rule
		}
	})
	if former.Counted = rule.Counted; rule != former {
		t.K.Classes.Note(kernel.StepRule, t.swap(before))
	}
	t.K.Project.Touch()
	t.greet()
}

// swap returns a function that swaps former and present rules. Counters continue: undo cannot unsee
// anything.
func (t *Actions) swap(former []project.Rule) func() {
	return func() {
		t.Update(func() {
			now := t.rules
			t.rules = nil
			for _, rule := range former {
				if i := slices.IndexFunc(now, func(r project.Rule) bool { return subjectOf(r) == subjectOf(rule) }); i >= 0 {
					rule.Counted = now[i].Counted
				}
				t.rules = append(t.rules, rule)
			}
			former = now
			if hasPicture(t.shown) {
				t.shown = t.rule(subjectOf(t.shown))
			}
		})
	}
}

// replace replaces the rule of a subject, or removes it if it has no effects and no count. The lock
// is held.
func (t *Actions) replace(rule project.Rule) {
	rules := slices.DeleteFunc(slices.Clone(t.rules), func(r project.Rule) bool { return subjectOf(r) == subjectOf(rule) })
	if rule != (project.Rule{Class: rule.Class, Of: rule.Of}) {
		rules = append(rules, rule)
	}
	t.rules = rules
}

// AddMedium stores a sound or picture of the user's, adds it to the rule of a subject, and plays or
// shows it, unless another project has been opened since.
func (t *Actions) AddMedium(subject Subject, file kernel.File, medium Medium) {
	effects, of := kernel.Get(&t.Part, &t.effects), t.K.Project.State().ID
	go func() {
		id, err := effects.AddMedium(file, medium)
		switch {
		case err != nil:
			t.K.Notices.Post(mediumRefused(file.Name, err))
			return
		case t.K.Project.State().ID != of:
			return
		}
		t.Edit(subject, func(r *project.Rule) {
			if medium == SoundMedium {
				r.Sound = id
			} else {
				r.Picture = id
			}
		})
		t.Try(subject)
	}()
}

// Keep implements [kernel.Extension]. It omits rules of removed classes.
func (t *Actions) Keep(extensions map[string]json.RawMessage) map[string]json.RawMessage {
	subjects := t.subjects()
	t.Lock()
	actions := project.Actions{Hold: t.state.Hold.Seconds()}
	for _, r := range t.rules {
		there := r.Class == "" || slices.ContainsFunc(subjects, func(n Named) bool { return n.Subject == subjectOf(r) })
		if there {
			actions.Rules = append(actions.Rules, r)
		}
	}
	t.Unlock()
	kept, err := actions.Keep(extensions)
	if err != nil {
		return extensions // every rule has a JSON form
	}
	return kept
}

// Adopt implements [kernel.Extension].
func (t *Actions) Adopt(manifest *project.Manifest) {
	actions := manifest.Actions()
	t.Update(func() {
		t.state.Hold, t.rules = DefaultHold, actions.Rules
		if len(actions.Rules) > 0 {
			t.state.Hold = time.Duration(actions.Hold * float64(time.Second))
		}
		t.shown = project.Rule{}
		t.sighting.reset()
	})
	t.Log.Clear()
}

// greet sends the embedding page the list of possible messages, if that has changed.
func (t *Actions) greet() {
	state, greeting := t.State(), ""
	classes := t.K.Classes.List()
	sends := slices.ContainsFunc(state.Rows, func(r Row) bool { return r.Send })
	if state.Abilities.Framed && sends { // then effects are connected
		for _, c := range classes {
			greeting += c.ID + "\n" + c.Label + "\n"
		}
	}
	t.Lock()
	same := greeting == t.greeting
	t.greeting = greeting
	t.Unlock()
	if !same && greeting != "" {
		kernel.Get(&t.Part, &t.effects).Greet(classes)
	}
}
