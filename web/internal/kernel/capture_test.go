package kernel_test

import (
	"strings"
	"testing"
	"time"

	. "github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/kerneltest"
	"github.com/deepemd/deepemd/web/internal/texts"
)

func TestFilesThatAreNoPicturesAreNamedAndTheOthersAdded(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		e.Fail = func(call string) error {
			if strings.HasSuffix(call, " text") {
				return kerneltest.Failure(CodeBadImage, "not a JPEG, PNG or WebP")
			}
			return nil
		}
		id := kerneltest.IDs(s)[0]
		s.AddFiles(id, []File{{"a.jpg", "a"}, {"notes.txt", "text"}, {"b.jpg", "b"}})
		wait()

		if c := s.Classes.List()[0]; len(c.Examples) != 2 || c.Waiting != 0 {
			t.Errorf("%d examples and %d waiting, want 2 and 0", len(c.Examples), c.Waiting)
		}
		n := s.Notices.List()
		if len(n) != 1 || !strings.Contains(n[0].Title, "notes.txt") || !strings.Contains(n[0].Text, "JPEG, PNG or WebP") {
			t.Errorf("notices %+v, want one that names notes.txt and the remedy", n)
		}
	})
}

func TestOutOfMemoryStopsAddingAndKeepsWhatThereIs(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		e.Fail = func(call string) error {
			if strings.HasSuffix(call, " b") {
				return kerneltest.Failure(CodeOutOfMemory, "no more memory")
			}
			return nil
		}
		s.AddFiles(kerneltest.IDs(s)[0], []File{{"a", "a"}, {"b", "b"}, {"c", "c"}, {"d", "d"}})
		wait()

		if c := s.Classes.List()[0]; len(c.Examples) != 1 || c.Waiting != 0 {
			t.Errorf("%d examples and %d waiting, want 1 and 0", len(c.Examples), c.Waiting)
		}
		if n := s.Notices.List(); len(n) != 1 || !strings.Contains(n[0].Text, "is kept") {
			t.Errorf("notices %+v, want one that says what is kept", n)
		}
	})
}

func TestHoldingTheButtonTakesEightASecond(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		id := kerneltest.IDs(s)[1]
		s.Camera.Start("")
		wait()
		s.Capture.Hold(id)
		if s.Capture.Class() != id {
			t.Errorf("capturing %q, want %q", s.Capture.Class(), id)
		}
		kerneltest.Rest(time.Second - time.Millisecond)
		s.Capture.Release()
		wait()
		kerneltest.Rest(time.Second)
		if got := len(s.Classes.List()[1].Examples); got != 8 {
			t.Errorf("%d examples in a second, want 8", got)
		}
	})
}

func TestAShortPressTakesOne(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, _ *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		s.Camera.Start("")
		wait()
		s.Capture.Hold(kerneltest.IDs(s)[0])
		s.Capture.Release()
		wait()
		if got := len(s.Classes.List()[0].Examples); got != 1 {
			t.Errorf("%d examples, want 1", got)
		}
	})
}

func TestCaptureWithoutCameraSaysSo(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		s.Capture.Hold(kerneltest.IDs(s)[0])
		wait()
		if n := s.Notices.List(); len(n) != 1 || n[0].Button != texts.In("en").Notice.StartCamera {
			t.Errorf("notices %+v, want one that offers to start the camera", n)
		}
		s.Camera.Start("")
		wait()
		if n := s.Notices.List(); len(n) != 0 {
			t.Errorf("notices %+v after the camera was started, want none", n)
		}
	})
}
