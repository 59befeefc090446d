package kernel_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/deepemd/deepemd/core/method"
	. "github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/kerneltest"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// Concurrent actions of the user, the engine, a camera and the store do not deadlock, and with
// -race do not race. In the end the engine and the store agree with the page.
func TestEverythingAtOnce(t *testing.T) {
	s, e, camera, store := kerneltest.New(), &kerneltest.Engine{Method: method.Default()}, kerneltest.NewCamera(), kerneltest.NewStore(kerneltest.Cups())
	s.Camera.Connect(camera)
	over := make(chan struct{})
	var devices sync.WaitGroup
	devices.Go(func() {
		for {
			select {
			case camera.Frames <- struct{}{}:
			case <-over:
				return
			}
		}
	})
	var views sync.WaitGroup
	for _, part := range []Watched{s.Language, s.Notices, s.Engine, s.Classes, s.Capture, s.Camera, s.Live, s.Live.Shown, s.Setup, s.Project} {
		part.Watch(func() { look(s) })
	}
	first := func() string {
		if list := s.Classes.List(); len(list) > 0 {
			return list[0].ID
		}
		return ""
	}
	for _, act := range []func(i int){
		func(i int) { s.AddFiles(first(), []File{{Name: fmt.Sprint("file ", i), Source: "file"}}) },
		func(i int) { s.Classes.Rename(first(), fmt.Sprint("name ", i)) },
		func(int) { s.Classes.Remove(s.Classes.Add()) },
		func(int) { s.Classes.Undo(); s.Classes.Redo() },
		func(i int) { s.Classes.Enable(first(), i%2 == 0) },
		func(int) { s.Capture.Hold(first()); s.Capture.Release() },
		func(int) { s.Camera.Start(""); s.Camera.Stop() },
		func(i int) { s.ShowPictures(File{Name: fmt.Sprint("picture ", i), Source: "picture"}) },
		func(i int) { s.Setup.Choose(Modes[i%len(Modes)]) },
		func(i int) { s.Setup.ChangeStrangers(func(u *method.Strangers) { u.Strictness = float64(i%10) / 10 }) },
		func(i int) { s.Project.Rename(fmt.Sprint("project ", i)) },
		func(i int) { s.SetLanguage([]*texts.Texts{texts.In("en"), texts.In("de")}[i%2]) },
		func(int) { s.EngineCrashed(kerneltest.Failure(CodeCrashed, "gone"), true); s.EngineRestarted() },
	} {
		views.Go(func() {
			for i := range 30 {
				act(i)
			}
		})
	}
	s.Project.StoreReady(store)
	s.EngineReady(e)
	s.Project.New()
	s.Project.Open("project-cups")
	s.Project.Duplicate("project-cups")
	views.Wait()
	s.SetLanguage(texts.In("en"))
	s.Setup.Choose(Fast)
	s.Classes.Add()

	want := func() bool {
		s.Classes.WaitRestored()
		doc := store.Doc(s.Project.State().ID)
		shown := map[string]string{}
		for _, c := range s.Classes.List() {
			shown[c.ID] = c.Label
		}
		return outlineOf(doc) == outline(s) && fmt.Sprint(knownTo(e)) == fmt.Sprint(shown) && e.Follows().Equal(s.Setup.Method())
	}
	for until := time.Now().Add(20 * time.Second); !want(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(until) {
			t.Fatalf("the page shows %s, the store keeps %s, the engine knows %v and follows %v, want %v",
				outline(s), outlineOf(store.Doc(s.Project.State().ID)), knownTo(e), e.Follows(), s.Setup.Method())
		}
	}
	s.Camera.Stop()
	close(over)
	devices.Wait()
}

// look reads all state that views show.
func look(s *Kernel) {
	s.Notices.List()
	s.Engine.State()
	s.Classes.History()
	s.Capture.Class()
	s.Camera.State()
	s.Live.State()
	s.Setup.State()
	s.Project.State()
	s.Classes.List()
	s.Texts()
}

// Every change of a revision reaches the followers.
func TestFollowersHearEveryChange(t *testing.T) {
	k := kerneltest.New()
	calls := 0
	k.Follow(func() { calls++ })
	k.Grow(func(r *Revisions) { r.Method++ })
	k.Live.Clear()
	if calls != 2 {
		t.Errorf("%d calls, want 2", calls)
	}
}

// There is nothing to choose of cameras that are not known yet.
func TestChosenCamera(t *testing.T) {
	for want, state := range map[bool]CameraState{false: {Stage: CameraOn}, true: {Stage: CameraOn, Devices: []Device{{}}}} {
		if state.Chosen() != want {
			t.Errorf("%+v is chosen: %v", state, !want)
		}
	}
}
