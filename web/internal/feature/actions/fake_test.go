package actions

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/kerneltest"
)

// fakeEffects records the effects.
type fakeEffects struct {
	mu        sync.Mutex
	abilities Abilities
	deeds     []Deed
	greeted   []string
	texts     map[string]string
	fail      error
	lasts     time.Duration // duration of audible effects
	shrinks   time.Duration // duration of AddMedium and of Connect
	device    string        // calls of Connect and Disconnect
}

func (f *fakeEffects) Abilities() Abilities { return f.abilities }

func (f *fakeEffects) Perform(d Deed, over func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.deeds = append(f.deeds, d)
	if f.lasts == 0 {
		over()
		return
	}
	time.AfterFunc(f.lasts, over)
}

func (f *fakeEffects) Greet(classes []kernel.Class) {
	f.mu.Lock()
	defer f.mu.Unlock()
	labels := ""
	for _, c := range classes {
		labels += c.Label + " "
	}
	f.greeted = append(f.greeted, labels)
}

func (f *fakeEffects) AddMedium(file kernel.File, _ Medium) (string, error) {
	time.Sleep(f.shrinks)
	return "media-" + file.Name, f.fail
}

func (f *fakeEffects) Connect(baud int) error {
	f.device += fmt.Sprint(baud, " ")
	time.Sleep(f.shrinks)
	return f.fail
}

func (f *fakeEffects) Disconnect() { f.device += "off " }

func (f *fakeEffects) SaveTable(text, name string) { f.texts = map[string]string{name: text} }

// performed returns the effects since the last call: the label, a sign per effect, and the count.
func (f *fakeEffects) performed() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	var all []string
	for _, d := range f.deeds {
		signs := ""
		for _, sign := range []struct {
			on   bool
			text string
		}{{d.Say, " say-" + d.Language}, {d.Sound != "", " " + d.Sound}, {d.Send, " send"}, {d.Serial, " line-" + d.Line}} {
			if sign.on {
				signs += sign.text
			}
		}
		if d.Counted > 0 {
			signs += fmt.Sprint(" ", d.Counted)
		}
		all = append(all, d.Label+signs)
	}
	f.deeds = nil
	return strings.Join(all, ", ")
}

// seeing runs a test with a camera and two classes that have examples. show makes the engine answer
// with a class, "?" for unknown or "0" for the background, ten times a second, for a duration.
func seeing(t *testing.T, test func(t *testing.T, s *kernel.Kernel, then *Actions, f *fakeEffects, show func(what string, d time.Duration))) {
	kerneltest.Run(t, func(t *testing.T, s *kernel.Kernel, e *kerneltest.Engine, c *kerneltest.Camera, wait func()) {
		then := New(s)
		f := &fakeEffects{}
		then.Connect(f)
		for i, id := range kerneltest.IDs(s) {
			s.AddFiles(id, kerneltest.Files("a"))
			s.Classes.Rename(id, []string{"Cat", "Dog"}[i])
		}
		wait()
		s.Camera.Start("")
		wait()
		test(t, s, then, f, func(what string, d time.Duration) {
			verdict := answer.Verdict{Unknown: what == "?" || what == "0"}
			if what == "0" {
				verdict.Nothing = "empty"
			}
			a := kernel.Answer{Answer: answer.Answer{Verdict: &verdict}}
			for _, class := range s.Classes.List() {
				p := .1
				if class.Label == what {
					p = .9
				}
				a.Scores = append(a.Scores, answer.Score{ID: class.ID, Score: p})
			}
			e.Mu.Lock()
			e.Answer = a
			e.Mu.Unlock()
			for range int(d/(100*time.Millisecond)) + 1 {
				c.Show()
				kerneltest.Rest(100 * time.Millisecond)
			}
		})
	})
}

func subjectNamed(then *Actions, label string) Subject {
	for _, row := range then.State().Rows {
		if row.Label == label {
			return row.Subject
		}
	}
	return Subject{}
}
