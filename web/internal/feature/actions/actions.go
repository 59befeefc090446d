// Package actions is the feature that has something happen when a class is seen, and keeps a
// log of answers.
package actions

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/web/internal/kernel"
)

const (
	// DefaultHold is for how long something has to be the answer until it is seen.
	DefaultHold = time.Second / 2
	// shownFor is how long what is tried, or was heard, is shown.
	shownFor = 3 * time.Second
)

// Holds are the times that a person can choose from.
var Holds = []time.Duration{0, DefaultHold, time.Second, 2 * time.Second, 3 * time.Second, 5 * time.Second}

// Actions are what happens when a class is seen: the project's rules, and their effects.
type Actions struct {
	kernel.Part
	seen kernel.Revisions

	// Log is what the answers were.
	Log *Log

	effects  Effects
	open     bool
	paused   bool
	hold     time.Duration
	rules    []project.Rule // also of classes that are gone, and may come back
	sighting sighting
	shown    project.Rule // whose text or picture is on the stage; without one for none
	showing  int          // grows with everything that is put there or taken off
	turn     int          // grows with every answer
	spoken   int          // grows with everything that is heard
	greeting string       // what the page around knows
	device   DeviceStage
	baud     int
}

// DeviceStage is how far a serial device is.
type DeviceStage int

// The stages of a device.
const (
	NoDevice DeviceStage = iota
	DeviceConnecting
	DeviceConnected
)

// Bauds are the speeds of serial devices that a person can choose from, in bits a second.
var Bauds = []int{9600, 19200, 57600, 115200}

// New returns the actions of a kernel's projects.
func New(k *kernel.Kernel) *Actions {
	t := &Actions{Part: kernel.Part{K: k}, hold: DefaultHold, baud: 115200}
	t.Log = &Log{Part: kernel.Part{K: k}, subjects: t.subjects}
	t.sighting.ofSounds = k.Project.OfSounds()
	k.Project.Extend(t)
	k.Follow(t.follow)
	return t
}

// follow takes note of answers, of what is shown no more, and of other classes.
func (t *Actions) follow() {
	news := t.News(&t.seen)
	if news.Shown > 0 {
		t.lost()
	}
	if news.Answer > 0 {
		t.told(t.K.Live.Latest())
	}
	if news.Examples > 0 {
		t.greet()
	}
}

// State is what the panel shows.
type State struct {
	Open      bool // the panel is
	Paused    bool // nothing happens
	Hold      time.Duration
	Rows      []Row
	Abilities Abilities
	Device    DeviceStage
	Baud      int
}

// Row is a rule with what it is about.
type Row struct {
	Named
	project.Rule
}

// Named is a subject as the person knows it.
type Named struct {
	Subject Subject
	Label   string
	Hue     int // -1 for what is no class
}

// Active reports whether the row does anything.
func (r Row) Active() bool { return does(r.Rule) }

// does reports whether a rule has anything happen.
func does(r project.Rule) bool {
	return r.Say || r.Sound != "" || r.Show != "" || r.Picture != "" || r.Count || r.Send || r.Serial
}

// State returns what the panel shows.
func (t *Actions) State() State {
	subjects := t.subjects()
	t.Lock()
	defer t.Unlock()
	state := State{Open: t.open, Paused: t.paused, Hold: t.hold, Device: t.device, Baud: t.baud}
	for _, named := range subjects {
		state.Rows = append(state.Rows, Row{named, t.rule(named.Subject)})
	}
	if t.effects != nil {
		state.Abilities = t.effects.Abilities()
	}
	return state
}

// Active reports whether any row does anything.
func (s State) Active() bool { return slices.ContainsFunc(s.Rows, Row.Active) }

// sends reports whether a row tells the page around this one.
func (s State) sends() bool {
	return slices.ContainsFunc(s.Rows, func(r Row) bool { return r.Send })
}

// subjects are what rules can be about: the classes, nothing once there are examples of
// it, and what is unknown.
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

// named is one of the subjects; ok is false if there is none.
func (t *Actions) named(subject Subject) (named Named, ok bool) {
	subjects := t.subjects()
	i := slices.IndexFunc(subjects, func(n Named) bool { return n.Subject == subject })
	if i < 0 {
		return Named{}, false
	}
	return subjects[i], true
}

// rule is the rule about a subject, one without effects where there is none. The lock is
// held.
func (t *Actions) rule(subject Subject) project.Rule {
	for _, r := range t.rules {
		if subjectOf(r) == subject {
			return r
		}
	}
	return project.Rule{Class: subject.ClassID, Of: subject.Of}
}

func subjectOf(r project.Rule) Subject { return Subject{r.Class, r.Of} }

// Connect hands over what the browser can do.
func (t *Actions) Connect(effects Effects) {
	t.Update(func() { t.effects = effects })
	t.greet()
}

// Show folds the panel open, or together.
func (t *Actions) Show(open bool) { t.Update(func() { t.open = open }) }

// Pause has nothing happen, until it is called again with false.
func (t *Actions) Pause(paused bool) {
	t.Update(func() {
		t.paused = paused
		t.shown = project.Rule{}
		t.sighting.reset() // What is there then is seen for the first time.
	})
}

// SetHold chooses for how long something has to be the answer until it is seen.
func (t *Actions) SetHold(hold time.Duration) {
	t.Update(func() { t.hold = min(max(hold, 0), project.MaxHold*time.Second) })
	t.K.Project.Touch()
}

// Edit changes the rule about a subject; what it is about stays.
func (t *Actions) Edit(subject Subject, change func(*project.Rule)) {
	var before []project.Rule
	changed := false
	t.Update(func() {
		before = t.rules
		rule := t.rule(subject)
		change(&rule)
		rule.Class, rule.Of = subject.ClassID, subject.Of
		rule.Show, rule.Line = strings.TrimSpace(rule.Show), strings.TrimSpace(rule.Line)
		t.replace(rule)
		if shows(t.shown) && subjectOf(t.shown) == subject {
			t.shown = rule
		}
		changed = !slices.Equal(uncounted(before), uncounted(t.rules))
	})
	if changed {
		t.K.Classes.Note(kernel.StepRule, t.swap(before))
	}
	t.K.Project.Touch()
	t.greet()
}

// swap returns what puts former rules in the place of the present ones, and the other
// way round when it is called again. Counts go on: nobody can take back what was seen.
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
			if shows(t.shown) {
				t.shown = t.rule(subjectOf(t.shown))
			}
		})
		t.greet()
	}
}

// uncounted are rules without their counts, of those that do something.
func uncounted(rules []project.Rule) (same []project.Rule) {
	for _, rule := range rules {
		rule.Counted = 0
		if does(rule) || rule.Line != "" {
			same = append(same, rule)
		}
	}
	slices.SortFunc(same, func(a, b project.Rule) int {
		return cmp.Or(cmp.Compare(a.Class, b.Class), cmp.Compare(a.Of, b.Of))
	})
	return same
}

// replace puts a rule in the place of the one about the same, or takes that away where
// nothing is left of it. The lock is held.
func (t *Actions) replace(rule project.Rule) {
	rules := slices.DeleteFunc(slices.Clone(t.rules), func(r project.Rule) bool { return subjectOf(r) == subjectOf(rule) })
	if rule != (project.Rule{Class: rule.Class, Of: rule.Of}) {
		rules = append(rules, rule)
	}
	t.rules = rules
}

// AddMedium keeps a sound or a picture of the person's, has the rule about a subject use
// it, and tries that.
func (t *Actions) AddMedium(subject Subject, file kernel.File, medium Medium) {
	effects := t.doing()
	if effects == nil {
		return
	}
	go func() {
		id, err := effects.AddMedium(file, medium)
		if err != nil {
			t.K.Notices.Post(mediumRefused(file.Name, err))
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

func (t *Actions) doing() Effects {
	t.Lock()
	defer t.Unlock()
	return t.effects
}

// Keep implements [kernel.Extension]. Rules of classes that are gone are not kept.
func (t *Actions) Keep(extensions map[string]json.RawMessage) map[string]json.RawMessage {
	subjects := t.subjects()
	t.Lock()
	actions := project.Actions{Hold: t.hold.Seconds()}
	for _, r := range t.rules {
		there := r.Class == "" || slices.ContainsFunc(subjects, func(n Named) bool { return n.Subject == subjectOf(r) })
		if there {
			actions.Rules = append(actions.Rules, r)
		}
	}
	t.Unlock()
	slices.SortStableFunc(actions.Rules, func(a, b project.Rule) int { return cmp.Compare(a.Of, b.Of) })
	kept, err := actions.Keep(extensions)
	if err != nil {
		return extensions // There is no rule that JSON could not say.
	}
	return kept
}

// Adopt implements [kernel.Extension].
func (t *Actions) Adopt(manifest *project.Manifest) {
	actions := manifest.Actions()
	t.Update(func() {
		t.hold, t.rules = DefaultHold, actions.Rules
		if len(actions.Rules) > 0 {
			t.hold = time.Duration(actions.Hold * float64(time.Second))
		}
		t.shown = project.Rule{}
		t.sighting.reset()
	})
	t.Log.Clear()
	t.greet()
}

// greet tells the page around this one what it can hear of, if it is to and does not know.
func (t *Actions) greet() {
	effects := t.doing()
	if effects == nil {
		return
	}
	state, greeting := t.State(), ""
	classes := t.K.Classes.List()
	if state.Abilities.Framed && state.sends() {
		for _, c := range classes {
			greeting += c.ID + "\n" + c.Label + "\n"
		}
	}
	t.Lock()
	same := greeting == t.greeting
	t.greeting = greeting
	t.Unlock()
	if !same && greeting != "" {
		effects.Greet(classes)
	}
}
