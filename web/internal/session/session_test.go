package session

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestClassesMadeBeforeTheEngineReachIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSession()
		ids := ids(s)
		s.Classes.Rename(ids[0], " cup ")
		s.Classes.Remove(ids[1])
		third := s.Classes.Add()
		s.AddFiles(third, []File{{"a.jpg", "a"}})
		synctest.Wait()

		e := &fakeEngine{}
		s.EngineReady(e)
		synctest.Wait()
		want := []string{"add " + ids[0] + " cup", "add " + third + " Class 2", "teach " + third + " a"}
		if got := e.told(); !slices.Equal(got, want) {
			t.Errorf("the engine was told %q, want %q", got, want)
		}
	})
}

func TestClasses(t *testing.T) {
	run(t, func(t *testing.T, s *Session, e *fakeEngine, _ *fakeCamera, wait func()) {
		first := ids(s)[0]
		s.Classes.Rename(first, "cup")
		s.Classes.Rename(first, "  ")
		s.Classes.Rename("nobody", "x")
		added := s.Classes.Add()
		s.Classes.Remove(first)
		s.Classes.Remove(first)
		wait()

		var labels []string
		for _, c := range s.Classes.List() {
			labels = append(labels, c.Label)
		}
		if want := []string{"Class 2", "Class 3"}; !slices.Equal(labels, want) {
			t.Errorf("labels %q, want %q", labels, want)
		}
		want := []string{"rename " + first + " cup", "add " + added + " Class 3", "remove " + first}
		if got := e.told()[2:]; !slices.Equal(got, want) {
			t.Errorf("the engine was told %q, want %q", got, want)
		}
	})
}

func TestWatchersAreToldUntilTheyCancel(t *testing.T) {
	s := newSession()
	told := 0
	cancel := s.Classes.Watch(func() { told++ })
	s.Classes.Add()
	cancel()
	s.Classes.Add()
	if told != 1 {
		t.Errorf("told %d times, want once", told)
	}
}

func TestFilesThatAreNoPicturesAreNamedAndTheOthersAdded(t *testing.T) {
	run(t, func(t *testing.T, s *Session, e *fakeEngine, _ *fakeCamera, wait func()) {
		e.fail = func(call string) error {
			if strings.HasSuffix(call, " text") {
				return failure(CodeBadImage, "not a JPEG, PNG or WebP")
			}
			return nil
		}
		id := ids(s)[0]
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
	run(t, func(t *testing.T, s *Session, e *fakeEngine, _ *fakeCamera, wait func()) {
		e.fail = func(call string) error {
			if strings.HasSuffix(call, " b") {
				return failure(CodeOutOfMemory, "no more memory")
			}
			return nil
		}
		s.AddFiles(ids(s)[0], []File{{"a", "a"}, {"b", "b"}, {"c", "c"}, {"d", "d"}})
		wait()

		if c := s.Classes.List()[0]; len(c.Examples) != 1 || c.Waiting != 0 {
			t.Errorf("%d examples and %d waiting, want 1 and 0", len(c.Examples), c.Waiting)
		}
		if n := s.Notices.List(); len(n) != 1 || !strings.Contains(n[0].Text, "is kept") {
			t.Errorf("notices %+v, want one that says what is kept", n)
		}
	})
}

func TestRemoveExample(t *testing.T) {
	run(t, func(t *testing.T, s *Session, e *fakeEngine, _ *fakeCamera, wait func()) {
		id := ids(s)[0]
		s.AddFiles(id, []File{{"a", "a"}, {"b", "b"}})
		wait()
		first := s.Classes.List()[0].Examples[0]
		s.Classes.RemoveExample(first)
		s.Classes.RemoveExample("nothing")
		wait()
		if got := s.Classes.List()[0].Examples; len(got) != 1 || got[0] == first {
			t.Errorf("examples %q, want all but %s", got, first)
		}
		if got := e.told(); got[len(got)-1] != "forget "+first {
			t.Errorf("the engine was told %q last, want to forget %s", got[len(got)-1], first)
		}
	})
}

func TestHoldingTheButtonTakesEightASecond(t *testing.T) {
	run(t, func(t *testing.T, s *Session, e *fakeEngine, _ *fakeCamera, wait func()) {
		id := ids(s)[1]
		s.Camera.Start("")
		wait()
		s.Capture.Hold(id)
		if s.Capture.Held() != id {
			t.Errorf("capturing %q, want %q", s.Capture.Held(), id)
		}
		rest(time.Second - time.Millisecond)
		s.Capture.Release()
		wait()
		rest(time.Second)
		if got := len(s.Classes.List()[1].Examples); got != 8 {
			t.Errorf("%d examples in a second, want 8", got)
		}
	})
}

func TestAShortPressTakesOne(t *testing.T) {
	run(t, func(t *testing.T, s *Session, _ *fakeEngine, _ *fakeCamera, wait func()) {
		s.Camera.Start("")
		wait()
		s.Capture.Hold(ids(s)[0])
		s.Capture.Release()
		wait()
		if got := len(s.Classes.List()[0].Examples); got != 1 {
			t.Errorf("%d examples, want 1", got)
		}
	})
}

func TestCaptureWithoutCameraSaysSo(t *testing.T) {
	run(t, func(t *testing.T, s *Session, e *fakeEngine, _ *fakeCamera, wait func()) {
		s.Capture.Hold(ids(s)[0])
		wait()
		if n := s.Notices.List(); len(n) != 1 || n[0].Action != ActionStartCamera {
			t.Errorf("notices %+v, want one that offers to start the camera", n)
		}
		s.Camera.Start("")
		wait()
		if n := s.Notices.List(); len(n) != 0 {
			t.Errorf("notices %+v after the camera was started, want none", n)
		}
	})
}
