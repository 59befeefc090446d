package capture

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/kerneltest"
)

// fakeShutter records beeps and settings.
type fakeShutter struct {
	mu    sync.Mutex
	beeps []string
	kept  Settings
}

// heard returns the beeps so far.
func (f *fakeShutter) heard() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.beeps)
}

func (f *fakeShutter) Beep(start bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if start {
		f.beeps = append(f.beeps, "start")
	} else {
		f.beeps = append(f.beeps, "end")
	}
}

func (f *fakeShutter) Remember(settings Settings) { f.kept = settings }

func TestHandsFreeCountsDownThenRecordsForAWhile(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *kernel.Kernel, _ *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		c, f := New(s), &fakeShutter{}
		c.Connect(f, Settings{PerSecond: 4, HandsFree: true, Countdown: 3, Duration: 2, Beep: true})
		s.Camera.Start("")
		wait()
		id := kerneltest.IDs(s)[1]
		c.Record(id)
		wait()
		for left := 3; left > 0; left-- {
			if got := c.State(); got.ClassID != id || got.Countdown != left || got.Left != 0 {
				t.Errorf("%d seconds before the start: %+v", left, got)
			}
			if n := s.Classes.Examples(); n != 0 || len(f.heard()) != 0 {
				t.Errorf("%d examples and %v before the start", n, f.heard())
			}
			kerneltest.Rest(time.Second)
		}
		if got := c.State(); got.Countdown != 0 || got.Left != 2 || !slices.Equal(f.heard(), []string{"start"}) {
			t.Errorf("at the start: %+v, heard %v", got, f.heard())
		}
		kerneltest.Rest(time.Second)
		if got := c.State(); got.Left != 1 {
			t.Errorf("a second before the end: %+v", got)
		}
		kerneltest.Rest(time.Second)
		got := c.State()
		if got.ClassID != "" || got.Recorded == nil || got.Recorded.ClassID != id || got.Recorded.Examples != 8 || !slices.Equal(f.heard(), []string{"start", "end"}) {
			t.Errorf("at the end: %+v, heard %v", got, f.heard())
		}
		if n := len(s.Classes.List()[1].Examples); n != 8 {
			t.Errorf("%d examples in 2 s of 4 a second", n)
		}
		s.Classes.Undo()
		if n := s.Classes.Examples(); n != 0 {
			t.Errorf("%d examples stay when the recording is undone", n)
		}
		kerneltest.Rest(recordedLasts)
		if got := c.State(); got.Recorded != nil {
			t.Errorf("%+v is said for ever", got.Recorded)
		}
		c.Record(id)
		kerneltest.Rest(5 * time.Second)
		c.Record(id)
		wait()
		c.Record(id)
		if got := c.State(); got != (State{}) {
			t.Errorf("after a recording that was stopped: %+v, want no result of the one before", got)
		}
	})
}

// A held button shows nothing of the recording before it, whether that ended or was stopped in its
// countdown.
func TestHoldingAfterARecording(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *kernel.Kernel, _ *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		c := New(s)
		c.Connect(&fakeShutter{}, Usual)
		s.Camera.Start("")
		wait()
		id := kerneltest.IDs(s)[0]
		for _, rest := range []time.Duration{time.Second / 2, 10 * time.Second} {
			c.RecordEmpty()
			kerneltest.Rest(rest)
			s.Capture.Hold(id)
			wait()
			if got, want := c.State(), (State{ClassID: id}); got != want {
				t.Errorf("%v after a click on the empty scene %+v, want %+v", rest, got, want)
			}
			s.Capture.Release()
			wait()
		}
	})
}

func TestAnotherClickEndsARecording(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *kernel.Kernel, _ *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		c, f := New(s), &fakeShutter{}
		c.Connect(f, Settings{PerSecond: 8, HandsFree: true, Countdown: 3, Duration: 30})
		s.Camera.Start("")
		wait()
		first, second := kerneltest.IDs(s)[0], kerneltest.IDs(s)[1]
		c.Record(first)
		kerneltest.Rest(time.Second)
		c.Record(first)
		kerneltest.Rest(10 * time.Second)
		if got := c.State(); got != (State{}) || s.Classes.Examples() != 0 {
			t.Errorf("stopped in its countdown, it is %+v with %d examples", got, s.Classes.Examples())
		}
		c.Record(first)
		kerneltest.Rest(4*time.Second + time.Millisecond)
		c.Record(second)
		kerneltest.Rest(time.Millisecond)
		if got := c.State(); got.ClassID != second || got.Countdown != 3 || got.Left != 0 {
			t.Errorf("%+v, want the countdown of the second class", got)
		}
		s.Camera.Stop()
		wait()
		kerneltest.Rest(10 * time.Second)
		if n := s.Classes.Examples(); n != 9 || s.Capture.Class() != "" || len(f.heard()) != 0 {
			t.Errorf("%d examples, heard %v; want the 9 of a second", n, f.heard())
		}
	})
}

// One click counts down, takes the empty scene for a moment, shows the examples and offers to
// undo them, unless another step came after.
func TestOneClickTakesTheEmptyScene(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *kernel.Kernel, _ *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		c, f := New(s), &fakeShutter{}
		c.Connect(f, Usual)
		s.Camera.Start("")
		wait()
		countDown := time.Duration(Usual.Countdown) * time.Second
		c.RecordEmpty()
		kerneltest.Rest(countDown - time.Millisecond)
		nothing := s.Classes.Nothing()[0]
		if got := c.State(); got.ClassID != nothing.ID || got.Countdown != 1 || len(nothing.Examples) != 0 {
			t.Errorf("before the start %+v with %d examples", got, len(nothing.Examples))
		}
		kerneltest.Rest(emptyTime + 2*time.Millisecond)
		nothing = s.Classes.Nothing()[0]
		if len(nothing.Examples) != 12 || s.Capture.Class() != "" || len(f.heard()) != 0 || c.State() != (State{}) {
			t.Errorf("%d examples of nothing, %q is held, heard %v; want 12", len(nothing.Examples), s.Capture.Class(), f.heard())
		}
		n := s.Notices.List()
		if len(n) != 1 || !slices.Equal(n[0].Examples, nothing.Examples) || n[0].Button != s.Texts().Project.Undo || !strings.Contains(n[0].Title, "12") {
			t.Fatalf("notices %+v, want one that shows the examples and offers to undo", n)
		}
		n[0].Offer.Do()
		wait()
		if got := s.Classes.Examples(); got != 0 || len(s.Notices.List()) != 0 {
			t.Errorf("%d examples and notices %v after undoing", got, kerneltest.Keys(s))
		}

		c.RecordEmpty()
		kerneltest.Rest(countDown + time.Millisecond)
		s.Classes.Add()
		kerneltest.Rest(emptyTime)
		if n := s.Notices.List(); len(n) != 1 || n[0].Offer != nil || len(n[0].Examples) != 12 {
			t.Errorf("after another step %+v, want no offer to undo that", n)
		}

		c.Change(func(to *Settings) { to.HandsFree, to.Countdown, to.Duration = true, 5, 10 })
		c.RecordEmpty()
		wait()
		if got := c.State(); got.ClassID != nothing.ID || got.Countdown != 5 {
			t.Errorf("hands-free it is %+v, want a countdown", got)
		}
		kerneltest.Rest(5 * time.Second)
		if got := c.State(); got.Left != 10 {
			t.Errorf("hands-free it is %+v, want the chosen duration", got)
		}
		c.Change(func(to *Settings) { to.HandsFree = false })
		if got := c.State(); got != (State{}) {
			t.Errorf("after a change of the settings it is %+v", got)
		}
	})
}

// The countdown of the empty scene announces its own seconds, not the seconds of the hands-free settings.
func TestTheCountdownIsAnnounced(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *kernel.Kernel, _ *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		c := New(s)
		settings := Usual
		settings.Countdown = 10
		c.Connect(&fakeShutter{}, settings)
		s.Camera.Start("")
		wait()
		c.RecordEmpty()
		kerneltest.Rest(time.Second)
		label := s.Classes.Nothing()[0].Label
		if got, want := app.HTMLString(c.progress()), s.Texts().Stage.BeginsIn(label, Usual.Countdown); !strings.Contains(got, want) {
			t.Errorf("%s\nwant %s", got, want)
		}
		s.Capture.Release()
	})
}

// An engine that refuses every picture is reported, and there is nothing to undo.
func TestTheEmptySceneThatCannotBeTaken(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *kernel.Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		c := New(s)
		s.Camera.Start("")
		wait()
		e.Fail = func(string) error { return kerneltest.Failure("broken", "no picture") }
		c.RecordEmpty()
		kerneltest.Rest(time.Duration(Usual.Countdown)*time.Second + emptyTime)
		if n := s.Notices.List(); len(n) != 1 || n[0].Offer != nil {
			t.Errorf("notices %+v, want one that reports the failure", n)
		}
	})
}

func TestSettingsAreKeptOnTheDevice(t *testing.T) {
	c, f := New(kerneltest.New()), &fakeShutter{}
	c.Connect(f, Settings{PerSecond: 100, Countdown: -1, Duration: 7})
	if got, want := c.Settings(), (Settings{PerSecond: 8, Countdown: 3, Duration: 5}); got != want {
		t.Errorf("settings %+v, want %+v", got, want)
	}
	c.Change(func(to *Settings) { to.PerSecond, to.Countdown = 15, 0 })
	if want := (Settings{PerSecond: 15, Duration: 5}); f.kept != want || c.Settings() != want {
		t.Errorf("kept %+v, want %+v", f.kept, want)
	}
}
