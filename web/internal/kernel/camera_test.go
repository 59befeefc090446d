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
				_, text := CameraTrouble(s.Texts(), got.Problem)
				if got.Stage != CameraOff || got.Problem == nil || !strings.Contains(text, want) {
					t.Fatalf("camera %+v: %q, want it off with a remedy that mentions %q", got, text, want)
				}
				if !strings.Contains(text, "pictures from files") {
					t.Errorf("%q does not say that files will do", text)
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

// A camera that starts late, perhaps because the browser asks the user, does not replace a picture that was shown
// while it started.
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

// The camera that was chosen last is on in the end, even if it was chosen while another one started. A click on the
// button while a camera starts does not replace it.
func TestChoosingWhileACameraStarts(t *testing.T) {
	for _, c := range []struct {
		ids  []string // of Start; "stop" is Stop
		want string
	}{
		{[]string{"back", "front"}, "front"},
		{[]string{"back", "front", "back"}, "back"},
		{[]string{"back", "side", "front"}, "front"},
		{[]string{"back", ""}, "back"},
		{[]string{"back", "stop", ""}, "back"},
		{[]string{"back", "stop", "front"}, "front"},
		{[]string{"back", "front", "stop"}, ""},
	} {
		kerneltest.Run(t, func(t *testing.T, s *Kernel, _ *kerneltest.Engine, camera *kerneltest.Camera, wait func()) {
			s.Camera.Start("")
			wait()
			camera.Slow = time.Second
			for _, id := range c.ids {
				if id == "stop" {
					s.Camera.Stop()
				} else {
					s.Camera.Start(id)
				}
			}
			kerneltest.Rest(5 * time.Second)
			if got := s.Camera.State(); camera.On != c.want || (got.Stage == CameraOn) != (c.want != "") || c.want != "" && got.Device.ID != c.want {
				t.Errorf("%q: camera %+v, on: %q; want %q", c.ids, got, camera.On, c.want)
			}
		})
	}
}

// A camera that was chosen while another one started and failed gets its turn.
func TestChoosingWhileACameraFails(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, _ *kerneltest.Engine, c *kerneltest.Camera, wait func()) {
		c.Slow, c.Err = time.Second, kerneltest.Failure(CodeTaken, "another program has it")
		s.Camera.Start("back")
		s.Camera.Start("front")
		kerneltest.Rest(time.Second)
		c.Mu.Lock()
		c.Err = nil
		c.Mu.Unlock()
		kerneltest.Rest(time.Second)
		if got := s.Camera.State(); got.Device.ID != "front" || got.Problem != nil {
			t.Errorf("camera %+v, want the one at the front", got)
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

// The start of a camera that has been unplugged is ignored, even if another start has begun.
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
