package kernel_test

import (
	"strings"
	"testing"
	"time"

	. "github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/kerneltest"
)

func TestCameraProblems(t *testing.T) {
	for code, want := range map[string]string{
		CodeDenied:   "address bar",
		CodeMissing:  "Connect one",
		CodeTaken:    "Close the other program",
		CodeInsecure: "localhost",
		CodeLate:     "took too long",
		"internal":   "Try again",
	} {
		t.Run(code, func(t *testing.T) {
			kerneltest.Run(t, func(t *testing.T, s *Kernel, _ *kerneltest.Engine, c *kerneltest.Camera, wait func()) {
				c.Err = kerneltest.Failure(code, "it failed")
				s.Camera.Start("")
				wait()
				got := s.Camera.State()
				if got.Stage != CameraOff || got.Problem == nil || !strings.Contains(got.Problem.Text, want) {
					t.Fatalf("camera %+v, want it off with a remedy that mentions %q", got, want)
				}
				if !strings.Contains(got.Problem.Text, "pictures from files") {
					t.Errorf("%q does not say that files will do", got.Problem.Text)
				}
				c.Err = nil
				s.Camera.Start("")
				wait()
				if got := s.Camera.State(); got.Stage != CameraOn || got.Problem != nil {
					t.Errorf("camera %+v after the remedy, want it on", got)
				}
			})
		})
	}
}

// A camera that starts late, perhaps because the browser asks the user, does not take the place of a picture that was shown
// meanwhile.
func TestCameraThatStartsTooLate(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, _ *kerneltest.Engine, c *kerneltest.Camera, wait func()) {
		s.Camera.Start("")
		s.ShowPictures(kerneltest.Files("a")...)
		wait()
		if got := s.Camera.State(); got.Stage != CameraOff || got.Problem != nil || c.On != "" || s.Live.Shown.Picture() == nil {
			t.Errorf("camera %+v, on: %q; want it off", got, c.On)
		}
		s.Camera.Start("")
		s.ShowPictures(kerneltest.Files("a")...)
		s.Camera.Start("")
		wait()
		if got := s.Camera.State(); got.Stage != CameraOn || c.On == "" || s.Live.Shown.Picture() != nil {
			t.Errorf("camera %+v after it was started again, want it on", got)
		}
	})
}

func TestUnpluggedCamera(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, c *kerneltest.Camera, wait func()) {
		s.Camera.Start("")
		wait()
		s.Camera.Ended()
		wait()
		if got := s.Camera.State(); got.Stage != CameraOff || got.Problem == nil {
			t.Errorf("camera %+v, want it off with a problem", got)
		}
		s.Camera.DevicesChanged()
		wait()
	})
}

// The start of a camera that was unplugged meanwhile counts no longer, even if another start has begun.
func TestUnpluggedWhileStarting(t *testing.T) {
	for _, again := range []bool{false, true} {
		kerneltest.Run(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, c *kerneltest.Camera, wait func()) {
			kerneltest.Teach(s, e, wait)
			c.Slow = time.Second
			s.Camera.Start("")
			kerneltest.Rest(time.Second / 2)
			s.Camera.Ended()
			if again {
				s.Camera.Start("")
			}
			kerneltest.Rest(2 * time.Second)
			if got := s.Camera.State(); (got.Stage == CameraOn) != again || (got.Problem == nil) != again || (c.On != "") != again {
				t.Errorf("started again: %v; camera %+v, on: %q", again, got, c.On)
			}
			e.Working = make(chan struct{})
			watched := 0
			for range 3 {
				if c.Show() {
					watched++
				}
			}
			if close(e.Working); again && watched != 1 || !again && watched != 0 {
				t.Errorf("started again: %v; %d frames are classified at once", again, watched)
			}
		})
	}
}

func TestTurningTheCamera(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, _ *kerneltest.Engine, c *kerneltest.Camera, wait func()) {
		if s.Camera.State().Turns() {
			t.Error("a camera that is off can be turned")
		}
		for _, want := range []Facing{FacingPerson, FacingAway, FacingPerson} {
			s.Camera.Turn()
			wait()
			if got := s.Camera.State(); got.Device.Facing != want || !got.Turns() {
				t.Errorf("%+v, want the camera that looks %s", got, want)
			}
		}
	})
}
