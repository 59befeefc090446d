package kernel

import "testing"

func TestTrainingSaysWhatItGained(t *testing.T) {
	run(t, func(t *testing.T, s *Kernel, e *fakeEngine, _ *fakeCamera, wait func()) {
		s.Training.Start()
		wait()
		if got := s.Training.State(); got.Running || !got.Learned || got.Gain != (Gain{10, 7, 9, true}) {
			t.Errorf("%+v, want it learned, with its gain", got)
		}
		e.learned = false // examples changed
		if s.Training.State().Learned {
			t.Error("what was learned is forgotten, and said to be in use")
		}
	})
}
