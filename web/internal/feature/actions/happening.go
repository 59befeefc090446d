package actions

import (
	"cmp"
	"time"

	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/web/internal/kernel"
)

// onAnswer processes an answer. An answer about a still picture holds until the next answer.
func (t *Actions) onAnswer(live kernel.LiveState) {
	if t.K.Capture.Class() != "" {
		return
	}
	answer, now, subject := live.Answer, time.Now(), subjectOfAnswer(live.Answer)
	seen := false
	t.Lock()
	if t.turn++; !t.state.Paused {
		seen = t.sighting.observe(subject, now, t.state.Hold)
	}
	turn, hold := t.turn, t.state.Hold
	t.Unlock()
	t.Log.add(answer, now, seen)
	switch {
	case seen:
		t.perform(subject)
	case live.Still:
		time.AfterFunc(hold, func() { t.onRepeatedAnswer(answer, turn) })
	}
}

// onRepeatedAnswer processes an answer again while its picture is still on the stage.
func (t *Actions) onRepeatedAnswer(answer kernel.Answer, turn int) {
	t.Lock()
	seen := false
	if t.turn == turn && !t.state.Paused {
		now := time.Now()
		t.sighting.last = now
		seen = t.sighting.observe(subjectOfAnswer(answer), now, t.state.Hold)
	}
	t.Unlock()
	if seen {
		t.Log.add(answer, time.Now(), true)
		t.perform(subjectOfAnswer(answer))
	}
}

// resetSighting resets the sighting, as the stage has changed.
func (t *Actions) resetSighting() {
	t.Lock()
	t.turn++
	t.sighting.reset()
	showed := hasPicture(t.shown)
	t.Unlock()
	if showed {
		t.Update(func() { t.shown = project.Rule{} })
	}
}

// perform performs the rule of a subject, and counts.
func (t *Actions) perform(subject Subject) {
	named, known := t.named(subject)
	t.Lock()
	rule, showed := t.rule(subject), hasPicture(t.shown)
	t.Unlock()
	if !known {
		rule = project.Rule{}
	}
	if !hasEffects(rule) && !showed {
		return
	}
	t.display(rule)
	if rule.Count {
		t.Update(func() {
			rule = t.rule(subject)
			rule.Counted++
			t.replace(rule)
		})
		t.K.Project.Touch()
	}
	t.play(named, rule)
}

// Try performs the rule of a subject without counting.
func (t *Actions) Try(subject Subject) {
	t.Lock()
	rule := t.rule(subject)
	t.Unlock()
	t.Sample(rule)
}

// Sample performs any rule without counting.
func (t *Actions) Sample(rule project.Rule) {
	if named, known := t.named(subjectOf(rule)); known {
		t.hideAfter(t.display(rule))
		t.play(named, rule)
	}
}

// display shows the text or picture of a rule on the stage, and returns an id for hideAfter.
func (t *Actions) display(rule project.Rule) (showing int) {
	t.Update(func() {
		t.showing++
		showing = t.showing
		t.shown = rule
	})
	if t.K.Project.Kind() == project.KindSound { // sounds end, pictures stay
		t.hideAfter(showing)
	}
	return showing
}

// hideAfter clears the stage after a while, unless something else is shown by then.
func (t *Actions) hideAfter(showing int) {
	time.AfterFunc(shownFor, func() {
		t.Update(func() {
			if t.showing == showing {
				t.shown = project.Rule{}
			}
		})
	})
}

// Shown returns the rule on the stage; ok is false if there is none.
func (t *Actions) Shown() (row Row, ok bool) {
	rule := kernel.Get(&t.Part, &t.shown)
	if !hasPicture(rule) {
		return Row{}, false
	}
	named, known := t.named(subjectOf(rule))
	return Row{named, rule}, known
}

// hasPicture reports whether a rule shows something on the stage.
func hasPicture(r project.Rule) bool { return r.Show != "" || r.Picture != "" }

// play performs the effects of a rule outside the stage.
func (t *Actions) play(named Named, rule project.Rule) {
	effects, words := kernel.Get(&t.Part, &t.effects), t.K.Texts()
	if effects == nil || !(rule.Say || rule.Sound != "" || rule.Send || rule.Serial) {
		return
	}
	rule.Line = cmp.Or(rule.Line, named.Label)
	if !rule.Count {
		rule.Counted = 0
	}
	effects.Perform(Deed{rule, named.Label, words.Code}, t.muteDuring(rule.Say || rule.Sound != ""))
}

const (
	// aloudFor is the maximum duration of audible effects: some browsers never report the end of
	// speech.
	aloudFor = 10 * time.Second
	// echo is the time that a microphone may still hear an effect.
	echo = time.Second
)

// muteDuring mutes the microphone while an effect is audible, until over is called.
func (t *Actions) muteDuring(heard bool) (over func()) {
	if !heard {
		return func() {}
	}
	t.Lock()
	t.spoken++
	mine := t.spoken
	t.Unlock()
	t.muteFor(aloudFor)
	return func() {
		if kernel.Get(&t.Part, &t.spoken) == mine {
			t.muteFor(echo)
		}
	}
}

func (t *Actions) muteFor(d time.Duration) {
	if t.K.Project.Kind() == project.KindSound {
		t.K.Live.Mute(time.Now().Add(d))
	}
}

// ResetCount resets the counter of a subject.
func (t *Actions) ResetCount(subject Subject) {
	t.Edit(subject, func(r *project.Rule) { r.Counted = 0 })
}

// Failed reports an effect that has failed.
func (t *Actions) Failed(err error) {
	if kernel.CodeOf(err) == kernel.CodeNoDevice {
		t.Update(func() { t.state.Device = NoDevice })
	}
	t.K.Notices.Post(effectFailed(err))
}

// ConnectDevice lets the user choose a serial device.
func (t *Actions) ConnectDevice() {
	effects, baud := kernel.Get(&t.Part, &t.effects), 0
	t.Update(func() { t.state.Device, baud = DeviceConnecting, t.state.Baud })
	go func() {
		err := effects.Connect(baud)
		t.Update(func() {
			if t.state.Device = DeviceConnected; err != nil {
				t.state.Device = NoDevice
			}
		})
		switch {
		case err == nil:
			t.K.Notices.Dismiss(noticeEffect)
		case kernel.CodeOf(err) != kernel.CodeAborted:
			t.K.Notices.Post(effectFailed(err))
		}
	}()
}

// DisconnectDevice closes the device.
func (t *Actions) DisconnectDevice() {
	t.Update(func() { t.state.Device = NoDevice })
	kernel.Get(&t.Part, &t.effects).Disconnect()
}

// SetBaud sets the speed of the next connection, in bits per second.
func (t *Actions) SetBaud(baud int) { t.Update(func() { t.state.Baud = baud }) }

// SaveLog saves the log as a file.
func (t *Actions) SaveLog(name string) {
	kernel.Get(&t.Part, &t.effects).SaveTable(t.Log.CSV(), kernel.FileNamed(name, ".csv"))
}
