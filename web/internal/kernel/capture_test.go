package kernel_test

import (
	"strings"
	"testing"
	"time"

	. "github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/kerneltest"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// Files that cannot be read are named, and the others added; without memory, the rest is dropped.
func TestFilesThatCannotBeAdded(t *testing.T) {
	for _, c := range []struct {
		err                error
		examples           int
		inTitle, andInText string
	}{
		{kerneltest.Failure(CodeBadImage, "not a JPEG, PNG or WebP"), 3, "notes.txt", "JPEG, PNG or WebP"},
		{kerneltest.Failure(CodeOutOfMemory, "no more memory"), 1, "", "is kept"},
	} {
		kerneltest.Run(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, _ func()) {
			e.Fail = func(call string) error {
				if strings.HasSuffix(call, " notes.txt") {
					return c.err
				}
				return nil
			}
			add(s, kerneltest.IDs(s)[0], "a.jpg", "notes.txt", "b.jpg", "c.jpg")
			if got := s.Classes.List()[0]; len(got.Examples) != c.examples || got.Waiting != 0 {
				t.Errorf("%v: %d examples and %d waiting, want %d and 0", c.err, len(got.Examples), got.Waiting, c.examples)
			}
			n := s.Notices.List()
			if len(n) != 1 || !strings.Contains(n[0].Title, c.inTitle) || !strings.Contains(n[0].Text, c.andInText) {
				t.Errorf("%v: notices %+v, want one with %q and %q", c.err, n, c.inTitle, c.andInText)
			}
		})
	}
}

// A message about many files names three, counts the others, and gives each reason once.
func TestManyUnreadableFiles(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, _ func()) {
		e.Fail = func(call string) error {
			if strings.HasSuffix(call, ".txt") {
				return kerneltest.Failure(CodeBadImage, "broken")
			}
			return nil
		}
		s.AddFiles(kerneltest.IDs(s)[0], kerneltest.Files("a.txt", "b.txt", "c.txt", "d.txt", "e.txt"))
		kerneltest.Rest(time.Second)
		n := s.Notices.List()
		if len(n) != 1 {
			t.Fatalf("notices %+v", n)
		}
		words := texts.In("en").Notice
		if want := words.NotPictures(texts.In("en").Join([]string{"a.txt", "b.txt", "c.txt", words.More(2)})); n[0].Title != want {
			t.Errorf("the message is %q, want %q", n[0].Title, want)
		}
		if reason := texts.In("en").Reason(CodeBadImage); n[0].Text != reason {
			t.Errorf("the reason is %q, want %q", n[0].Text, reason)
		}
	})
}

// Holding the button for a second takes eight examples; a short press takes one.
func TestHoldingTheButton(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		s.Camera.Start("")
		wait()
		for i, held := range []time.Duration{0, time.Second - time.Millisecond} {
			id := kerneltest.IDs(s)[i]
			s.Capture.Hold(id)
			if s.Capture.Class() != id {
				t.Errorf("capturing %q, want %q", s.Capture.Class(), id)
			}
			time.Sleep(held)
			s.Capture.Release()
			kerneltest.Rest(time.Second)
			if got, want := len(s.Classes.List()[i].Examples), 1+7*i; got != want {
				t.Errorf("%d examples in %v, want %d", got, held, want)
			}
		}
	})
}

// A short press takes a frame of that moment, or nothing if the engine was busy for long.
func TestAPressWhileTheEngineLoads(t *testing.T) {
	for _, c := range []struct {
		held, loads time.Duration
		want        int
	}{{0, time.Second / 2, 1}, {3 * time.Second, time.Second / 2, 1}, {0, 3 * time.Second, 0}} {
		kerneltest.Bubble(t, func(t *testing.T) {
			s := kerneltest.New()
			s.Camera.Connect(kerneltest.NewCamera())
			s.Camera.Start("")
			kerneltest.Rest(0)
			s.Capture.Hold(kerneltest.IDs(s)[0])
			kerneltest.Rest(c.held)
			s.Capture.Release()
			kerneltest.Rest(c.loads)
			s.EngineReady(&kerneltest.Engine{})
			kerneltest.Rest(0)
			if got := s.Classes.Examples(); got != c.want || s.Classes.History().Undo != NoStep && c.want == 0 {
				t.Errorf("%d examples after a press of %v that ended %v before the engine was loaded, want %d", got, c.held, c.loads, c.want)
			}
			s.Camera.Stop()
		})
	}
}

func TestCaptureWithoutCameraSaysSo(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		s.Capture.Hold(kerneltest.IDs(s)[0])
		wait()
		if n := s.Notices.List(); len(n) != 1 || n[0].Button != texts.In("en").Camera.Start {
			t.Errorf("notices %+v, want one that offers to start the camera", n)
		}
		s.Camera.Start("")
		wait()
		if n := s.Notices.List(); len(n) != 0 {
			t.Errorf("notices %+v after the camera was started, want none", n)
		}
	})
}
