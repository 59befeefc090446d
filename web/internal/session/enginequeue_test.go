package session

import (
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/deepemd/deepemd/web/internal/texts"
)

// queueForTest returns a queue with notices in English.
func queueForTest() (*EngineQueue, *Notices) {
	n := newNotices(func() *texts.Texts { return texts.English })
	return newEngineQueue(n), n
}

func TestTheEngineIsToldThingsInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q, notices := queueForTest()
		e := &fakeEngine{}
		call := func(name string) operation {
			return func(e Engine) error { return e.RemoveClass(name) }
		}
		q.tell(call("b"), call("c"))
		q.tellFirst(call("a"))
		milestone := q.milestone()
		q.tell(call("d"))
		synctest.Wait()
		select {
		case <-milestone:
			t.Error("a milestone was reached without an engine")
		default:
		}
		if got := e.told(); len(got) != 0 || q.get() != nil {
			t.Errorf("told %q before the engine was there", got)
		}
		q.connect(e)
		if got := q.settled(); got != e {
			t.Errorf("settled with %v, want the engine", got)
		}
		<-milestone
		if want := []string{"remove a", "remove b", "remove c", "remove d"}; !slices.Equal(e.told(), want) {
			t.Errorf("told %q, want %q", e.told(), want)
		}
		q.tell(func(Engine) error { return failure("internal", "no") }, call("e"))
		q.settled()
		if got := e.told(); got[len(got)-1] != "remove e" {
			t.Errorf("told %q, want it to go on after a failure", got)
		}
		if list := notices.List(); len(list) != 1 || list[0].Key != noticeEngine {
			t.Errorf("notices %+v, want one about the engine", list)
		}
	})
}

func TestRetryLoadsTheEngineAgain(t *testing.T) {
	q, _ := queueForTest()
	q.Retry() // Nobody has said how.
	tried := 0
	q.OnRetry(func() { tried++ })
	q.Retry()
	if tried != 1 {
		t.Errorf("tried %d times, want once", tried)
	}
}

func TestConfiguringChangesWhatTheEngineIsSaidToRun(t *testing.T) {
	q, _ := queueForTest()
	e := &renamedEngine{}
	q.connect(e)
	e.name = "mine"
	q.configured()
	if got := q.State(); got.Info.Network != "mine" || got.Stage != Ready {
		t.Errorf("%+v, want the person's network, ready", got)
	}
}

// renamedEngine runs a network whose name changes.
type renamedEngine struct {
	fakeEngine
	name string
}

func (e *renamedEngine) Info() Info { return Info{Network: e.name} }

func TestTroubleLeavesOutWhatPasses(t *testing.T) {
	for _, c := range []struct {
		err  error
		said bool
	}{
		{failure(CodeCrashed, "gone"), false},
		{failure(CodeEmpty, "nothing"), false},
		{failure(CodeUnknown, "no class"), false},
		{failure(CodeOutOfMemory, "no memory"), true},
		{errors.New("anything"), true},
	} {
		_, notices := queueForTest()
		notices.trouble(c.err)
		if said := len(notices.List()) > 0; said != c.said {
			t.Errorf("%v: said %v, want %v", c.err, said, c.said)
		}
	}
}

func TestNoticesReplaceOneAnotherAndGoodOnesGo(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		language := texts.English
		n := newNotices(func() *texts.Texts { return language })
		var told atomic.Int32
		n.Watch(func() { told.Add(1) })
		n.post(engineRestarted(1))
		n.post(captureWithoutCamera())
		rest(goodLasts / 2)
		n.post(engineRestarted(2)) // stays longer than the first
		rest(goodLasts / 2)
		list := n.List()
		if len(list) != 2 || list[0].Text != texts.English.Notice.Kept(2) {
			t.Errorf("notices %+v, want the second and the one about the camera", list)
		}
		language = texts.German
		if got := n.List()[1].Title; got != texts.German.Notice.CameraOff {
			t.Errorf("%q after the language was changed", got)
		}
		rest(goodLasts)
		if list := n.List(); len(list) != 1 || list[0].Key != noticeCamera {
			t.Errorf("notices %+v, want the one about the camera", list)
		}
		n.Dismiss(noticeCamera)
		if got := fmt.Sprint(n.List()); got != "[]" || told.Load() != 6 {
			t.Errorf("notices %s, told %d times", got, told.Load())
		}
	})
}
