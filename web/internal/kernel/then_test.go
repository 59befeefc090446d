package kernel_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/project"
	. "github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/kerneltest"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// fakeEffects records what it is to do.
type fakeEffects struct {
	mu        sync.Mutex
	abilities Abilities
	deeds     []Deed
	greeted   []string
	texts     map[string]string
	fail      error
	lasts     time.Duration // how long deeds are heard
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

func (f *fakeEffects) Greet(classes []Class) {
	f.mu.Lock()
	defer f.mu.Unlock()
	labels := ""
	for _, c := range classes {
		labels += c.Label + " "
	}
	f.greeted = append(f.greeted, labels)
}

func (f *fakeEffects) AddMedium(file File, _ Medium) (string, error) {
	return "media-" + file.Name, f.fail
}

func (f *fakeEffects) Connect(int) error { return f.fail }

func (f *fakeEffects) Disconnect() {}

func (f *fakeEffects) SaveText(text, name string) { f.texts = map[string]string{name: text} }

// performed returns what happened since the last call, in short: the label, a sign for each
// effect, and the count.
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
		all = append(all, d.Label+signs)
	}
	f.deeds = nil
	return strings.Join(all, ", ")
}

// seeing runs a test with a camera that is on and two classes that are taught. show has
// the engine answer with a class, "?" for unknown or "0" for nothing, ten times a second,
// for a while.
func seeing(t *testing.T, test func(t *testing.T, s *Kernel, f *fakeEffects, show func(what string, d time.Duration))) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, c *kerneltest.Camera, wait func()) {
		f := &fakeEffects{}
		s.Then.Connect(f)
		for i, id := range kerneltest.IDs(s) {
			s.AddFiles(id, []File{{"a", "a"}})
			s.Classes.Rename(id, []string{"Cat", "Dog"}[i])
		}
		wait()
		s.Camera.Start("")
		wait()
		test(t, s, f, func(what string, d time.Duration) {
			verdict := answer.Verdict{Unknown: what == "?" || what == "0"}
			if what == "0" {
				verdict.Nothing = "empty"
			}
			a := Answer{Answer: answer.Answer{Verdict: &verdict}}
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

func subjectNamed(s *Kernel, label string) Subject {
	for _, row := range s.Then.State().Rows {
		if row.Label == label {
			return row.Subject
		}
	}
	return Subject{}
}

func TestNothingHappensByDefault(t *testing.T) {
	seeing(t, func(t *testing.T, s *Kernel, f *fakeEffects, show func(string, time.Duration)) {
		show("Cat", 2*time.Second)
		show("Dog", 2*time.Second)
		if got := f.performed(); got != "" {
			t.Errorf("happened: %s", got)
		}
		if state := s.Then.State(); state.Active() || state.Open || state.Hold != DefaultHold {
			t.Errorf("%+v", state)
		}
		if s.Then.Log.State() != (LogState{}) {
			t.Errorf("the log has %+v", s.Then.Log.State())
		}
	})
}

func TestWhatIsSeenHappensOnce(t *testing.T) {
	seeing(t, func(t *testing.T, s *Kernel, f *fakeEffects, show func(string, time.Duration)) {
		cat, dog := subjectNamed(s, "Cat"), subjectNamed(s, "Dog")
		s.Then.SetHold(time.Second)
		s.Then.Edit(cat, func(r *project.Rule) { r.Say, r.Count = true, true })
		s.Then.Edit(dog, func(r *project.Rule) { r.Sound, r.Serial = "bell", true })
		s.Then.Edit(Subject{Of: project.OfUnknown}, func(r *project.Rule) { r.Serial, r.Line = true, " 0 " })
		for _, c := range []struct {
			what string
			d    time.Duration
			want string
		}{
			{"Cat", 800 * time.Millisecond, ""},
			{"Cat", 3 * time.Second, "Cat say-en"},
			{"Dog", 300 * time.Millisecond, ""},
			{"Cat", 3 * time.Second, ""},
			{"Dog", 3 * time.Second, "Dog bell line-Dog"},
			{"Cat", 3 * time.Second, "Cat say-en"},
			{"?", 2 * time.Second, "Unknown line-0"},
			{"0", 2 * time.Second, ""},
			{"?", 2 * time.Second, "Unknown line-0"},
			{"Cat", 2 * time.Second, "Cat say-en"},
		} {
			show(c.what, c.d)
			if got := f.performed(); got != c.want {
				t.Errorf("%s for %v: %q, want %q", c.what, c.d, got, c.want)
			}
		}
		if got := s.Then.State().Rows[0].Counted; got != 3 {
			t.Errorf("counted %d, want 3", got)
		}
		s.Then.ResetCount(cat)
		if got := s.Then.State().Rows[0]; got.Counted != 0 || !got.Count {
			t.Errorf("after starting again %+v", got.Rule)
		}
		s.Then.Pause(true)
		show("Dog", 2*time.Second)
		s.Then.Pause(false)
		if got := f.performed(); got != "" {
			t.Errorf("while paused %s", got)
		}
		show("Dog", 2*time.Second)
		if got := f.performed(); got != "Dog bell line-Dog" {
			t.Errorf("after the pause %q", got)
		}
	})
}

func TestNothingHappensWhileTeaching(t *testing.T) {
	seeing(t, func(t *testing.T, s *Kernel, f *fakeEffects, show func(string, time.Duration)) {
		cat := subjectNamed(s, "Cat")
		s.Then.Edit(cat, func(r *project.Rule) { r.Say = true })
		s.Capture.Hold(cat.ClassID)
		show("Cat", 2*time.Second)
		if got := f.performed(); got != "" {
			t.Errorf("while teaching %s", got)
		}
		s.Capture.Release()
		show("Cat", time.Second)
		if got := f.performed(); got != "Cat say-en" {
			t.Errorf("after teaching %q", got)
		}
	})
}

func TestWhatIsShownStaysWhileItIsSeen(t *testing.T) {
	seeing(t, func(t *testing.T, s *Kernel, f *fakeEffects, show func(string, time.Duration)) {
		cat, dog := subjectNamed(s, "Cat"), subjectNamed(s, "Dog")
		shown := func() string {
			row, _ := s.Then.Shown()
			return row.Show + row.Picture
		}
		s.Then.Edit(cat, func(r *project.Rule) { r.Show = "🐱" })
		show("Cat", 5*time.Second)
		if got := shown(); got != "🐱" {
			t.Errorf("%q is shown with a cat", got)
		}
		show("Dog", 200*time.Millisecond)
		if got := shown(); got != "🐱" {
			t.Errorf("%q is shown when the dog has just come", got)
		}
		show("Dog", time.Second)
		if got := shown(); got != "" {
			t.Errorf("%q is shown with a dog", got)
		}
		s.Then.AddMedium(dog, File{"rex", "file"}, PictureMedium)
		synctest.Wait()
		if got := shown(); got != "media-rex" {
			t.Errorf("%q is shown after choosing a picture", got)
		}
		kerneltest.Rest(4 * time.Second)
		if got := shown(); got != "" {
			t.Errorf("%q is shown long after trying", got)
		}
		show("Cat", time.Second)
		s.Camera.Stop()
		if got := shown(); got != "" {
			t.Errorf("%q is shown without a camera", got)
		}
		if got := f.performed(); got != "" {
			t.Errorf("the browser did %s, though showing is the page's", got)
		}
		f.fail = kerneltest.Failure(CodeTooLarge, "too large")
		s.Then.AddMedium(dog, File{"big", "file"}, PictureMedium)
		synctest.Wait()
		if n := s.Notices.List(); len(n) != 1 || n[0].Title != "big cannot be used" || s.Then.State().Rows[1].Picture != "media-rex" {
			t.Errorf("%+v, %+v", n, s.Then.State().Rows[1])
		}
	})
}

func TestAPictureThatIsShownIsSeen(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		f := &fakeEffects{}
		s.Then.Connect(f)
		kerneltest.Teach(s, e, wait)
		s.Then.SetHold(3 * time.Second)
		s.Then.Edit(Subject{ClassID: kerneltest.IDs(s)[0]}, func(r *project.Rule) { r.Say = true })
		for range 2 { // another picture of the same is seen again
			s.ShowPicture(File{"b.jpg", "b"})
			kerneltest.Rest(2 * time.Second)
			if got := f.performed(); got != "" {
				t.Errorf("too early: %s", got)
			}
			kerneltest.Rest(2 * time.Second)
			if got := f.performed(); got != "Class 1 say-en" {
				t.Errorf("happened: %q", got)
			}
		}
	})
}

func TestASoundAfterSilenceIsHeardAgain(t *testing.T) {
	kerneltest.Bubble(t, func(t *testing.T) {
		s, f := New(project.KindSound, texts.In("en")), &fakeEffects{}
		s.Then.Connect(f)
		id := kerneltest.IDs(s)[0]
		s.Then.Edit(Subject{ClassID: id}, func(r *project.Rule) { r.Serial, r.Show = true, "🔔" })
		hear := func(times int) string {
			for range times {
				s.Then.Told(kerneltest.Says(0, answer.Score{ID: id, Score: 1}), false)
				kerneltest.Rest(100 * time.Millisecond)
			}
			return f.performed()
		}
		if got := hear(8); got != "Class 1 line-Class 1" {
			t.Errorf("heard first: %q", got)
		}
		if _, shown := s.Then.Shown(); !shown {
			t.Error("nothing is shown for a sound")
		}
		if got := hear(8); got != "" {
			t.Errorf("while it lasts: %q", got)
		}
		kerneltest.Rest(4 * time.Second)
		if row, shown := s.Then.Shown(); shown {
			t.Errorf("long after the sound %q is shown", row.Show)
		}
		if got := hear(8); got != "Class 1 line-Class 1" {
			t.Errorf("heard again: %q", got)
		}
		kerneltest.Rest(4 * time.Second)
	})
}

func TestRulesBelongToTheProject(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, _ *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		doc := cups()
		doc.Extensions = map[string]json.RawMessage{"mirror": json.RawMessage("true")}
		store := kerneltest.NewStore(doc)
		s.Project.StoreReady(store)
		wait()
		cup, mug := Subject{ClassID: "class-1"}, Subject{ClassID: "class-2"}
		s.Then.SetHold(2 * time.Second)
		s.Then.Edit(cup, func(r *project.Rule) { r.Show = "☕" })
		s.Then.Edit(mug, func(r *project.Rule) { r.Say = true })
		s.Then.Edit(Subject{Of: project.OfUnknown}, func(r *project.Rule) { r.Sound = "buzz" })
		kept := func() string {
			kerneltest.Rest(time.Second)
			d := store.Doc("project-cups")
			a := d.Actions()
			var rules []string
			for _, r := range a.Rules {
				rules = append(rules, fmt.Sprint(r.Class, r.Of, r.Say, r.Sound, r.Show))
			}
			if string(d.Extensions["mirror"]) != "true" {
				t.Errorf("another program's extension is gone: %v", d.Extensions)
			}
			return fmt.Sprint(a.Hold, rules)
		}
		all := "2 [class-1false☕ class-2true unknownfalsebuzz]"
		if got := kept(); got != all {
			t.Errorf("kept %s, want %s", got, all)
		}
		s.Classes.Rename("class-2", "beaker")
		if got := kept(); got != all || s.Then.State().Rows[1].Label != "beaker" || !s.Then.State().Rows[1].Say {
			t.Errorf("after renaming %s", got)
		}
		s.Classes.Remove("class-2")
		if got := kept(); got != "2 [class-1false☕ unknownfalsebuzz]" || len(s.Then.State().Rows) != 2 {
			t.Errorf("without the class %s", got)
		}
		s.Classes.Undo()
		if got := kept(); got != all || len(s.Then.State().Rows) != 3 {
			t.Errorf("after undoing %s", got)
		}
		s.Project.New()
		kerneltest.Rest(time.Second)
		if state := s.Then.State(); state.Active() || state.Hold != DefaultHold {
			t.Errorf("a new project has %+v", state)
		}
		s.Project.Open("project-cups")
		kerneltest.Rest(time.Second)
		if state := s.Then.State(); state.Hold != 2*time.Second || state.Rows[0].Show != "☕" || !state.Rows[1].Say {
			t.Errorf("opened again: %+v", state)
		}
		for _, subject := range []Subject{cup, mug, {Of: project.OfUnknown}} {
			s.Then.Edit(subject, func(r *project.Rule) { *r = project.Rule{} })
		}
		kerneltest.Rest(time.Second)
		if _, there := store.Doc("project-cups").Extensions[project.ExtensionActions]; there {
			t.Error("actions without rules are kept")
		}
	})
}

func TestThePageAroundIsGreeted(t *testing.T) {
	seeing(t, func(t *testing.T, s *Kernel, f *fakeEffects, show func(string, time.Duration)) {
		cat := subjectNamed(s, "Cat")
		s.Then.Edit(cat, func(r *project.Rule) { r.Send = true })
		if f.greeted != nil {
			t.Errorf("greeted %q, and there is no page around", f.greeted)
		}
		f.abilities = Abilities{Framed: true}
		s.Then.Edit(cat, func(r *project.Rule) { r.Say = true })
		s.Classes.Rename(cat.ClassID, "Lion")
		if want := []string{"Cat Dog ", "Lion Dog "}; !slices.Equal(f.greeted, want) {
			t.Errorf("greeted %q, want %q", f.greeted, want)
		}
	})
}

func TestDevices(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, _ *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		f := &fakeEffects{abilities: Abilities{Serial: true}}
		s.Then.Connect(f)
		s.Then.ConnectDevice()
		wait()
		if got := s.Then.State().Device; got != DeviceConnected {
			t.Errorf("device %v after connecting", got)
		}
		s.Then.Failed(kerneltest.Failure(CodeNoDevice, "gone"))
		if got := s.Then.State().Device; got != NoDevice || !slices.Contains(kerneltest.Keys(s), "effect") {
			t.Errorf("device %v after it is gone, notices %v", got, kerneltest.Keys(s))
		}
		s.Then.ConnectDevice()
		wait()
		if slices.Contains(kerneltest.Keys(s), "effect") {
			t.Error("the notice stays when the device is back")
		}
		s.Then.DisconnectDevice()
		f.fail = kerneltest.Failure(CodeAborted, "nothing chosen")
		s.Then.ConnectDevice()
		wait()
		if got := s.Then.State().Device; got != NoDevice || len(kerneltest.Keys(s)) > 0 {
			t.Errorf("device %v, notices %v after nothing was chosen", got, kerneltest.Keys(s))
		}
	})
}

func TestLog(t *testing.T) {
	seeing(t, func(t *testing.T, s *Kernel, f *fakeEffects, show func(string, time.Duration)) {
		s.Classes.Rename(kerneltest.IDs(s)[1], "=Dog;\"")
		s.Then.Log.Keep(true)
		show("Cat", 2*time.Second)
		show("?", time.Second)
		kerneltest.Rest(10 * time.Second)
		show("Cat", time.Second)
		s.Then.Log.Keep(false)
		show("Cat", time.Second)
		spans, rows := s.Then.Log.Strip()
		var said []string
		for _, span := range spans {
			said = append(said, fmt.Sprint(span.Label, " ", span.To.Sub(span.From).Round(time.Second), " ", len(span.Seen)))
		}
		if got, want := strings.Join(said, ", "), "Cat 2s 1, Unknown 1s 1, Cat 1s 1"; got != want {
			t.Errorf("spans %s, want %s", got, want)
		}
		if len(rows) != 2 || rows[0].Label != "Cat" || rows[1].Label != "Unknown" {
			t.Errorf("rows %+v", rows)
		}
		totals := Totals(spans)
		if len(totals) != 2 || totals[0].Label != "Cat" || totals[0].Times != 2 || totals[0].Lasted.Round(time.Second) != 3*time.Second {
			t.Errorf("totals %+v", totals)
		}

		s.Then.SaveLog("My: log")
		text := f.texts["My log.csv"]
		lines := strings.Split(strings.TrimPrefix(text, "\ufeff"), "\r\n")
		if want := `time,seconds,answer,probability,seen,Cat,"'=Dog;"""`; lines[0] != want {
			t.Errorf("head %s, want %s", lines[0], want)
		}
		if n := s.Then.Log.State().Entries; len(lines) != n+2 || n < 20 || n > 24 {
			t.Errorf("%d lines of %d entries, want five a second of four", len(lines), n)
		}
		if want := "2000-01-01 "; !strings.HasPrefix(lines[1], want) || !strings.HasSuffix(lines[1], ",0.0,Cat,0.900,0,0.900,0.100") {
			t.Errorf("first line %s", lines[1])
		}
		s.SetLanguage(texts.In("de"))
		s.Then.SaveLog("Protokoll")
		text = f.texts["Protokoll.csv"]
		if !strings.Contains(text, ";0,0;Cat;0,900;0;0,900;0,100\r\n") || !strings.Contains(text, ";Unbekannt;;1;0,100;0,100\r\n") {
			t.Errorf("in German %s", text)
		}
		s.Then.Log.Clear()
		if got := s.Then.Log.State(); got != (LogState{}) {
			t.Errorf("emptied: %+v", got)
		}
	})
}

// A change of what happens is a step as those of classes are; what was counted stays.
func TestRulesAreUndone(t *testing.T) {
	seeing(t, func(t *testing.T, s *Kernel, f *fakeEffects, show func(string, time.Duration)) {
		subject := subjectNamed(s, "Cat")
		rule := func() project.Rule {
			for _, row := range s.Then.State().Rows {
				if row.Subject == subject {
					return row.Rule
				}
			}
			return project.Rule{}
		}
		s.Then.Edit(subject, func(r *project.Rule) { r.Count = true })
		s.Then.Edit(subject, func(r *project.Rule) { r.Say = true })
		s.Then.Edit(subject, func(r *project.Rule) { r.Say = true }) // which is no change
		show("Cat", 3*time.Second)
		counted := rule().Counted
		if counted == 0 {
			t.Fatal("nothing was counted")
		}
		if got := s.Classes.History(); got.Undo != StepRule {
			t.Fatalf("history %+v, want a rule to undo", got)
		}
		s.Classes.Undo()
		if r := rule(); r.Say || !r.Count || r.Counted != counted {
			t.Errorf("after undo %+v, want it silent, and %d counted", r, counted)
		}
		s.Classes.Undo()
		if r := rule(); r.Say || r.Count {
			t.Errorf("after two undos %+v", r)
		}
		s.Classes.Redo()
		s.Classes.Redo()
		if r := rule(); !r.Say || !r.Count {
			t.Errorf("after two redos %+v", r)
		}
		s.Classes.Undo()
		s.Classes.Undo()
		if got := s.Classes.History().Undo; got == StepRule {
			t.Error("a change that changed nothing is a step")
		}
		if got := len(s.Classes.List()); got != 2 {
			t.Errorf("%d classes", got)
		}
	})
}
