package kernel_test

import (
	"testing"

	. "github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/kerneltest"
)

func TestTrainingSaysWhatItGained(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		s.Training.Start()
		wait()
		if got := s.Training.State(); got.Running || !got.Learned || got.Gain != (Gain{10, 7, 9, true}) {
			t.Errorf("%+v, want it learned, with its gain", got)
		}
		e.Trained = false // examples changed
		if s.Training.State().Learned {
			t.Error("what was learned is forgotten, and said to be in use")
		}
	})
}
