package kernel_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/internal/require"
	. "github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/kerneltest"
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
	for _, text := range []string{"classifier=nearest", "balance=off", "solver=dense", "embedder=grid", "embedder=sampling"} {
		m, err := method.Parse(text)
		if got := ModeOf(m); err != nil || got != Custom {
			t.Errorf("%s is called %s, %v", text, got, err)
		}
	}
}

func TestSoundsAreOfferedWhatIsBetterForThem(t *testing.T) {
	grid := method.Default()
	grid.Embedder = method.Embedder{Kind: method.Grid}.Complete()
	for _, c := range []struct {
		kind   string
		m      method.Method
		want   []Mode
		chosen Mode
	}{
		{project.KindImage, method.Default(), []Mode{Fast, Balanced}, Fast},
		{project.KindImage, Balanced.Method(), []Mode{Fast, Balanced}, Balanced},
		{project.KindImage, grid, []Mode{Fast, Balanced, Custom}, Custom},
		{project.KindSound, method.Default(), []Mode{Fast}, Fast},
		{project.KindSound, Balanced.Method(), []Mode{Fast, Custom}, Custom},
	} {
		if got, chosen := Offered(c.kind, c.m); !slices.Equal(got, c.want) || chosen != c.chosen {
			t.Errorf("%s, %v: %v, %s; want %v, %s", c.kind, c.m, got, chosen, c.want, c.chosen)
		}
	}
}

func TestChangingTheSetupIsToldKeptAndUndoneWhenRefused(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		add(s, kerneltest.IDs(s)[0], "a")
		s.Setup.Choose(Balanced)
		wait()
		if got := e.Calls(); !slices.Contains(got, "configure fcn [2 1] false") {
			t.Errorf("the engine was told %q, want the pyramid among it", got)
		}
		if state := s.Setup.State(); ModeOf(state.Method) != Balanced || state.Changing != nil {
			t.Errorf("%+v, want it balanced and done", state)
		}
		told := len(e.Calls())
		s.Setup.Choose(Balanced)
		wait()
		if got := e.Calls()[told:]; slices.ContainsFunc(got, func(c string) bool { return strings.HasPrefix(c, "configure") }) {
			t.Errorf("the same setup was told again: %q", got)
		}
		e.Fail = func(call string) error {
			if call == "configure fcn [] false" {
				return kerneltest.Failure("bad-argument", "no")
			}
			return nil
		}
		s.Setup.Choose(Fast)
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
	kerneltest.Run(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		e.Configuring = make(chan struct{})
		s.Setup.Choose(Balanced)
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

// A method that is chosen again before the engine has stopped the change to it is used in the end, also for another project.
func TestAMethodChosenAgain(t *testing.T) {
	for name, again := range map[string]func(s *Kernel){
		"other modes between": func(s *Kernel) { s.Setup.Choose(Fast); s.Setup.Choose(Balanced) },
		"no change":           func(s *Kernel) { s.Setup.Change(func(*method.Method) {}) },
		"another project": func(s *Kernel) {
			doc := kerneltest.Cups()
			doc.Method = Balanced.Method()
			if err := s.Project.ShowDocument(doc, false); err != nil {
				t.Error(err)
			}
			s.Setup.Stop()
		},
	} {
		kerneltest.Run(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
			s.Project.StoreReady(kerneltest.NewStore())
			e.Configuring = make(chan struct{})
			s.Setup.Choose(Balanced)
			wait()
			again(s)
			wait()
			close(e.Configuring)
			wait()
			if got := s.Setup.Method(); ModeOf(got) != Balanced || !e.Follows().Equal(got) {
				t.Errorf("%s: the page says %v, the engine follows %v", name, got, e.Follows())
			}
		})
	}
}

// The page replaces parts of a method that it lacks, and says so until another project opens.
func TestAMethodThatPagesLack(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		s.Project.StoreReady(kerneltest.NewStore())
		doc, want := kerneltest.Cups(), method.Default()
		want.Weighting = method.Equal
		for _, classifier := range []string{"sfc:100", method.Mixture} {
			doc.Method = want
			doc.Method.Classifier, doc.Method.Solver = classifier, "sinkhorn:0.1"
			if classifier == method.Mixture {
				doc.Method.Solver = method.Simplex
			}
			require.NoError(t, s.Project.ShowDocument(doc, false))
			wait()
			said := ""
			for _, n := range s.Notices.List() {
				said += n.Title + "\n" + n.Text
			}
			if all := strings.Contains(said, "sfc:100 and sinkhorn:0.1") && strings.Contains(said, "mean of the examples") && strings.Contains(said, "optimal transport"); all != (classifier != method.Mixture) {
				t.Errorf("%s: notices %q", classifier, said)
			}
			if got := s.Setup.Method(); !got.Equal(want) || !e.Follows().Equal(want) {
				t.Errorf("%s: the page says %v, the engine follows %v, want %v", classifier, got, e.Follows(), want)
			}
		}
	})
}

// The treatment of unknown images is sent to the engine, and changes nothing else.
func TestStrangersAreToldToTheEngine(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		s.ShowPictures(File{Name: "test", Source: "test"})
		add(s, kerneltest.IDs(s)[0], "a")
		before := len(e.Calls())
		s.Setup.ChangeStrangers(func(u *method.Strangers) { u.Strictness = 7 })
		wait()
		want := []string{"configure fcn [] false", "classify test"}
		if got := e.Calls()[before:]; !slices.Equal(got, want) {
			t.Errorf("told %q, want %q", got, want)
		}
		if got := e.Follows().Strangers; got != (method.Strangers{Name: true, Strictness: 1}) {
			t.Errorf("the engine follows %+v, want the strictest", got)
		}
		s.Setup.Choose(Balanced)
		wait()
		if got := s.Setup.Method(); got.Strangers.Strictness != 1 || ModeOf(got) != Balanced {
			t.Errorf("%v after a mode was chosen, want the strictness to stay", got)
		}
		// The slider does not stop the embedding.
		e.Configuring = make(chan struct{})
		s.Setup.Choose(Fast)
		wait()
		s.Setup.ChangeStrangers(func(u *method.Strangers) { u.Name = false })
		wait()
		close(e.Configuring)
		wait()
		if got := s.Setup.Method(); ModeOf(got) != Fast || got.Strangers.Name || !e.Follows().Equal(got) {
			t.Errorf("the page says %v, the engine follows %v", got, e.Follows())
		}
	})
}

// A rejected method is reverted; later changes to the treatment of unknown images stay.
func TestARefusedMethodKeepsStrangers(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		e.Configuring = make(chan struct{})
		s.Setup.Choose(Balanced)
		wait()
		s.Setup.ChangeStrangers(func(u *method.Strangers) { u.Strictness = 0.9 })
		s.Setup.Stop()
		wait()
		close(e.Configuring)
		wait()
		if got := s.Setup.Method(); ModeOf(got) != Fast || got.Strangers.Strictness != 0.9 || !e.Follows().Equal(got) {
			t.Errorf("the page says %v, the engine follows %v", got, e.Follows())
		}
	})
}
