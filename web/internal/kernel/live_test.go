package kernel_test

import (
	"cmp"
	"slices"
	"strings"
	"testing"
	"time"

	. "github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/kerneltest"
	"github.com/deepemd/deepemd/web/internal/texts"
)

func TestLiveAnswers(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, c *kerneltest.Camera, wait func()) {
		s.Camera.Start("back")
		wait()
		if got := s.Camera.State(); got.Stage != CameraOn || got.Device.ID != "back" || len(got.Devices) != 2 {
			t.Errorf("camera %+v, want the back one on, of 2", got)
		}
		c.Show()
		if got := s.Live.State().Answer.Best(); got != "" {
			t.Errorf("best %q before anything was taught", got)
		}
		kerneltest.Teach(s, e, wait)
		for range 21 {
			c.Show()
			kerneltest.Rest(50 * time.Millisecond)
		}
		live := s.Live.State()
		if live.Answer.Best() != kerneltest.IDs(s)[0] || live.Answer.MS != 20 {
			t.Errorf("live %+v, want the first class", live)
		}
		if live.Rate != 20 {
			t.Errorf("%v answers a second, want 20", live.Rate)
		}
		s.Camera.Stop()
		wait()
		if c.On != "" || s.Live.State().Answer.Best() != "" || c.Show() {
			t.Error("the camera is stopped, but something goes on")
		}
	})
}

func TestNeverTwoFramesUnderWay(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, c *kerneltest.Camera, wait func()) {
		kerneltest.Teach(s, e, wait)
		e.Working = make(chan struct{})
		s.Camera.Start("")
		wait()
		c.Show()
		if c.Show() {
			t.Error("a second frame was taken while the first was under way")
		}
		close(e.Working)
		wait()
		c.Show()
		if e.MostIn != 1 {
			t.Errorf("%d classified at once, want 1", e.MostIn)
		}
	})
}

func TestAnswersForRemovedClassesAreDropped(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, c *kerneltest.Camera, wait func()) {
		kerneltest.Teach(s, e, wait)
		e.Working = make(chan struct{})
		s.Camera.Start("")
		wait()
		c.Show()
		s.Classes.Remove(kerneltest.IDs(s)[0])
		close(e.Working)
		wait()
		if got := s.Live.State().Answer; len(got.Scores) != 0 {
			t.Errorf("answer %+v for a class that is gone", got)
		}
	})
}

func TestCrashKeepsExamplesAndLiveGoesOn(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, c *kerneltest.Camera, wait func()) {
		kerneltest.Teach(s, e, wait)
		s.Camera.Start("")
		wait()
		c.Show()
		crash := kerneltest.Failure(CodeCrashed, "the engine crashed (panic: test)")
		e.Fail = func(string) error { return crash }
		c.Show()
		s.EngineCrashed(crash, true)
		if n := s.Notices.List(); len(n) != 1 || !strings.Contains(n[0].Text, "is kept") {
			t.Errorf("notices %+v, want one that says that the example is kept", n)
		}
		if s.Engine.State().Stage != Restarting {
			t.Errorf("stage %v, want restarting", s.Engine.State().Stage)
		}
		e.Fail = nil
		s.EngineRestarted()
		kerneltest.Rest(RetryPause)
		c.Show()
		if s.Live.State().Answer.Best() == "" {
			t.Error("no live answer after the restart")
		}
		if got := len(s.Classes.List()[0].Examples); got != 1 {
			t.Errorf("%d examples after the crash, want 1", got)
		}
		kerneltest.Rest(GoodLasts + time.Second)
		if got := kerneltest.Keys(s); len(got) != 0 {
			t.Errorf("notices %q long after the restart, want none", got)
		}
	})
}

func TestCrashWithoutRestartOffersToTryAgain(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, c *kerneltest.Camera, wait func()) {
		kerneltest.Teach(s, e, wait)
		s.EngineCrashed(kerneltest.Failure(CodeOutOfMemory, "no more memory"), false)
		n := s.Notices.List()
		if s.Engine.State().Stage != Failed || len(n) != 1 || n[0].Button != texts.In("en").Notice.Retry || !strings.Contains(n[0].Text, "is kept") {
			t.Errorf("engine %+v, notices %+v: want failed, the example kept, and an offer to try again", s.Engine.State(), n)
		}
		s.EngineRestarted()
		if s.Engine.State().Stage != Ready {
			t.Error("the engine is not ready after it was started again")
		}
		kerneltest.Rest(GoodLasts + time.Second)
	})
}

// An engine that stops while a project is opened has all its examples once it runs again.
func TestCrashWhileAProjectOpens(t *testing.T) {
	for _, unseen := range []bool{false, true} {
		kerneltest.Run(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
			doc := kerneltest.Cups()
			all := doc.Examples()
			if unseen {
				for _, c := range doc.Classes {
					for _, example := range c.Examples {
						doc.Unseen = append(doc.Unseen, example.ID)
					}
				}
			}
			crash := kerneltest.Failure(CodeCrashed, "the engine crashed (panic: test)")
			e.Mu.Lock()
			e.Fail = func(call string) error {
				if strings.HasPrefix(call, "restore") {
					return crash
				}
				return nil
			}
			e.Mu.Unlock()
			s.Project.StoreReady(kerneltest.NewStore(doc))
			kerneltest.Rest(time.Second)
			s.EngineCrashed(crash, false)
			if n := len(e.Examples()); n != 0 || all == 0 {
				t.Fatalf("the engine has %d of %d examples", n, all)
			}
			s.Classes.RemoveExamples("example-7")
			kerneltest.Rest(time.Second)
			if slices.Contains(e.Calls(), "forget example-7") {
				t.Error("the engine is to forget an example that it does not have")
			}
			all--
			e.Mu.Lock()
			e.Fail = nil
			e.Mu.Unlock()
			s.EngineRestarted()
			kerneltest.Rest(GoodLasts + time.Second)
			if n := len(e.Examples()); n != all {
				t.Errorf("not embedded before: %v; the engine has %d of %d examples", unseen, n, all)
			}
		})
	}
}

// Several pictures are shown in turn; the frames of a video are pictures.
func TestSeveralPictures(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		kerneltest.Teach(s, e, wait)
		s.Frames = func(video File) ([]File, error) {
			if video.Name == "bad.mov" {
				return nil, kerneltest.Failure("", "not playable")
			}
			return []File{{Name: video.Name + " 1", Source: "frame 1"}, {Name: video.Name + " 2", Source: "frame 2"}}, nil
		}
		e.Fail = func(call string) error {
			if strings.HasSuffix(call, "bad") || strings.HasSuffix(call, "[bad]") || strings.HasSuffix(call, "photo") {
				return kerneltest.Failure(CodeBadImage, "broken")
			}
			return nil
		}
		s.ShowPictures(File{Name: "a.jpg", Source: "a"}, File{Name: "cat.MP4", Source: "cat"})
		wait()
		for _, want := range []string{"a.jpg", "cat.MP4 1", "cat.MP4 2", "a.jpg"} {
			picture, best := s.Live.Shown.Picture(), s.Live.State().Answer.Best()
			if picture == nil || picture.Name != want || best == "" {
				t.Errorf("the stage shows %+v with %q, want %s", picture, best, want)
			}
			s.Live.Turn(1)
			wait()
		}
		s.Live.Turn(-1)
		if at, all := s.Live.Shown.Place(); at != 0 || all != 3 {
			t.Errorf("picture %d of %d, want 0 of 3", at, all)
		}
		// Sources of browsers cannot be compared.
		s.ShowPictures(File{Name: "bad.mov", Source: []string{"bad"}}, File{Name: "b.jpg", Source: []string{"b"}})
		wait()
		if picture := s.Live.Shown.Picture(); picture == nil || picture.Name != "b.jpg" {
			t.Errorf("the stage shows %+v, want b.jpg, as the video is not playable", picture)
		}
		s.AddFiles(kerneltest.IDs(s)[0], []File{{Name: "IMG_1.HEIC", Source: "photo"}, {Name: "page.pdf", Source: "bad"}})
		wait()
		if got := noticed(s); !strings.Contains(got, "Export") || !strings.Contains(got, "screenshot") {
			t.Errorf("the page says %q, want a sentence about HEIC and one about PDF", got)
		}
	})
}

// lateStore takes a second to unpack an archive.
type lateStore struct{ *kerneltest.Store }

func (lateStore) Unpack(file File) ([]File, error) {
	time.Sleep(time.Second)
	return []File{{Name: file.Name, Source: "in it", Path: "folder/1.jpg"}}, nil
}

// Files that are ready after the user has chosen the camera, or other files, are not shown.
func TestLatePictures(t *testing.T) {
	for _, name := range []string{"late.jpg", "late.mp4", "late.zip", "late folder"} {
		for _, next := range []string{"", "camera", "now.jpg"} {
			kerneltest.Run(t, func(t *testing.T, s *Kernel, _ *kerneltest.Engine, _ *kerneltest.Camera, _ func()) {
				s.Live.Check = func(file File) error {
					if file.Name == "late.jpg" {
						time.Sleep(time.Second)
					}
					return nil
				}
				s.Frames = func(File) ([]File, error) {
					time.Sleep(time.Second)
					return kerneltest.Files("late.mp4"), nil
				}
				s.Project.StoreReady(lateStore{kerneltest.NewStore()})
				listed := func([]File) {}
				if name == "late folder" {
					listed = s.Showing()
				} else {
					s.ShowPictures(kerneltest.Files(name)...)
				}
				switch next {
				case "":
				case "camera":
					s.Camera.Start("")
				default:
					s.ShowPictures(kerneltest.Files(next)...)
				}
				listed([]File{{Name: name, Source: "in it", Path: "folder/1.jpg"}})
				kerneltest.Rest(2 * time.Second)
				got := ""
				if s.Camera.State().Stage == CameraOn {
					got = "camera"
				}
				if picture := s.Live.Shown.Picture(); picture != nil {
					got += picture.Name
				}
				if want := cmp.Or(next, name); got != want {
					t.Errorf("%s, then %q: the stage shows %q, want %q", name, next, got, want)
				}
			})
		}
	}
}

func TestAPictureIsClassifiedAgainWhenExamplesChange(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		s.ShowPictures(File{Name: "test.jpg", Source: "test"})
		wait()
		if s.Live.State().Answer.Best() != "" {
			t.Error("an answer before anything was taught")
		}
		kerneltest.Teach(s, e, wait)
		add(s, kerneltest.IDs(s)[0], "b")
		if s.Live.State().Answer.Best() != kerneltest.IDs(s)[0] {
			t.Errorf("live %+v, want the first class", s.Live.State())
		}
		e.Fail = func(string) error { return kerneltest.Failure(CodeBadImage, "broken") }
		s.ShowPictures(File{Name: "bad.jpg", Source: "bad"})
		wait()
		if s.Live.Shown.Picture() != nil {
			t.Error("a file that is no picture is still shown")
		}
		if n := s.Notices.List(); len(n) != 1 || !strings.Contains(n[0].Title, "bad.jpg") {
			t.Errorf("notices %+v, want one that names bad.jpg", n)
		}
	})
}

// Browsers may round the clock, so that several answers have the same time.
func TestRateOfAnswersAtTheSameTime(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, c *kerneltest.Camera, wait func()) {
		kerneltest.Teach(s, e, wait)
		s.Camera.Start("")
		wait()
		for range 5 {
			c.Show()
		}
		if live, setup := s.Live.State(), s.Setup.State(); live.Answer.Best() == "" || live.Rate != 0 || len(setup.Rates) != 0 {
			t.Errorf("%v answers a second, rates %v; want none yet", live.Rate, setup.Rates)
		}
		kerneltest.Rest(100 * time.Millisecond)
		c.Show()
		if got := s.Live.State().Rate; got != 50 {
			t.Errorf("%v answers a second, want 5 in a tenth", got)
		}
	})
}

// Pictures of a video that are ready after another project was opened are not for its classes.
func TestFramesStayWithTheirProject(t *testing.T) {
	for _, leaves := range []bool{false, true} {
		kerneltest.Run(t, func(t *testing.T, s *Kernel, _ *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
			s.Frames = func(video File) ([]File, error) {
				time.Sleep(time.Second)
				return kerneltest.Files("1", "2"), nil
			}
			cups := kerneltest.Cups()
			former := cups
			former.ID, former.Saved = "project-former", cups.Saved.Add(time.Hour)
			s.Project.StoreReady(kerneltest.NewStore(cups, former))
			wait()
			s.AddFiles("class-1", kerneltest.Files("cup.mp4"))
			want := 5
			if leaves {
				s.Project.Open(cups.ID)
				want = 3
			}
			kerneltest.Rest(2 * time.Second)
			if n := s.Classes.Examples(); n != want || len(s.Notices.List()) != 0 {
				t.Errorf("another project was opened: %v; %d examples, want %d; notices %q", leaves, n, want, kerneltest.Keys(s))
			}
		})
	}
}
