package actions

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/kerneltest"
	"github.com/deepemd/deepemd/web/internal/texts"
)

func TestNothingHappensByDefault(t *testing.T) {
	seeing(t, func(t *testing.T, s *kernel.Kernel, then *Actions, f *fakeEffects, show func(string, time.Duration)) {
		show("Cat", 2*time.Second)
		show("Dog", 2*time.Second)
		if got := f.performed(); got != "" {
			t.Errorf("happened: %s", got)
		}
		if state := then.State(); state.Active() || state.Open || state.Hold != DefaultHold {
			t.Errorf("%+v", state)
		}
		if then.Log.State() != (LogState{}) {
			t.Errorf("the log has %+v", then.Log.State())
		}
	})
}

func TestWhatIsSeenHappensOnce(t *testing.T) {
	seeing(t, func(t *testing.T, s *kernel.Kernel, then *Actions, f *fakeEffects, show func(string, time.Duration)) {
		cat, dog := subjectNamed(then, "Cat"), subjectNamed(then, "Dog")
		then.SetHold(time.Second)
		then.Edit(cat, func(r *project.Rule) { r.Say, r.Count = true, true })
		then.Edit(dog, func(r *project.Rule) { r.Sound, r.Serial = "bell", true })
		then.Edit(Subject{Of: project.OfUnknown}, func(r *project.Rule) { r.Serial, r.Line = true, " 0 " })
		for _, c := range []struct {
			what string
			d    time.Duration
			want string
		}{
			{"Cat", 800 * time.Millisecond, ""},
			{"Cat", 3 * time.Second, "Cat say-en 1"},
			{"Dog", 300 * time.Millisecond, ""},
			{"Cat", 3 * time.Second, ""},
			{"Dog", 3 * time.Second, "Dog bell line-Dog"},
			{"Cat", 3 * time.Second, "Cat say-en 2"},
			{"?", 2 * time.Second, "Unknown line-0"},
			{"0", 2 * time.Second, ""},
			{"?", 2 * time.Second, "Unknown line-0"},
			{"Cat", 2 * time.Second, "Cat say-en 3"},
		} {
			show(c.what, c.d)
			if got := f.performed(); got != c.want {
				t.Errorf("%s for %v: %q, want %q", c.what, c.d, got, c.want)
			}
		}
		if got := then.State().Rows[0].Counted; got != 3 {
			t.Errorf("counted %d, want 3", got)
		}
		then.Edit(cat, func(r *project.Rule) { r.Count = false })
		if then.Try(cat); f.performed() != "Cat say-en" {
			t.Error("a count that is off is performed")
		}
		then.Edit(cat, func(r *project.Rule) { r.Count = true })
		then.ResetCount(cat)
		if got := then.State().Rows[0]; got.Counted != 0 || !got.Count {
			t.Errorf("after starting again %+v", got.Rule)
		}
		then.Pause(true)
		show("Dog", 2*time.Second)
		then.Pause(false)
		if got := f.performed(); got != "" {
			t.Errorf("while paused %s", got)
		}
		show("Dog", 2*time.Second)
		if got := f.performed(); got != "Dog bell line-Dog" {
			t.Errorf("after the pause %q", got)
		}
	})
}

// The background is a subject once it has an example.
func TestTheBackgroundIsSeen(t *testing.T) {
	seeing(t, func(t *testing.T, s *kernel.Kernel, then *Actions, f *fakeEffects, show func(string, time.Duration)) {
		empty, label := Subject{Of: project.OfNothing}, s.Texts().Class.Nothing
		then.Edit(empty, func(r *project.Rule) { r.Serial = true })
		if got := subjectNamed(then, label); got != (Subject{}) {
			t.Errorf("the background is %+v without examples", got)
		}
		s.AddFiles(s.Classes.Nothing()[0].ID, kerneltest.Files("desk"))
		synctest.Wait()
		if got := subjectNamed(then, label); got != empty {
			t.Errorf("the background is %+v", got)
		}
		show("0", time.Second)
		if got := f.performed(); got != label+" line-"+label {
			t.Errorf("for the background: %q", got)
		}
	})
}

func TestNothingHappensWhileTeaching(t *testing.T) {
	seeing(t, func(t *testing.T, s *kernel.Kernel, then *Actions, f *fakeEffects, show func(string, time.Duration)) {
		cat := subjectNamed(then, "Cat")
		then.Edit(cat, func(r *project.Rule) { r.Say = true })
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
	seeing(t, func(t *testing.T, s *kernel.Kernel, then *Actions, f *fakeEffects, show func(string, time.Duration)) {
		cat, dog := subjectNamed(then, "Cat"), subjectNamed(then, "Dog")
		shown := func() string {
			row, ok := then.Shown()
			if ok && row.Show+row.Picture == "" {
				return "an empty rule"
			}
			return row.Show + row.Picture
		}
		then.Edit(cat, func(r *project.Rule) { r.Show = "🐱" })
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
		then.AddMedium(dog, kernel.File{Name: "rex", Source: "file"}, PictureMedium)
		synctest.Wait()
		if got := shown(); got != "media-rex" {
			t.Errorf("%q is shown after choosing a picture", got)
		}
		kerneltest.Rest(4 * time.Second)
		if got := shown(); got != "" {
			t.Errorf("%q is shown long after trying", got)
		}
		then.Try(dog)
		kerneltest.Rest(2 * time.Second)
		then.Try(cat)
		kerneltest.Rest(2 * time.Second)
		if got := shown(); got != "🐱" {
			t.Errorf("%q is shown 2 s after trying that of the cat", got)
		}
		kerneltest.Rest(2 * time.Second)
		show("Cat", time.Second)
		then.Edit(cat, func(r *project.Rule) { r.Show = "🦁" })
		then.Edit(dog, func(r *project.Rule) { r.Count = true })
		if got := shown(); got != "🦁" {
			t.Errorf("%q is shown after a change", got)
		}
		s.Classes.Undo()
		s.Classes.Undo()
		if got := shown(); got != "🐱" {
			t.Errorf("%q is shown after undoing the change", got)
		}
		then.Pause(true)
		if got := shown(); got != "" {
			t.Errorf("%q is shown during a pause", got)
		}
		then.Pause(false)
		show("Cat", time.Second)
		s.Camera.Stop()
		if got := shown(); got != "" {
			t.Errorf("%q is shown without a camera", got)
		}
		if got := f.performed(); got != "" {
			t.Errorf("the browser did %s, though showing is the page's", got)
		}
		f.fail = kerneltest.Failure(kernel.CodeTooLarge, "too large")
		then.AddMedium(dog, kernel.File{Name: "big", Source: "file"}, PictureMedium)
		synctest.Wait()
		if n := s.Notices.List(); len(n) != 1 || n[0].Title != "big cannot be used" || then.State().Rows[1].Picture != "media-rex" {
			t.Errorf("%+v, %+v", n, then.State().Rows[1])
		}
	})
}

func TestAPictureThatIsShownIsSeen(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *kernel.Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		then := New(s)
		f := &fakeEffects{}
		then.Connect(f)
		kerneltest.Teach(s, e, wait)
		then.SetHold(3 * time.Second)
		then.Edit(Subject{ClassID: kerneltest.IDs(s)[0]}, func(r *project.Rule) { r.Say = true })
		for range 2 {
			s.ShowPictures(kernel.File{Name: "b.jpg", Source: "b"})
			kerneltest.Rest(2 * time.Second)
			if got := f.performed(); got != "" {
				t.Errorf("too early: %s", got)
			}
			kerneltest.Rest(2 * time.Second)
			if got := f.performed(); got != "Class 1 say-en" {
				t.Errorf("happened: %q", got)
			}
		}
		then.Pause(true)
		kerneltest.Rest(4 * time.Second)
		then.Pause(false)
		kerneltest.Rest(4 * time.Second)
		if got := f.performed(); got != "Class 1 say-en" {
			t.Errorf("after a pause: %q", got)
		}
		then.Log.Keep(true)
		for _, c := range []struct {
			what string
			do   func()
			want string
		}{
			{"another picture", func() { s.ShowPictures(kernel.File{Name: "c.jpg", Source: "c"}) }, "Class 1 say-en"},
			{"no picture", s.Live.DropPicture, ""},
			{"a pause", func() { then.Pause(true) }, ""},
		} {
			s.ShowPictures(kernel.File{Name: "b.jpg", Source: "b"})
			kerneltest.Rest(2 * time.Second)
			c.do()
			kerneltest.Rest(4 * time.Second)
			if got := f.performed(); got != c.want {
				t.Errorf("%s before the time is over: %q, want %q", c.what, got, c.want)
			}
		}
		if spans, _ := then.Log.Strip(); len(spans) == 0 || Totals(spans)[0].Times != 1 {
			t.Errorf("in the log: %+v", spans)
		}
	})
}

func TestASoundAfterSilenceIsHeardAgain(t *testing.T) {
	kerneltest.Bubble(t, func(t *testing.T) {
		s, f := kernel.New(project.KindSound, texts.In("en")), &fakeEffects{}
		then := New(s)
		then.Connect(f)
		id := kerneltest.IDs(s)[0]
		then.Edit(Subject{ClassID: id}, func(r *project.Rule) { r.Serial, r.Show = true, "🔔" })
		hear := func(times int) string {
			for range times {
				then.onAnswer(kernel.LiveState{Answer: kerneltest.Says(0, answer.Score{ID: id, Score: 1})})
				kerneltest.Rest(100 * time.Millisecond)
			}
			return f.performed()
		}
		if got := hear(8); got != "Class 1 line-Class 1" {
			t.Errorf("heard first: %q", got)
		}
		if _, shown := then.Shown(); !shown {
			t.Error("nothing is shown for a sound")
		}
		if got := hear(8); got != "" {
			t.Errorf("while it lasts: %q", got)
		}
		kerneltest.Rest(4 * time.Second)
		if row, shown := then.Shown(); shown {
			t.Errorf("long after the sound %q is shown", row.Show)
		}
		if got := hear(8); got != "Class 1 line-Class 1" {
			t.Errorf("heard again: %q", got)
		}
		kerneltest.Rest(4 * time.Second)
		then.SetHold(3 * time.Second)
		then.onAnswer(kernel.LiveState{Answer: kerneltest.Says(0, answer.Score{ID: id, Score: 1}), Still: true})
		kerneltest.Rest(4 * time.Second)
		if got := f.performed(); got != "Class 1 line-Class 1" {
			t.Errorf("heard in a file: %q", got)
		}
		kerneltest.Rest(4 * time.Second)
	})
}

func TestRulesBelongToTheProject(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *kernel.Kernel, _ *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		then := New(s)
		doc := kerneltest.Cups()
		doc.Extensions = map[string]json.RawMessage{"mirror": json.RawMessage("true")}
		store := kerneltest.NewStore(doc)
		s.Project.StoreReady(store)
		wait()
		cup, mug := Subject{ClassID: "class-1"}, Subject{ClassID: "class-2"}
		then.Edit(cup, func(r *project.Rule) { r.Show = "☕" })
		then.Edit(mug, func(r *project.Rule) { r.Say = true })
		then.Edit(Subject{Of: project.OfUnknown}, func(r *project.Rule) { r.Sound = "buzz" })
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
		kept()
		then.SetHold(2 * time.Second)
		all := "2 [class-1false☕ class-2true unknownfalsebuzz]"
		if got := kept(); got != all {
			t.Errorf("kept %s, want %s", got, all)
		}
		s.Classes.Rename("class-2", "beaker")
		if got := kept(); got != all || then.State().Rows[1].Label != "beaker" || !then.State().Rows[1].Say {
			t.Errorf("after renaming %s", got)
		}
		s.Classes.Remove("class-2")
		if got := kept(); got != "2 [class-1false☕ unknownfalsebuzz]" || len(then.State().Rows) != 2 {
			t.Errorf("without the class %s", got)
		}
		s.Classes.Undo()
		if got := kept(); got != all || len(then.State().Rows) != 3 {
			t.Errorf("after undoing %s", got)
		}
		s.Project.New()
		kerneltest.Rest(time.Second)
		if state := then.State(); state.Active() || state.Hold != DefaultHold {
			t.Errorf("a new project has %+v", state)
		}
		s.Project.Open("project-cups")
		kerneltest.Rest(time.Second)
		if state := then.State(); state.Hold != 2*time.Second || state.Rows[0].Show != "☕" || !state.Rows[1].Say {
			t.Errorf("opened again: %+v", state)
		}
		for _, subject := range []Subject{cup, mug, {Of: project.OfUnknown}} {
			then.Edit(subject, func(r *project.Rule) { *r = project.Rule{} })
		}
		kerneltest.Rest(time.Second)
		if _, there := store.Doc("project-cups").Extensions[project.ExtensionActions]; there {
			t.Error("actions without rules are kept")
		}
	})
}

func TestThePageAroundIsGreeted(t *testing.T) {
	seeing(t, func(t *testing.T, s *kernel.Kernel, then *Actions, f *fakeEffects, show func(string, time.Duration)) {
		cat := subjectNamed(then, "Cat")
		then.Edit(cat, func(r *project.Rule) { r.Send = true })
		if f.greeted != nil {
			t.Errorf("greeted %q, and there is no page around", f.greeted)
		}
		then.Edit(cat, func(r *project.Rule) { r.Send = false })
		f.abilities = Abilities{Framed: true}
		then.Edit(cat, func(r *project.Rule) { r.Say = true })
		if f.greeted != nil {
			t.Errorf("greeted %q, and no rule sends messages", f.greeted)
		}
		then.Edit(cat, func(r *project.Rule) { r.Send = true })
		then.Edit(cat, func(r *project.Rule) { r.Count = true })
		s.Classes.Rename(cat.ClassID, "Lion")
		then.Edit(cat, func(r *project.Rule) { r.Send = false })
		s.Classes.Undo()
		if want := []string{"Cat Dog ", "Lion Dog ", "Lion Dog "}; !slices.Equal(f.greeted, want) {
			t.Errorf("greeted %q, want %q", f.greeted, want)
		}
	})
}

func TestDevices(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *kernel.Kernel, _ *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		then := New(s)
		f := &fakeEffects{abilities: Abilities{Serial: true}, shrinks: time.Second}
		then.Connect(f)
		then.SetBaud(9600)
		then.ConnectDevice()
		wait()
		if got := then.State().Device; got != DeviceConnecting {
			t.Errorf("device %v while the user chooses", got)
		}
		kerneltest.Rest(f.shrinks)
		f.shrinks = 0
		if got := then.State().Device; got != DeviceConnected {
			t.Errorf("device %v after connecting", got)
		}
		then.Failed(kerneltest.Failure(kernel.CodeNoDevice, "gone"))
		if got := then.State().Device; got != NoDevice || !slices.Contains(kerneltest.Keys(s), "effect") {
			t.Errorf("device %v after it is gone, notices %v", got, kerneltest.Keys(s))
		}
		then.ConnectDevice()
		wait()
		if slices.Contains(kerneltest.Keys(s), "effect") {
			t.Error("the notice stays when the device is back")
		}
		then.DisconnectDevice()
		if got := then.State().Device; got != NoDevice || f.device != "9600 9600 off " {
			t.Errorf("device %v after disconnecting, calls %s", got, f.device)
		}
		f.fail = kerneltest.Failure(kernel.CodeAborted, "nothing chosen")
		then.ConnectDevice()
		wait()
		if got := then.State().Device; got != NoDevice || len(kerneltest.Keys(s)) > 0 {
			t.Errorf("device %v, notices %v after nothing was chosen", got, kerneltest.Keys(s))
		}
	})
}

// A change of rules is an undoable step; counters stay.
func TestRulesAreUndone(t *testing.T) {
	seeing(t, func(t *testing.T, s *kernel.Kernel, then *Actions, f *fakeEffects, show func(string, time.Duration)) {
		subject := subjectNamed(then, "Cat")
		rule := func() project.Rule {
			for _, row := range then.State().Rows {
				if row.Subject == subject {
					return row.Rule
				}
			}
			return project.Rule{}
		}
		then.Edit(subject, func(r *project.Rule) { r.Count = true })
		then.Edit(subject, func(r *project.Rule) { r.Say = true })
		then.Edit(subject, func(r *project.Rule) { r.Say = true })
		show("Cat", 3*time.Second)
		counted := rule().Counted
		if counted == 0 {
			t.Fatal("nothing was counted")
		}
		if got := s.Classes.History(); got.Undo != kernel.StepRule {
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
		if got := s.Classes.History().Undo; got == kernel.StepRule {
			t.Error("a change that changed nothing is a step")
		}
		if got := len(s.Classes.List()); got != 2 {
			t.Errorf("%d classes", got)
		}
	})
}

// A sound or picture that is ready only after another project was opened is not for that project.
func TestMediaStayWithTheirProject(t *testing.T) {
	for _, leaves := range []bool{false, true} {
		seeing(t, func(t *testing.T, s *kernel.Kernel, then *Actions, f *fakeEffects, _ func(string, time.Duration)) {
			s.Project.StoreReady(kerneltest.NewStore(kerneltest.Cups()))
			f.shrinks = time.Second
			then.AddMedium(Subject{Of: project.OfUnknown}, kernel.File{Name: "a.mp3"}, SoundMedium)
			if leaves {
				s.Project.Open(kerneltest.Cups().ID)
			}
			kerneltest.Rest(2 * time.Second)
			if got := then.State().Active(); got == leaves || (f.performed() != "") == leaves {
				t.Errorf("another project was opened: %v, a rule has the sound: %v", leaves, got)
			}
		})
	}
}

// An opened project brings its rules. The page around the studio learns its classes.
func TestRulesOfAnOpenedProject(t *testing.T) {
	seeing(t, func(t *testing.T, s *kernel.Kernel, then *Actions, f *fakeEffects, show func(string, time.Duration)) {
		f.abilities.Framed = true
		cups := kerneltest.Cups()
		cups.Extensions, _ = project.Actions{Hold: 3, Rules: []project.Rule{{Class: "class-1", Send: true}}}.Keep(nil)
		s.Project.StoreReady(kerneltest.NewStore(cups))
		then.Log.Keep(true)
		then.Edit(subjectNamed(then, "Cat"), func(r *project.Rule) { r.Show = "🐱" })
		show("Cat", time.Second)
		s.Project.Open(cups.ID)
		kerneltest.Rest(time.Second)
		if _, shown := then.Shown(); shown || then.Log.State().Entries != 0 || then.State().Hold != 3*time.Second {
			t.Errorf("a picture: %v, %d entries in the log, hold %v, want those of the opened project", shown, then.Log.State().Entries, then.State().Hold)
		}
		if len(f.greeted) != 1 || f.greeted[0] != "cup mug " {
			t.Errorf("greeted %q, want the classes of the project", f.greeted)
		}
	})
}
