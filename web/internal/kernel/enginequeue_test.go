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
	s, tried := kerneltest.New(), 0
	s.Engine.Retry()
	s.Engine.Reload = func() { tried++ }
	s.EngineFailed(kerneltest.Failure(CodeNetwork, "the weights could not be fetched: check the connection"))
	n := s.Notices.List()
	if s.Engine.State().Stage != Failed || len(n) != 1 || n[0].Button != texts.In("en").Notice.Retry {
		t.Errorf("engine %+v, notices %+v: want failed, and an offer to try again", s.Engine.State(), n)
	}
	n[0].Offer.Do()
	s.Engine.Loading()
	if s.Engine.State().Stage != Loading || tried != 1 {
		t.Errorf("tried %d times, want once", tried)
	}
}

// A second click while the engine is loaded again does not load another one.
func TestRetryTwice(t *testing.T) {
	kerneltest.Bubble(t, func(t *testing.T) {
		s := kerneltest.New()
		arrives := make(chan struct{})
		s.Engine.Reload = func() {
			s.Engine.Loading()
			go func() {
				<-arrives
				s.EngineReady(&kerneltest.Engine{})
			}()
		}
		s.EngineFailed(kerneltest.Failure(CodeNetwork, "the weights could not be fetched: check the connection"))
		again := s.Notices.List()[0].Offer.Do
		again()
		again()
		close(arrives)
		synctest.Wait()
		if got := s.Engine.State().Stage; got != Ready {
			t.Errorf("stage %v, want ready", got)
		}
		s.Engine.Retry()
		if got := s.Engine.State().Stage; got != Ready {
			t.Errorf("stage %v after another click, want ready", got)
		}
	})
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

// Operations wait for the engine, then run in order; a failure is reported, and the rest continues.
func TestTheEngineIsToldThingsInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, e := kerneltest.New(), &kerneltest.Engine{}
		call := func(name string) Operation {
			return func(e Engine) error { return e.RemoveClass(name) }
		}
		fails := func(Engine) error { return kerneltest.Failure("internal", "no") }
		s.Engine.Enqueue(call("a"), fails, call("b"))
		barrier := s.Engine.Barrier()
		s.Engine.Enqueue(call("c"))
		synctest.Wait()
		select {
		case <-barrier:
			t.Error("a barrier was reached without an engine")
		default:
		}
		if got := e.Calls(); len(got) != 0 || s.Engine.Get() != nil {
			t.Errorf("told %q before the engine was there", got)
		}
		s.Engine.Connect(e)
		<-barrier
		if got, want := s.Engine.Drain(), []string{"remove a", "remove b", "remove c"}; got != e || !slices.Equal(e.Calls(), want) {
			t.Errorf("%v was told %q, want %q", got, e.Calls(), want)
		}
		if got := kerneltest.Keys(s); !slices.Equal(got, []string{"engine"}) {
			t.Errorf("notices %q, want one about the engine", got)
		}
	})
}
