package kernel_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/deepemd/deepemd/core/project"
	. "github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/kerneltest"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// fakeMicrophone is a camera that records one take per second, and one at the end.
type fakeMicrophone struct {
	*kerneltest.Camera
	threshold *float64
}

func (m fakeMicrophone) Threshold() float64         { return *m.threshold }
func (m fakeMicrophone) SetThreshold(level float64) { *m.threshold = level }

func (m fakeMicrophone) Record(ctx context.Context, taken func(Source)) error {
	for {
		select {
		case <-ctx.Done():
			taken("last take")
			return nil
		case <-time.After(time.Second):
			taken("take")
		}
	}
}

func hear(t *testing.T, test func(s *Kernel, e *kerneltest.Engine)) {
	kerneltest.Bubble(t, func(t *testing.T) {
		s, e := New(project.KindSound, texts.In("en")), &kerneltest.Engine{}
		s.Camera.Connect(fakeMicrophone{kerneltest.NewCamera(), new(float64)})
		s.EngineReady(e)
		s.Camera.Start("")
		synctest.Wait()
		test(s, e)
		s.Camera.Stop()
		kerneltest.Rest(2 * GoodLasts)
		synctest.Wait()
	})
}

func TestTakesWhileTheButtonIsHeld(t *testing.T) {
	hear(t, func(s *Kernel, e *kerneltest.Engine) {
		id := kerneltest.IDs(s)[0]
		s.Capture.Hold(id)
		kerneltest.Rest(2500 * time.Millisecond)
		if s.Capture.Class() != id {
			t.Error("the button is not held")
		}
		s.Capture.Release()
		synctest.Wait()
		var taught []string
		for _, call := range e.Calls() {
			if strings.HasPrefix(call, "teach") {
				taught = append(taught, strings.TrimPrefix(call, "teach "+id+" "))
			}
		}
		if want := []string{"take", "take", "last take"}; !slices.Equal(taught, want) {
			t.Errorf("taught %q, want %q", taught, want)
		}
		if c := s.Classes.List()[0]; len(c.Examples) != 3 || c.Waiting != 0 {
			t.Errorf("%d examples and %d waiting, want 3 and none", len(c.Examples), c.Waiting)
		}
	})
}

func TestSilentTakesAreLeftOut(t *testing.T) {
	hear(t, func(s *Kernel, e *kerneltest.Engine) {
		e.Fail = func(call string) error {
			if strings.Contains(call, "last") {
				return kerneltest.Failure(CodeSilent, "the recording is silent")
			}
			return nil
		}
		s.Capture.Hold(kerneltest.IDs(s)[0])
		kerneltest.Rest(1500 * time.Millisecond)
		s.Capture.Release()
		synctest.Wait()
		if c := s.Classes.List()[0]; len(c.Examples) != 1 || c.Waiting != 0 {
			t.Errorf("%d examples and %d waiting, want 1 and none", len(c.Examples), c.Waiting)
		}
		if got := kerneltest.Keys(s); len(got) != 0 {
			t.Errorf("notices %q, want none", got)
		}
	})
}

func TestFilesThatAreNoRecordings(t *testing.T) {
	hear(t, func(s *Kernel, e *kerneltest.Engine) {
		e.Fail = func(call string) error {
			switch {
			case strings.Contains(call, "text"):
				return kerneltest.Failure(CodeBadSound, "not an MP3 or WAV recording: convert it")
			case strings.Contains(call, "quiet"):
				return kerneltest.Failure(CodeSilent, "the recording is silent")
			}
			return nil
		}
		s.AddFiles(kerneltest.IDs(s)[0], []File{{"a.txt", "text"}, {"b.wav", "quiet"}, {"c.mp3", "good"}})
		synctest.Wait()
		if got := len(s.Classes.List()[0].Examples); got != 1 {
			t.Errorf("%d examples, want the one recording", got)
		}
		n := s.Notices.List()
		if len(n) != 1 || !strings.Contains(n[0].Title, "a.txt and b.wav") || !strings.Contains(n[0].Title, "recordings") {
			t.Errorf("notices %+v, want one that names both files", n)
		}
	})
}

func TestProjectsOfTheOtherKindStayApart(t *testing.T) {
	s := New(project.KindSound, texts.In("en"))
	all := []ProjectInfo{{ID: "a", Kind: project.KindImage}, {ID: "b", Kind: project.KindSound}}
	if got := s.Project.OfKind(all); len(got) != 1 || got[0].ID != "b" || !s.Project.OfSounds() {
		t.Errorf("%v, want the project of sounds", got)
	}
	if got := kerneltest.New().Project.OfKind(all); len(got) != 1 || got[0].ID != "a" {
		t.Errorf("%v, want the project of pictures", got)
	}
	if kind := s.Project.Fresh().Kind; kind != project.KindSound {
		t.Errorf("a new project is of kind %s", kind)
	}
}

func TestNoLiveAnswersWhileThePageHearsItself(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, c *kerneltest.Camera, wait func()) {
		s.AddFiles(kerneltest.IDs(s)[0], []File{{"a", "a"}})
		s.Camera.Start("")
		wait()
		answers := func() (n int) {
			before := len(e.Calls())
			c.Show()
			wait()
			return len(e.Calls()) - before
		}
		if answers() == 0 {
			t.Fatal("no answer to a frame")
		}
		s.Live.Mute(time.Now().Add(time.Hour))
		if n := answers(); n != 0 {
			t.Errorf("%d calls while the page hears itself", n)
		}
	})
}
