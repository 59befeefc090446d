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

func (m fakeMicrophone) Record(ctx context.Context, taken func(Source)) {
	for {
		select {
		case <-ctx.Done():
			taken("last take")
			return
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

// While the button is held, each take is an example; silent takes are left out without a notice.
func TestTakesWhileTheButtonIsHeld(t *testing.T) {
	hear(t, func(s *Kernel, e *kerneltest.Engine) {
		for i, want := range []int{3, 2} {
			id := kerneltest.IDs(s)[i]
			s.Capture.Hold(id)
			kerneltest.Rest(2500 * time.Millisecond)
			if s.Capture.Class() != id {
				t.Error("the button is not held")
			}
			s.Capture.Release()
			synctest.Wait()
			if c := s.Classes.List()[i]; len(c.Examples) != want || c.Waiting != 0 || len(s.Notices.List()) > 0 {
				t.Errorf("%d examples and %d waiting, want %d and none; notices %q", len(c.Examples), c.Waiting, want, kerneltest.Keys(s))
			}
			e.Fail = func(call string) error {
				if strings.Contains(call, "last") {
					return kerneltest.Failure(CodeSilent, "the recording is silent")
				}
				return nil
			}
		}
		if got := e.Calls(); !slices.Contains(got, "teach "+kerneltest.IDs(s)[0]+" last take") {
			t.Errorf("the engine was told %q, without the last take", got)
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
		s.AddFiles(kerneltest.IDs(s)[0], []File{{Name: "a.txt", Source: "text"}, {Name: "b.wav", Source: "quiet"}, {Name: "c.mp3", Source: "good"}})
		synctest.Wait()
		if got := len(s.Classes.List()[0].Examples); got != 1 {
			t.Errorf("%d examples, want the one recording", got)
		}
		n := s.Notices.List()
		if len(n) != 1 || !strings.Contains(n[0].Title, "a.txt and b.wav") || !strings.Contains(n[0].Title, "recordings") {
			t.Fatalf("notices %+v, want one that names both files", n)
		}
		const others = "The other recordings were added"
		if n[0].Detail != "a.txt: not an MP3 or WAV recording: convert it" || !strings.Contains(n[0].Text, others) {
			t.Errorf("notice %+v, want the engine's reason and the other recording", n[0])
		}
		s.AddFiles(kerneltest.IDs(s)[0], []File{{Name: "a.txt", Source: "text"}, {Name: "b.wav", Source: "quiet"}})
		synctest.Wait()
		if n := s.Notices.List(); len(n) != 1 || strings.Contains(n[0].Text, others) {
			t.Errorf("notices %+v, but no other recordings", n)
		}
	})
}

// A recording among pictures and a picture among sounds lead to the switch at the top of the page.
func TestFilesLeadToTheOtherKind(t *testing.T) {
	for _, c := range []struct {
		kind       string
		code       string
		name, want string
	}{
		{project.KindSound, CodeBadSound, "owl.JPG", "choose “Pictures”"},
		{project.KindSound, CodeBadSound, "owl.mp3", "The page cannot read this as a recording"},
		{project.KindImage, CodeBadImage, "owl.m4a", "choose “Sounds”"},
		{project.KindImage, CodeBadImage, "owl.jpg", "The page cannot read this as a picture"},
	} {
		kerneltest.Bubble(t, func(t *testing.T) {
			s, e := New(c.kind, texts.In("en")), &kerneltest.Engine{Fail: func(call string) error {
				if strings.HasSuffix(call, c.name) {
					return kerneltest.Failure(c.code, "unreadable")
				}
				return nil
			}}
			s.EngineReady(e)
			s.AddFiles(kerneltest.IDs(s)[0], kerneltest.Files(c.name))
			synctest.Wait()
			if n := s.Notices.List(); len(n) != 1 || !strings.Contains(n[0].Text, c.want) {
				t.Errorf("%s in a project of kind %s: notices %+v, want one that says %q", c.name, c.kind, n, c.want)
			}
		})
	}
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
		s.AddFiles(kerneltest.IDs(s)[0], []File{{Name: "a", Source: "a"}})
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
