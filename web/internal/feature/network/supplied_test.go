package network

import (
	"slices"
	"strings"
	"testing"
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
		"their own":     {Supplied{Offered: true}, 500, func(s *kernel.Kernel, n *Network, wait func()) { decide(t, n, wait); n.Use(); wait() }},
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
		n.UseSupplied(true)
		wait()
		if got := n.State().Supplied; !got.Small || len(s.Notices.List()) != 0 || !slices.Equal(f.calls, []string{"prefer small true"}) {
			t.Errorf("%+v, %v, %q: want the small network", got, kerneltest.Keys(s), f.calls)
		}
	})
}

// A project that the page's other network has trained offers that network.
func TestAProjectOfThePagesOtherNetwork(t *testing.T) {
	for _, c := range []struct {
		supplied Supplied
		made     string
		want     string
	}{
		{Supplied{Offered: true}, network.ResNet12XS, texts.In("en").Network.UseSmall},
		{Supplied{Offered: true, Small: true}, network.ResNet12S, texts.In("en").Network.UseUsual},
		{Supplied{Offered: true}, "mine", ""},
		{Supplied{}, network.ResNet12XS, ""},
	} {
		watchSlow(t, c.supplied, func(s *kernel.Kernel, n *Network, e *kerneltest.Engine, f *fakeDevice, watch func(float64), wait func()) {
			taught(s, &kernel.Made{Name: c.made, Fingerprint: "other"})
			wait()
			said := s.Notices.List()
			if len(said) != 1 || said[0].Button != c.want || !strings.Contains(said[0].Title, c.made) {
				t.Errorf("of %s with %+v it says %+v, want the offer %q", c.made, c.supplied, said, c.want)
			}
		})
	}
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
