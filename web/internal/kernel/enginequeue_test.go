package kernel_test

import (
	"slices"
	"testing"
	"testing/synctest"

	. "github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/kerneltest"
	"github.com/deepemd/deepemd/web/internal/texts"
)

func TestEngineThatCannotBeLoaded(t *testing.T) {
	s := kerneltest.New()
	s.EngineFailed(kerneltest.Failure(CodeNetwork, "the weights could not be fetched: check the connection"))
	n := s.Notices.List()
	if s.Engine.State().Stage != Failed || len(n) != 1 || n[0].Button != texts.In("en").Notice.Retry {
		t.Errorf("engine %+v, notices %+v: want failed, and an offer to try again", s.Engine.State(), n)
	}
	s.Engine.Loading()
	if s.Engine.State().Stage != Loading {
		t.Error("the second try does not show")
	}
}

func TestProgressOfPartsThatAreLoadedTogether(t *testing.T) {
	s := kerneltest.New()
	for _, c := range []struct {
		part          string
		loaded, total int
		want          float64
	}{
		{"engine", 5, 0, 0},
		{"weights", 5, 10, 0.25},
		{"engine", 4, 4, 0.75},
		{"weights", 10, 10, 1},
		{"ready", 1, 1, 1},
	} {
		s.Engine.Progress(c.part, c.loaded, c.total)
		if got := s.Engine.State().Progress; got != c.want {
			t.Errorf("progress %v after %d of %d of the %s, want %v", got, c.loaded, c.total, c.part, c.want)
		}
	}
}

// queueForTest returns a queue with notices in English.
func queueForTest() (*EngineQueue, *Notices) {
	s := kerneltest.New()
	return s.Engine, s.Notices
}

func TestTheEngineIsToldThingsInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q, notices := queueForTest()
		e := &kerneltest.Engine{}
		call := func(name string) Operation {
			return func(e Engine) error { return e.RemoveClass(name) }
		}
		q.Enqueue(call("a"), call("b"), call("c"))
		barrier := q.Barrier()
		q.Enqueue(call("d"))
		synctest.Wait()
		select {
		case <-barrier:
			t.Error("a barrier was reached without an engine")
		default:
		}
		if got := e.Calls(); len(got) != 0 || q.Get() != nil {
			t.Errorf("told %q before the engine was there", got)
		}
		q.Connect(e)
		if got := q.Drain(); got != e {
			t.Errorf("settled with %v, want the engine", got)
		}
		<-barrier
		if want := []string{"remove a", "remove b", "remove c", "remove d"}; !slices.Equal(e.Calls(), want) {
			t.Errorf("told %q, want %q", e.Calls(), want)
		}
		q.Enqueue(func(Engine) error { return kerneltest.Failure("internal", "no") }, call("e"))
		q.Drain()
		if got := e.Calls(); got[len(got)-1] != "remove e" {
			t.Errorf("told %q, want it to go on after a failure", got)
		}
		if list := notices.List(); len(list) != 1 || list[0].Key != "engine" {
			t.Errorf("notices %+v, want one about the engine", list)
		}
	})
}

func TestRetryLoadsTheEngineAgain(t *testing.T) {
	q, _ := queueForTest()
	q.Retry() // without a function to retry
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
	q.Connect(e)
	e.name = "mine"
	q.Configured()
	if got := q.State(); got.Info.Network != "mine" || got.Stage != Ready {
		t.Errorf("%+v, want the person's network, ready", got)
	}
}

// renamedEngine runs a network whose name changes.
type renamedEngine struct {
	kerneltest.Engine
	name string
}

func (e *renamedEngine) Info() Info { return Info{Network: e.name} }
