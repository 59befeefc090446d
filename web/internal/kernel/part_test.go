package kernel_test

import (
	"testing"

	"github.com/deepemd/deepemd/web/internal/kerneltest"
)

func TestWatchersAreToldUntilTheyCancel(t *testing.T) {
	s := kerneltest.New()
	told := 0
	cancel := s.Classes.Watch(func() { told++ })
	s.Classes.Add()
	cancel()
	s.Classes.Add()
	if told != 1 {
		t.Errorf("told %d times, want once", told)
	}
}
