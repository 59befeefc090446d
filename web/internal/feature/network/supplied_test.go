package network

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/deepemd/deepemd/core/network"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/kerneltest"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// watchSlow runs a test with two networks, a camera and one example.
func watchSlow(t *testing.T, supplied Supplied, test func(s *kernel.Kernel, n *Network, e *kerneltest.Engine, f *fakeDevice, watch func(millis float64), wait func())) {
	t.Helper()
	run(t, func(t *testing.T, s *kernel.Kernel, n *Network, e *kerneltest.Engine, c *kerneltest.Camera, wait func()) {
		f := &fakeDevice{}
		n.Supply(supplied)
		n.Ready(f, nil, nil)
		kerneltest.Teach(s, e, wait)
		s.Camera.Start("")
		wait()
		watch := func(millis float64) {
			e.Answer.MS = millis
			for range 32 {
				kerneltest.Rest(time.Duration(millis) * time.Millisecond)
				c.Show()
			}
			wait()
		}
		test(s, n, e, f, watch, wait)
	})
}

// configured returns the calls that change the engine.
func configured(e *kerneltest.Engine) (all []string) {
	for _, call := range e.Calls() {
		if strings.HasPrefix(call, "configure") {
			all = append(all, call)
		}
	}
	return all
}

// If the usual network is slow, the small one takes over. A notice reports the rates, and can
// revert it.
func TestASlowDeviceGetsTheSmallNetwork(t *testing.T) {
	watchSlow(t, Supplied{Offered: true}, func(s *kernel.Kernel, n *Network, e *kerneltest.Engine, f *fakeDevice, watch func(float64), wait func()) {
		watch(250)
		if got := n.State().Supplied; !got.Small || !got.Chosen || n.State().Changing {
			t.Fatalf("%+v, want the small network", got)
		}
		said := s.Notices.List()
		if len(said) != 1 || said[0].Button != texts.In("en").Network.UseUsual || !strings.Contains(said[0].Text, "4.0 answers per second") {
			t.Fatalf("it says %+v, want how many answers there were", said)
		}
		watch(100)
		if said = s.Notices.List(); len(said) != 1 || !strings.Contains(said[0].Text, "10 answers per second") || !strings.Contains(said[0].Text, "4.0") {
			t.Errorf("it says %+v, want how many answers there are", said)
		}
		n.UseSupplied(false)
		wait()
		if got := n.State().Supplied; got.Small || !got.Chosen || len(s.Notices.List()) != 0 {
			t.Errorf("%+v and %v, want the usual network", got, kerneltest.Keys(s))
		}
		watch(250)
		if got := n.State().Supplied; got.Small || len(s.Notices.List()) != 0 {
			t.Errorf("%+v and %v: want what the person has chosen", got, kerneltest.Keys(s))
		}
		want := []string{"prefer small true", "prefer small false"}
		if !slices.Equal(f.calls, want) || len(configured(e)) != 2 {
			t.Errorf("calls %q, and the engine was told %q, want %q", f.calls, configured(e), want)
		}
	})
}

// Users with a fast device, a choice, or no small network keep their network.
func TestOthersKeepTheUsualNetwork(t *testing.T) {
	for what, c := range map[string]struct {
		supplied Supplied
		millis   float64
		change   func(s *kernel.Kernel, n *Network, wait func())
	}{
		"quick":         {Supplied{Offered: true}, 110, nil},
		"chosen":        {Supplied{Offered: true, Chosen: true}, 500, nil},
		"one network":   {Supplied{}, 500, nil},
		"several views": {Supplied{Offered: true}, 500, func(s *kernel.Kernel, n *Network, wait func()) { s.Setup.Choose(kernel.Balanced); wait() }},
		"a lost one": {Supplied{Offered: true}, 500, func(s *kernel.Kernel, n *Network, _ func()) {
			n.Ready(&fakeDevice{}, nil, kerneltest.Failure("damaged-weights", "no"))
			s.Notices.Dismiss(noticeNetwork)
		}},
		"their own": {Supplied{Offered: true}, 500, func(s *kernel.Kernel, n *Network, wait func()) { decide(t, n, wait); n.Use(); wait() }},
	} {
		t.Run(what, func(t *testing.T) {
			watchSlow(t, c.supplied, func(s *kernel.Kernel, n *Network, e *kerneltest.Engine, f *fakeDevice, watch func(float64), wait func()) {
				if c.change != nil {
					c.change(s, n, wait)
				}
				before := len(configured(e))
				watch(c.millis)
				if got := n.State().Supplied; got != c.supplied || len(configured(e)) != before || len(s.Notices.List()) != 0 {
					t.Errorf("%+v, %q and %v: want nothing to change", got, configured(e)[before:], kerneltest.Keys(s))
				}
			})
		})
	}
}

// A project of another network keeps it: the small one is only offered, once.
func TestASlowDeviceOffersTheSmallNetworkToAProjectOfAnother(t *testing.T) {
	watchSlow(t, Supplied{Offered: true}, func(s *kernel.Kernel, n *Network, e *kerneltest.Engine, f *fakeDevice, watch func(float64), wait func()) {
		taught(s, &kernel.Made{Name: "fake", Fingerprint: "now"})
		wait()
		kerneltest.Teach(s, e, wait)
		watch(250)
		said := s.Notices.List()
		if len(said) != 1 || said[0].Button != texts.In("en").Network.UseSmall || !strings.Contains(said[0].Title, "4.0") || !strings.Contains(said[0].Text, "fake") {
			t.Fatalf("it says %+v, want an offer", said)
		}
		if n.State().Supplied.Small || len(configured(e)) != 0 {
			t.Error("the network is another one already")
		}
		s.Notices.Dismiss(noticeNetwork)
		kerneltest.Rest(2 * paceBreak)
		watch(250)
		if len(s.Notices.List()) > 0 {
			t.Error("the offer is repeated")
		}
		n.UseSupplied(true)
		wait()
		if got := n.State().Supplied; !got.Small || len(s.Notices.List()) != 0 || !slices.Equal(f.calls, []string{"prefer small true"}) {
			t.Errorf("%+v, %v, %q: want the small network", got, kerneltest.Keys(s), f.calls)
		}
	})
}

// A project opens with the page's network that taught it, before its examples are restored. A notice
// offers the user's network, and the next project gets it back.
func TestAProjectOfThePagesOtherNetwork(t *testing.T) {
	for _, c := range []struct {
		small          bool // the user's choice
		made, supplied string
		button         string
	}{
		{false, network.ResNet12XS, kernel.Small, texts.In("en").Network.UseUsual},
		{true, network.ResNet12Photo, kernel.Usual, texts.In("en").Network.UseSmall},
		{true, network.ResNet12S, "former", texts.In("en").Network.UseSmall},
		{false, network.ResNet12S, "former", texts.In("en").Network.UseUsual},
	} {
		supplied := Supplied{Offered: true, Small: c.small}
		watchSlow(t, supplied, func(s *kernel.Kernel, n *Network, e *kerneltest.Engine, f *fakeDevice, watch func(float64), wait func()) {
			before := len(e.Calls())
			store := taughtStore(nil, "example-1")
			s.Project.StoreReady(store)
			open := func(made *kernel.Made) {
				store.File.Made = made
				s.Project.BringFile(kernel.File{Name: "taught.deepemd"}, "")
				wait()
			}
			made := &kernel.Made{Name: c.made, Fingerprint: "other", Supplied: c.supplied}
			open(made)
			calls := e.Calls()[before:]
			changed := slices.Index(calls, "configure fcn [] true")
			restored := slices.IndexFunc(calls, func(call string) bool { return strings.HasPrefix(call, "restore") })
			if state := n.State(); s.Setup.Weights().Supplied != c.supplied || !state.Project || state.Changing || changed < 0 || restored < changed {
				t.Errorf("of %s with %+v: %+v and %q, want its network before its examples", c.made, supplied, state, calls)
			}
			said := s.Notices.List()
			if len(said) != 1 || said[0].Button != c.button || !strings.Contains(said[0].Title, c.made) || !strings.Contains(said[0].Text, "opens with "+c.made) || !strings.Contains(said[0].Text, suppliedName(c.small)) {
				t.Errorf("of %s with %+v it says %+v, want the offer %q", c.made, supplied, said, c.button)
			}
			open(nil)
			if state := n.State(); state.Project || state.Supplied.Small != c.small || len(f.calls) > 0 {
				t.Errorf("the next project: %+v and %q, want the user's network", state, f.calls)
			}

			open(made)
			n.UseSupplied(c.small)
			wait()
			if state := n.State(); state.Project || state.Supplied.Small != c.small || len(s.Notices.List()) > 0 {
				t.Errorf("the user's choice: %+v and %v", state, kerneltest.Keys(s))
			}
		})
	}
}

// A project that opens before the engine is loaded is compared with the network that the engine starts
// with.
func TestAProjectBeforeTheEngine(t *testing.T) {
	for _, small := range []bool{false, true} {
		kerneltest.Bubble(t, func(t *testing.T) {
			s := kerneltest.New()
			n := New(s)
			taught(s, &kernel.Made{Name: network.ResNet12XS, Fingerprint: "other", Supplied: kernel.Small})
			synctest.Wait()
			n.Supply(Supplied{Offered: true, Small: small})
			n.Ready(&fakeDevice{}, nil, nil)
			s.EngineReady(&kerneltest.Engine{})
			synctest.Wait()
			if says := len(s.Notices.List()) > 0; says == small {
				t.Errorf("small %v: a notice about another network: %v", small, says)
			}
		})
	}
}

// If the network that taught a project cannot be loaded, the project opens with the network in use, and
// keeps its method.
func TestANetworkOfAProjectThatCannotBeHad(t *testing.T) {
	watchSlow(t, Supplied{Offered: true}, func(s *kernel.Kernel, n *Network, e *kerneltest.Engine, _ *fakeDevice, _ func(float64), wait func()) {
		e.Fail = func(call string) error {
			if strings.HasPrefix(call, "configure") && strings.HasSuffix(call, "true") {
				return kerneltest.Failure(kernel.CodeNetwork, "no")
			}
			return nil
		}
		store := taughtStore(&kernel.Made{Name: network.ResNet12XS, Fingerprint: "other", Supplied: kernel.Small}, "example-1")
		store.File.Method.Classifier = "nearest"
		s.Project.StoreReady(store)
		s.Project.BringFile(kernel.File{Name: "taught.deepemd"}, "")
		wait()
		if state := n.State(); state.Project || state.Supplied.Small || e.Follows().Classifier != "nearest" || !slices.Contains(e.Calls(), "restore class-1 example-1") {
			t.Errorf("%+v, %v and %q: want the usual network with the project's method", state, e.Follows(), e.Calls())
		}
		if said := s.Notices.List(); !slices.ContainsFunc(said, func(m kernel.Notice) bool { return m.Key == kernel.NoticeEngine }) {
			t.Errorf("it says %+v, want the reason", said)
		}
	})
}

// If the small network cannot be loaded, nothing changes, and it is not requested again.
func TestASmallNetworkThatCannotBeHad(t *testing.T) {
	watchSlow(t, Supplied{Offered: true}, func(s *kernel.Kernel, n *Network, e *kerneltest.Engine, f *fakeDevice, watch func(float64), wait func()) {
		e.Fail = func(call string) error {
			if strings.HasPrefix(call, "configure") {
				return kerneltest.Failure(kernel.CodeNetwork, "no")
			}
			return nil
		}
		watch(250)
		watch(250)
		if n.State().Supplied.Small || len(configured(e)) != 1 || len(f.calls) != 0 || len(s.Notices.List()) != 0 {
			t.Errorf("%+v, told %q, calls %q, notices %v: want one attempt, and all as before", n.State(), configured(e), f.calls, kerneltest.Keys(s))
		}
		n.UseSupplied(true)
		wait()
		if trial := n.State().Trial; trial == nil || trial.Stage != TrialRefused || trial.File != network.ResNet12XS {
			t.Errorf("%+v, want the reason, as the person has asked", trial)
		}
	})
}
