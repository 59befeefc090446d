package session

import (
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/method"
)

func TestModesHaveNames(t *testing.T) {
	for _, m := range Modes {
		if got := ModeOf(m.Method()); got != m {
			t.Errorf("the method of %s is called %s", m, got)
		}
		if err := m.Method().Validate(); err != nil {
			t.Errorf("%s: %v", m, err)
		}
		lenient := m.Method()
		lenient.Strangers = method.Strangers{}
		if got := ModeOf(lenient); got != m {
			t.Errorf("%s without strangers is called %s", m, got)
		}
	}
	for _, text := range []string{"classifier=nearest", "balance=off", "solver=dense", "embedder=grid"} {
		m, err := method.Parse(text)
		if got := ModeOf(m); err != nil || got != Custom {
			t.Errorf("%s is called %s, %v", text, got, err)
		}
	}
}

func TestChangingTheSetupIsToldKeptAndUndoneWhenRefused(t *testing.T) {
	run(t, func(t *testing.T, s *Session, e *fakeEngine, _ *fakeCamera, wait func()) {
		s.AddFiles(ids(s)[0], []File{{"a", "a"}})
		wait()
		s.Setup.Choose(Balanced)
		wait()
		if got := e.told(); !slices.Contains(got, "configure fcn [2 1] false") {
			t.Errorf("the engine was told %q, want the pyramid among it", got)
		}
		if state := s.Setup.State(); ModeOf(state.Method) != Balanced || state.Changing != nil {
			t.Errorf("%+v, want it balanced and done", state)
		}
		told := len(e.told())
		s.Setup.Choose(Balanced)
		wait()
		if got := e.told()[told:]; slices.ContainsFunc(got, func(c string) bool { return strings.HasPrefix(c, "configure") }) {
			t.Errorf("the same setup was told again: %q", got)
		}
		e.fail = func(call string) error {
			if strings.HasPrefix(call, "configure sampling") {
				return failure("bad-argument", "no")
			}
			return nil
		}
		s.Setup.Choose(Accurate)
		wait()
		if got := ModeOf(s.Setup.Method()); got != Balanced {
			t.Errorf("after a refusal the mode is %s, want what was before", got)
		}
		if len(s.Notices.List()) != 1 {
			t.Errorf("notices %+v, want one about the refusal", s.Notices.List())
		}
	})
}

func TestAChangeOfSetupCanBeStopped(t *testing.T) {
	run(t, func(t *testing.T, s *Session, e *fakeEngine, _ *fakeCamera, wait func()) {
		e.configuring = make(chan struct{})
		s.Setup.Choose(Accurate)
		wait()
		if p := s.Setup.State().Changing; p == nil || *p != (Progress{1, 2}) {
			t.Fatalf("progress %v, want 1 of 2", p)
		}
		s.Setup.Stop()
		wait()
		if state := s.Setup.State(); ModeOf(state.Method) != Fast || state.Changing != nil || len(s.Notices.List()) != 0 {
			t.Errorf("%+v and notices %+v, want all as before, and no complaint", state, s.Notices.List())
		}
	})
}

// Another network, whatever comes of it, does not take back a change of setup that
// is still under way.
func TestAnotherNetworkWaitsForTheSetup(t *testing.T) {
	run(t, func(t *testing.T, s *Session, e *fakeEngine, _ *fakeCamera, wait func()) {
		e.configuring = make(chan struct{})
		s.Setup.Choose(Accurate)
		wait()
		s.Setup.ChangeWeights(&File{Name: "mine.safetensors"})
		wait()
		if state := s.Setup.State(); state.Changing == nil {
			t.Fatalf("%+v: the change of setup was stopped", state)
		}
		close(e.configuring)
		wait()
		if state := s.Setup.State(); ModeOf(state.Method) != Accurate || state.Weights != "mine.safetensors" {
			t.Errorf("%+v, want the setup and the network that were chosen", state)
		}
	})
}

// What is said of strangers is told to the engine as the rest of the method is, but
// changes nothing else.
func TestStrangersAreToldToTheEngine(t *testing.T) {
	run(t, func(t *testing.T, s *Session, e *fakeEngine, _ *fakeCamera, wait func()) {
		s.ShowPicture(File{"test", "test"})
		s.AddFiles(ids(s)[0], []File{{"a", "a"}})
		wait()
		before := len(e.told())
		s.Setup.ChangeStrangers(func(u *method.Strangers) { u.Strictness = 7 })
		wait()
		want := []string{"configure fcn [] false", "classify test"}
		if got := e.told()[before:]; !slices.Equal(got, want) {
			t.Errorf("told %q, want %q", got, want)
		}
		if got := e.follows().Strangers; got != (method.Strangers{Name: true, Strictness: 1}) {
			t.Errorf("the engine follows %+v, want the strictest", got)
		}
		s.Setup.Choose(Balanced)
		wait()
		if got := s.Setup.Method(); got.Strangers.Strictness != 1 || ModeOf(got) != Balanced {
			t.Errorf("%v after a mode was chosen, want the strictness to stay", got)
		}
		// While examples are embedded again, the slider does not end that.
		e.configuring = make(chan struct{})
		s.Setup.Choose(Accurate)
		wait()
		s.Setup.ChangeStrangers(func(u *method.Strangers) { u.Name = false })
		wait()
		close(e.configuring)
		wait()
		if got := s.Setup.Method(); ModeOf(got) != Accurate || got.Strangers.Name || !e.follows().Equal(got) {
			t.Errorf("the page says %v, the engine follows %v", got, e.follows())
		}
	})
}

// What the engine refuses goes back, and what was said of strangers meanwhile stays.
func TestARefusedMethodKeepsStrangers(t *testing.T) {
	run(t, func(t *testing.T, s *Session, e *fakeEngine, _ *fakeCamera, wait func()) {
		e.configuring = make(chan struct{})
		s.Setup.Choose(Accurate)
		wait()
		s.Setup.ChangeStrangers(func(u *method.Strangers) { u.Strictness = 0.9 })
		s.Setup.Stop()
		wait()
		close(e.configuring)
		wait()
		if got := s.Setup.Method(); ModeOf(got) != Fast || got.Strangers.Strictness != 0.9 || !e.follows().Equal(got) {
			t.Errorf("the page says %v, the engine follows %v", got, e.follows())
		}
	})
}

func TestDisabledClassesAreToldAndUndone(t *testing.T) {
	run(t, func(t *testing.T, s *Session, e *fakeEngine, _ *fakeCamera, wait func()) {
		id := ids(s)[0]
		s.AddFiles(id, []File{{"a", "a"}})
		wait()
		s.Classes.Enable(id, false)
		s.Classes.Enable(id, false) // which changes nothing
		wait()
		if got := e.told(); got[len(got)-1] != "enable "+id+" false" || !s.Classes.List()[0].Disabled {
			t.Errorf("the engine was told %q last, disabled: %v", got[len(got)-1], s.Classes.List()[0].Disabled)
		}
		if s.Classes.History().Undo != StepEnableClass {
			t.Errorf("what can be undone is %v", s.Classes.History().Undo)
		}
		s.Classes.Undo()
		wait()
		if got := e.told(); got[len(got)-1] != "enable "+id+" true" || s.Classes.List()[0].Disabled {
			t.Errorf("undone, the engine was told %q last", got[len(got)-1])
		}
	})
}

func TestReviewsAreMadeWhenExamplesRestAndOnlyWhileShown(t *testing.T) {
	run(t, func(t *testing.T, s *Session, e *fakeEngine, _ *fakeCamera, wait func()) {
		reviews := func() (n int) {
			for _, c := range e.told() {
				if c == "review" {
					n++
				}
			}
			return n
		}
		class := ids(s)[0]
		s.AddFiles(class, []File{{"a", "a"}, {"b", "b"}})
		wait()
		rest(2 * pause)
		if reviews() != 0 {
			t.Error("a review was made that nobody sees")
		}
		examples := s.Classes.List()[0].Examples
		e.review = Review{
			Examples: []Reviewed{{ID: examples[0], ClassID: class, Taken: class, Twin: ""}, {ID: examples[1], ClassID: class, Taken: "other", Problem: "dark", Twin: examples[0]}},
			Known:    []float64{-0.5, -1}, Unknown: []float64{-2, -0.8}, Worst: examples[1],
		}
		s.Reviews.Show(true)
		rest(2 * pause)
		wait()
		state := s.Reviews.State()
		if reviews() != 1 || state.Busy || state.Review == nil {
			t.Fatalf("%d reviews, %+v", reviews(), state)
		}
		if right, all := state.Review.Accuracy(); right != 1 || all != 2 {
			t.Errorf("%d of %d right, want 1 of 2", right, all)
		}
		if accepted, rejected, ok := state.Review.Rates(-0.9); accepted != 0.5 || rejected != 0.5 || !ok {
			t.Errorf("rates %v, %v, %v; want a half each", accepted, rejected, ok)
		}
		if len(state.Few) != 1 || state.Few[0].ID != class {
			t.Errorf("too few examples: %+v, want the class of two", state.Few)
		}
		s.Reviews.Pick("twins", func(r *Review) []string { return r.Having("twin") })
		if got := s.Reviews.State().Picked; !slices.Equal(got, examples[1:]) {
			t.Errorf("picked %q, want the twin", got)
		}
		s.Classes.RemoveExample(examples[1])
		if got := s.Reviews.State(); len(got.Picked) != 0 || got.Review.Worst != "" || !got.Busy {
			t.Errorf("after the removal %+v, want it gone from the review, and a new one under way", got)
		}
		rest(2 * pause)
		wait()
		if reviews() != 2 {
			t.Errorf("%d reviews after a change, want 2", reviews())
		}
	})
}

func TestATrialCountsByFolder(t *testing.T) {
	run(t, func(t *testing.T, s *Session, e *fakeEngine, _ *fakeCamera, wait func()) {
		cup, pen := ids(s)[0], ids(s)[1]
		s.Classes.Rename(cup, "Cup")
		s.Classes.Rename(pen, "Pen")
		s.AddFiles(cup, []File{{"a", "a"}})
		s.AddFiles(pen, []File{{"b", "b"}})
		wait()
		entry := func(path string) Entry { return Entry{File{path, path}, path} }
		s.Trial.Start([]Entry{entry("new/other/1.jpg")})
		wait()
		if s.Trial.State() != nil || len(s.Notices.List()) != 1 {
			t.Errorf("a test without a folder of any class: %+v, notices %+v", s.Trial.State(), s.Notices.List())
		}
		e.answer = Answer{Scores: []Score{{cup, 0.9}, {pen, 0.1}}}
		e.fail = func(call string) error {
			if strings.Contains(call, "text") {
				return failure(CodeBadImage, "no picture")
			}
			return nil
		}
		s.Trial.Start([]Entry{
			entry("new/cup/1.jpg"), entry("new/cup/.hidden"), entry("new/Pen/2.jpg"), entry("new/Pen/text"), entry("new/other/3.jpg"), entry("loose.jpg"),
		})
		wait()
		trial := s.Trial.State()
		if trial == nil || trial.Running || trial.All != 3 || trial.Right != 1 || trial.Progress != (Progress{4, 4}) {
			t.Fatalf("%+v, want 1 of 3 right", trial)
		}
		if trial.Counts[[2]string{pen, cup}] != 1 || trial.Counts[[2]string{"", cup}] != 1 || len(trial.Wrong) != 2 {
			t.Errorf("counts %v, wrong %+v", trial.Counts, trial.Wrong)
		}
		if !slices.Equal(trial.Others, []string{"other"}) || len(trial.Broken) != 1 {
			t.Errorf("others %q, broken %q", trial.Others, trial.Broken)
		}
		s.Trial.Close()
		if s.Trial.State() != nil {
			t.Error("the test is still there")
		}
	})
}

func TestATrialCanBeStopped(t *testing.T) {
	run(t, func(t *testing.T, s *Session, e *fakeEngine, _ *fakeCamera, wait func()) {
		s.Classes.Rename(ids(s)[0], "Cup")
		s.AddFiles(ids(s)[0], []File{{"a", "a"}})
		wait()
		e.working = make(chan struct{})
		s.Trial.Start([]Entry{{File{"1", "1"}, "cup/1.jpg"}, {File{"2", "2"}, "cup/2.jpg"}})
		wait()
		s.Trial.Stop()
		close(e.working)
		wait()
		if trial := s.Trial.State(); trial.Running || trial.Progress.Done != 1 {
			t.Errorf("%+v, want it stopped after the first", trial)
		}
	})
}

func TestTrainingSaysWhatItGained(t *testing.T) {
	run(t, func(t *testing.T, s *Session, e *fakeEngine, _ *fakeCamera, wait func()) {
		s.Training.Start()
		wait()
		if got := s.Training.State(); got.Running || !got.Learned || got.Gain != (Gain{10, 7, 9, true}) {
			t.Errorf("%+v, want it learned, with its gain", got)
		}
		e.learned = false // examples changed
		if s.Training.State().Learned {
			t.Error("what was learned is forgotten, and said to be in use")
		}
	})
}
