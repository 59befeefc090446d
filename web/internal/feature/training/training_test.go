package training

import (
	"slices"
	"testing"
	"time"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/kerneltest"
)

func TestTrainingSaysWhatItGained(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *kernel.Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		learning := New(s)
		learning.Show(true)
		time.Sleep(10 * time.Second)
		if got := learning.State(); got.Expected != 10*time.Second || got.Learned || e.Trained {
			t.Errorf("%+v, want ten times the second of the second pass, and nothing learned", got)
		}
		learning.Start()
		time.Sleep(10 * time.Second)
		if got := learning.State(); got.Running || !got.Learned || got.Gain == nil || *got.Gain != (answer.Gain{Of: 10, Before: 7, After: 9}) {
			t.Errorf("%+v, want it learned, with its gain", got)
		}
		if keys := kerneltest.Keys(s); len(keys) > 0 {
			t.Errorf("notices %q", keys)
		}
		e.Trained = false
		if learning.State().Learned {
			t.Error("what was learned is forgotten, and said to be in use")
		}
	})
}

// If training does not help, answers stay as before, and the page shows it until the examples change.
func TestTrainingThatDoesNotHelp(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *kernel.Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		e.Gained = answer.Gain{Of: 10, Before: 8, After: 8}
		learning := New(s)
		learning.Show(true)
		time.Sleep(10 * time.Second)
		learning.Start()
		time.Sleep(10 * time.Second)
		if got := learning.State(); got.Running || got.Learned || got.Gain == nil || !got.Gain.Useless() {
			t.Errorf("%+v, want nothing learned, and the reason", got)
		}
		s.AddFiles(kerneltest.IDs(s)[0], kerneltest.Files("a"))
		wait()
		time.Sleep(10 * time.Second)
		if got := learning.State(); got.Gain != nil {
			t.Errorf("%+v of earlier examples", got.Gain)
		}
	})
}

// Training runs once at a time and reports its progress. A stop changes nothing.
func TestTrainingIsStopped(t *testing.T) {
	kerneltest.Bubble(t, func(t *testing.T) {
		s, e := kerneltest.New(), &kerneltest.Engine{}
		learning := New(s)
		learning.Start()
		if learning.State().Running {
			t.Error("training without an engine")
		}
		s.EngineReady(e)
		for _, stops := range []bool{true, false} {
			learning.Start()
			learning.Start()
			kerneltest.Rest(time.Second / 2)
			if got := learning.State(); !got.Running || got.Progress != (kernel.Progress{All: 10}) {
				t.Errorf("%+v, want it under way", got)
			}
			if stops {
				learning.Stop()
			}
			kerneltest.Rest(10 * time.Second)
			if got := learning.State(); got.Running || got.Learned == stops || e.Learned() == stops || len(s.Notices.List()) > 0 {
				t.Errorf("stopped %v: %+v, notices %q", stops, got, kerneltest.Keys(s))
			}
		}
		trained := slices.DeleteFunc(slices.Clone(e.Calls()), func(call string) bool { return call != "train" })
		if len(trained) != 1 {
			t.Errorf("%d trainings to the end, want one", len(trained))
		}
	})
}

// Training that ends because another project was opened reports no error there.
func TestTrainingEndsWithItsProject(t *testing.T) {
	for _, leaves := range []bool{false, true} {
		kerneltest.Bubble(t, func(t *testing.T) {
			s, e := kerneltest.New(), &kerneltest.Engine{Fail: func(call string) error {
				if call == "train" {
					return kerneltest.Failure(kernel.CodeChanged, "the examples have changed")
				}
				return nil
			}}
			s.EngineReady(e)
			s.Project.StoreReady(kerneltest.NewStore())
			learning := New(s)
			learning.Start()
			time.Sleep(time.Second / 2)
			if leaves {
				s.Project.New()
			}
			time.Sleep(10 * time.Second)
			if troubles := len(s.Notices.List()); (troubles > 0) == leaves || learning.State().Running {
				t.Errorf("left: %v; %d notices, %+v", leaves, troubles, learning.State())
			}
		})
	}
}

// quick is an engine whose passes take no time on the clock: some browsers round it.
type quick struct{ *kerneltest.Engine }

func (quick) Train(progress func(done, all int), _ <-chan struct{}) (*answer.Gain, error) {
	for done := range 4 {
		progress(done, 10)
	}
	return nil, kerneltest.Failure(kernel.CodeStopped, "stopped")
}

func TestPassesThatTakeNoTimeAreMeasured(t *testing.T) {
	kerneltest.Bubble(t, func(t *testing.T) {
		s := kerneltest.New()
		s.EngineReady(quick{&kerneltest.Engine{}})
		learning := New(s)
		learning.Show(true)
		time.Sleep(10 * time.Second)
		if got := learning.State().Expected; got <= 0 || got > time.Millisecond {
			t.Errorf("%v expected, want almost nothing", got)
		}
	})
}
