package session

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func TestSetupsHaveNames(t *testing.T) {
	for _, m := range Modes {
		if got := m.Setup().Mode(); got != m {
			t.Errorf("the setup of %s is called %s", m, got)
		}
		if got := m.Setup().Complete().Mode(); got != m {
			t.Errorf("the whole setup of %s is called %s", m, got)
		}
	}
	if got := (Setup{Classifier: "nearest"}).Mode(); got != Custom {
		t.Errorf("another classifier is called %s", got)
	}
}

func TestChangingTheSetupIsToldKeptAndUndoneWhenRefused(t *testing.T) {
	run(t, func(t *testing.T, s *Session, e *fakeEngine, _ *fakeCamera, wait func()) {
		s.AddFiles(ids(s)[0], []File{{"a", "a"}})
		wait()
		s.ChangeSetup(Balanced.Setup())
		wait()
		if got := e.told(); !slices.Contains(got, "configure fcn [2 1] false") {
			t.Errorf("the engine was told %q, want the pyramid among it", got)
		}
		if state := s.SetupState(); state.Setup.Mode() != Balanced || state.Changing != nil {
			t.Errorf("%+v, want it balanced and done", state)
		}
		told := len(e.told())
		s.ChangeSetup(Balanced.Setup())
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
		s.ChangeSetup(Accurate.Setup())
		wait()
		if got := s.SetupState().Setup.Mode(); got != Balanced {
			t.Errorf("after a refusal the mode is %s, want what was before", got)
		}
		if len(s.NoticeList()) != 1 {
			t.Errorf("notices %+v, want one about the refusal", s.NoticeList())
		}
	})
}

func TestAChangeOfSetupCanBeStopped(t *testing.T) {
	run(t, func(t *testing.T, s *Session, e *fakeEngine, _ *fakeCamera, wait func()) {
		e.configuring = make(chan struct{})
		s.ChangeSetup(Accurate.Setup())
		wait()
		if p := s.SetupState().Changing; p == nil || *p != (Progress{1, 2}) {
			t.Fatalf("progress %v, want 1 of 2", p)
		}
		s.StopSetup()
		wait()
		if state := s.SetupState(); state.Setup.Mode() != Fast || state.Changing != nil || len(s.NoticeList()) != 0 {
			t.Errorf("%+v and notices %+v, want all as before, and no complaint", state, s.NoticeList())
		}
	})
}

// Another network, whatever comes of it, does not take back a change of setup that
// is still under way.
func TestAnotherNetworkWaitsForTheSetup(t *testing.T) {
	run(t, func(t *testing.T, s *Session, e *fakeEngine, _ *fakeCamera, wait func()) {
		e.configuring = make(chan struct{})
		s.ChangeSetup(Accurate.Setup())
		wait()
		s.ChangeWeights(&File{Name: "mine.safetensors"})
		wait()
		if state := s.SetupState(); state.Changing == nil {
			t.Fatalf("%+v: the change of setup was stopped", state)
		}
		close(e.configuring)
		wait()
		if state := s.SetupState(); state.Setup.Mode() != Accurate || state.Weights != "mine.safetensors" {
			t.Errorf("%+v, want the setup and the network that were chosen", state)
		}
	})
}

func TestUnknownIsBelowTheThreshold(t *testing.T) {
	run(t, func(t *testing.T, s *Session, _ *fakeEngine, _ *fakeCamera, _ func()) {
		answer := Answer{Stranger: &Stranger{Score: -1, Balanced: -1.2}}
		s.SetStrictness(0.5)
		if s.Unknown(answer) {
			t.Error("what lies above the balanced threshold is unknown")
		}
		s.SetStrictness(0.6)
		if !s.Unknown(answer) {
			t.Error("what lies below a stricter threshold is known")
		}
		s.LookForUnknown(false)
		if s.Unknown(answer) || s.Unknown(Answer{}) {
			t.Error("nothing is unknown when that is not looked for")
		}
		s.SetStrictness(7)
		if got := s.UnknownSettings(); got.Strictness != 1 || got.On {
			t.Errorf("%+v, want the strictest, switched off", got)
		}
	})
}

func TestDisabledClassesAreToldAndUndone(t *testing.T) {
	run(t, func(t *testing.T, s *Session, e *fakeEngine, _ *fakeCamera, wait func()) {
		id := ids(s)[0]
		s.AddFiles(id, []File{{"a", "a"}})
		wait()
		s.EnableClass(id, false)
		s.EnableClass(id, false) // which changes nothing
		wait()
		if got := e.told(); got[len(got)-1] != "enable "+id+" false" || !s.ClassList()[0].Disabled {
			t.Errorf("the engine was told %q last, disabled: %v", got[len(got)-1], s.ClassList()[0].Disabled)
		}
		if s.History().Undo != StepEnableClass {
			t.Errorf("what can be undone is %v", s.History().Undo)
		}
		s.Undo()
		wait()
		if got := e.told(); got[len(got)-1] != "enable "+id+" true" || s.ClassList()[0].Disabled {
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
		time.Sleep(2 * pause)
		if reviews() != 0 {
			t.Error("a review was made that nobody sees")
		}
		examples := s.ClassList()[0].Examples
		e.review = Review{
			Examples: []Reviewed{{ID: examples[0], ClassID: class, Taken: class, Twin: ""}, {ID: examples[1], ClassID: class, Taken: "other", Problem: "dark", Twin: examples[0]}},
			Known:    []float64{-0.5, -1}, Unknown: []float64{-2, -0.8}, Worst: examples[1],
		}
		s.ShowReview(true)
		time.Sleep(2 * pause)
		wait()
		state := s.ReviewState()
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
		s.Pick("twins", func(r *Review) []string { return r.Having("twin") })
		if got := s.ReviewState().Picked; !slices.Equal(got, examples[1:]) {
			t.Errorf("picked %q, want the twin", got)
		}
		s.RemoveExample(examples[1])
		if got := s.ReviewState(); len(got.Picked) != 0 || got.Review.Worst != "" || !got.Busy {
			t.Errorf("after the removal %+v, want it gone from the review, and a new one under way", got)
		}
		time.Sleep(2 * pause)
		wait()
		if reviews() != 2 {
			t.Errorf("%d reviews after a change, want 2", reviews())
		}
	})
}

func TestATrialCountsByFolder(t *testing.T) {
	run(t, func(t *testing.T, s *Session, e *fakeEngine, _ *fakeCamera, wait func()) {
		cup, pen := ids(s)[0], ids(s)[1]
		s.RenameClass(cup, "Cup")
		s.RenameClass(pen, "Pen")
		s.AddFiles(cup, []File{{"a", "a"}})
		s.AddFiles(pen, []File{{"b", "b"}})
		wait()
		entry := func(path string) Entry { return Entry{File{path, path}, path} }
		s.StartTrial([]Entry{entry("new/other/1.jpg")})
		wait()
		if s.Trial() != nil || len(s.NoticeList()) != 1 {
			t.Errorf("a test without a folder of any class: %+v, notices %+v", s.Trial(), s.NoticeList())
		}
		e.answer = Answer{Scores: []Score{{cup, 0.9}, {pen, 0.1}}}
		e.fail = func(call string) error {
			if strings.Contains(call, "text") {
				return failure(CodeBadImage, "no picture")
			}
			return nil
		}
		s.StartTrial([]Entry{
			entry("new/cup/1.jpg"), entry("new/cup/.hidden"), entry("new/Pen/2.jpg"), entry("new/Pen/text"), entry("new/other/3.jpg"), entry("loose.jpg"),
		})
		wait()
		trial := s.Trial()
		if trial == nil || trial.Running || trial.All != 3 || trial.Right != 1 || trial.Progress != (Progress{4, 4}) {
			t.Fatalf("%+v, want 1 of 3 right", trial)
		}
		if trial.Counts[[2]string{pen, cup}] != 1 || trial.Counts[[2]string{"", cup}] != 1 || len(trial.Wrong) != 2 {
			t.Errorf("counts %v, wrong %+v", trial.Counts, trial.Wrong)
		}
		if !slices.Equal(trial.Others, []string{"other"}) || len(trial.Broken) != 1 {
			t.Errorf("others %q, broken %q", trial.Others, trial.Broken)
		}
		s.CloseTrial()
		if s.Trial() != nil {
			t.Error("the test is still there")
		}
	})
}

func TestATrialCanBeStopped(t *testing.T) {
	run(t, func(t *testing.T, s *Session, e *fakeEngine, _ *fakeCamera, wait func()) {
		s.RenameClass(ids(s)[0], "Cup")
		s.AddFiles(ids(s)[0], []File{{"a", "a"}})
		wait()
		e.working = make(chan struct{})
		s.StartTrial([]Entry{{File{"1", "1"}, "cup/1.jpg"}, {File{"2", "2"}, "cup/2.jpg"}})
		wait()
		s.StopTrial()
		close(e.working)
		wait()
		if trial := s.Trial(); trial.Running || trial.Progress.Done != 1 {
			t.Errorf("%+v, want it stopped after the first", trial)
		}
	})
}

func TestTrainingSaysWhatItGained(t *testing.T) {
	run(t, func(t *testing.T, s *Session, e *fakeEngine, _ *fakeCamera, wait func()) {
		s.Train()
		wait()
		if got := s.Training(); got.Running || !got.Learned || got.Gain != (Gain{10, 7, 9, true}) {
			t.Errorf("%+v, want it learned, with its gain", got)
		}
		e.learned = false // examples changed
		if s.Training().Learned {
			t.Error("what was learned is forgotten, and said to be in use")
		}
	})
}
