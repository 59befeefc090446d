package kernel

import "testing"

func TestWatchersAreToldUntilTheyCancel(t *testing.T) {
	s := newKernel()
	told := 0
	cancel := s.Classes.Watch(func() { told++ })
	s.Classes.Add()
	cancel()
	s.Classes.Add()
	if told != 1 {
		t.Errorf("told %d times, want once", told)
	}
}
