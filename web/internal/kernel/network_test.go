package kernel_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/project"
	. "github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/kerneltest"
)

// fakeNetworks keeps one network, and measures as it is told to.
type fakeNetworks struct {
	calls     []string
	measuring chan struct{} // when set, measuring waits for it
	fail      map[string]error
	kept      string
}

func (f *fakeNetworks) ReadNetwork(file File, progress func(done, all int)) (OwnNetwork, error) {
	f.calls = append(f.calls, "read "+file.Name)
	progress(1, 2)
	return OwnNetwork{Name: "mine", Arch: "vit", Bytes: 100, File: file.Source}, f.fail["read"]
}

func (f *fakeNetworks) Measure(own *OwnNetwork, _ method.Method, progress func(share float64), stop <-chan struct{}) (Measured, error) {
	name := "page"
	if own != nil {
		name = own.Name
	}
	f.calls = append(f.calls, "measure "+name)
	progress(0.5)
	if f.measuring != nil {
		select {
		case <-f.measuring:
		case <-stop:
			return Measured{}, kerneltest.Failure(CodeStopped, "stopped")
		}
	}
	return Measured{Name: name, PerSecond: 8}, f.fail["measure "+name]
}

func (f *fakeNetworks) KeepNetwork(own OwnNetwork, progress func(done, all int)) error {
	f.calls = append(f.calls, "keep "+own.Name)
	progress(50, 100)
	if err := f.fail["keep"]; err != nil {
		return err
	}
	f.kept = own.Name
	return nil
}

func (f *fakeNetworks) Prefer(small bool) {
	f.calls = append(f.calls, fmt.Sprintf("prefer small %v", small))
}

func (f *fakeNetworks) ForgetNetwork() error {
	f.calls = append(f.calls, "forget")
	f.kept = ""
	return f.fail["forget"]
}

// decide brings a network to where the person decides.
func decide(t *testing.T, s *Kernel, wait func()) {
	t.Helper()
	s.Network.Choose(File{"mine.safetensors", "content"})
	wait()
	if trial := s.Network.State().Trial; trial == nil || trial.Stage != TrialDeciding {
		t.Fatalf("the trial is %+v, want the figures", trial)
	}
}

// A network is read and measured beside the one in use, and nothing changes before the
// person decides; then it is kept, until it is removed.
func TestANetworkIsMeasuredUsedKeptAndRemoved(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		f := &fakeNetworks{}
		s.Network.Ready(f, nil, nil)
		wait()
		before := len(e.Told())
		decide(t, s, wait)
		state := s.Network.State()
		if state.Trial.Own.Name != "mine" || state.Trial.Present.Name != "page" || state.Own != nil || len(e.Told()) != before {
			t.Errorf("%+v and the engine was told %q: want both measured and nothing else", state.Trial, e.Told()[before:])
		}
		s.Network.Use()
		wait()
		if got := e.Told(); !slices.Contains(got, "configure fcn [] true") {
			t.Errorf("the engine was told %q, want another network", got)
		}
		if state := s.Network.State(); state.Own == nil || state.Own.Name != "mine" || state.Own.File != nil || !state.Kept || state.Trial != nil || state.Keeping != nil || state.Changing {
			t.Errorf("%+v, want it used and kept, and its content let go of", state)
		}
		s.Network.Remove()
		wait()
		if state := s.Network.State(); state.Own != nil || state.Kept || f.kept != "" {
			t.Errorf("%+v, %q is kept: want the page's network", state, f.kept)
		}
		want := []string{"read mine.safetensors", "measure mine", "measure page", "keep mine", "forget"}
		if !slices.Equal(f.calls, want) || len(s.Notices.List()) != 0 {
			t.Errorf("calls %q and notices %v, want %q", f.calls, kerneltest.Keys(s), want)
		}
	})
}

// What was there stays when a file is refused or a trial is called off.
func TestANetworkIsRefusedOrCalledOff(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		f := &fakeNetworks{fail: map[string]error{}}
		s.Network.Ready(f, nil, nil)
		wait()
		before := len(e.Told())
		for call, code := range map[string]string{"read": CodeCutWeights, "measure mine": CodeBadWeights} {
			f.fail = map[string]error{call: kerneltest.Failure(code, "no")}
			s.Network.Choose(File{"mine.safetensors", "content"})
			wait()
			if trial := s.Network.State().Trial; trial == nil || trial.Stage != TrialRefused || CodeOf(trial.Err) != code {
				t.Errorf("%s fails, and the trial is %+v", call, trial)
			}
			s.Network.Use() // which there is not
			wait()
		}
		f.fail = nil
		f.measuring = make(chan struct{})
		s.Network.Choose(File{"mine.safetensors", "content"})
		wait()
		if trial := s.Network.State().Trial; trial.Stage != TrialMeasuring || trial.Progress != 0.25 {
			t.Errorf("%+v, want it half through the first of two", trial)
		}
		s.Network.Cancel()
		wait()
		f.measuring = nil
		decide(t, s, wait)
		s.Network.Cancel()
		wait()
		if state := s.Network.State(); state != (NetworkState{}) || len(e.Told()) != before || slices.Contains(f.calls, "keep mine") {
			t.Errorf("%+v, %q and %q: want all as before", state, e.Told()[before:], f.calls)
		}
	})
}

// A device that keeps nothing uses the network all the same, and says until when.
func TestANetworkThatCannotBeKeptIsUsed(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		f := &fakeNetworks{fail: map[string]error{"keep": kerneltest.Failure(CodeFull, "full"), "forget": kerneltest.Failure(CodeNoStore, "none")}}
		s.Network.Ready(f, nil, nil)
		decide(t, s, wait)
		s.Network.Use()
		wait()
		if state := s.Network.State(); state.Own == nil || state.Kept || !slices.Equal(kerneltest.Keys(s), []string{"network"}) {
			t.Errorf("%+v and notices %v, want it used, not kept, and said", state, kerneltest.Keys(s))
		}
		s.Network.Remove()
		wait()
		if state := s.Network.State(); state.Own != nil || len(s.Notices.List()) != 0 {
			t.Errorf("%+v and notices %+v, want the page's network and nothing to say", state, s.Notices.List())
		}
	})
}

// A kept network that does not start is said to be unused, and can be removed.
func TestAKeptNetworkThatDoesNotStart(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		f := &fakeNetworks{kept: "mine"}
		s.Network.Ready(f, nil, kerneltest.Failure(CodeDamagedWeights, "its part 1 is missing"))
		if state := s.Network.State(); !state.Unused || !slices.Equal(kerneltest.Keys(s), []string{"network"}) {
			t.Errorf("%+v and notices %v", state, kerneltest.Keys(s))
		}
		wait()
		before := len(e.Told())
		s.Network.Remove()
		wait()
		if state := s.Network.State(); state.Unused || f.kept != "" || len(e.Told()) != before {
			t.Errorf("%+v, %q is kept, and the engine was told %q", state, f.kept, e.Told()[before:])
		}
	})
}

// A network that the engine refuses, or whose examples the person does not wait for,
// leaves the one before.
func TestAChangeOfNetworkThatFails(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		f := &fakeNetworks{}
		s.Network.Ready(f, nil, nil)
		decide(t, s, wait)
		e.Fail = func(call string) error {
			if call == "configure fcn [] true" {
				return kerneltest.Failure(CodeOutOfMemory, "no")
			}
			return nil
		}
		s.Network.Use()
		wait()
		if state := s.Network.State(); state.Own != nil || state.Trial == nil || state.Trial.Stage != TrialRefused || f.kept != "" {
			t.Errorf("%+v, want the refusal", state)
		}
		e.Fail, e.Configuring = nil, make(chan struct{})
		decide(t, s, wait)
		s.Network.Use()
		wait()
		if !s.Network.State().Changing {
			t.Error("nothing is under way")
		}
		s.Setup.Stop()
		wait()
		if state := s.Network.State(); state != (NetworkState{}) || f.kept != "" {
			t.Errorf("%+v, want all as before", state)
		}
	})
}

// Another network and another setup, whichever comes first, do not take each other back.
func TestNetworkAndSetupWaitForEachOther(t *testing.T) {
	kerneltest.Run(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		s.Network.Ready(&fakeNetworks{}, nil, nil)
		e.Configuring = make(chan struct{})
		s.Setup.Choose(Balanced)
		wait()
		decide(t, s, wait)
		s.Network.Use()
		wait()
		s.Setup.Choose(Fast) // which takes the place of the setup, not of the network
		wait()
		s.Setup.Choose(Balanced)
		wait()
		close(e.Configuring)
		wait()
		if state := s.Network.State(); ModeOf(e.Follows()) != Balanced || state.Own == nil {
			t.Errorf("the engine follows %v with %+v, want the setup and the network that were chosen", e.Follows(), state.Own)
		}
	})
}

// The page says with which network a project of a file was taught, where that matters.
func TestProjectsOfAnotherNetwork(t *testing.T) {
	for _, c := range []struct {
		made *Made
		own  *OwnNetwork
		says bool
	}{
		{nil, nil, false},
		{&Made{Name: "mine"}, nil, false},
		{&Made{Name: "mine", Fingerprint: "m"}, nil, true},
		{&Made{Name: "fake", Fingerprint: "other"}, nil, false}, // the page's of another version
		{&Made{Name: "fake", Fingerprint: "other"}, &OwnNetwork{Name: "fake"}, true},
		{&Made{Name: "mine", Fingerprint: "now"}, nil, false},
	} {
		kerneltest.Run(t, func(t *testing.T, s *Kernel, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
			s.Network.Ready(&fakeNetworks{}, c.own, nil)
			taught(s, c.made)
			wait()
			if got := len(s.Notices.List()) > 0; got != c.says {
				t.Errorf("%+v: it says so: %v, want %v", c.made, got, c.says)
			}
		})
	}
}

// taught has a project open that a file brought, which was taught with a network.
func taught(s *Kernel, made *Made) {
	store := kerneltest.NewStore()
	store.File = Document{Made: made, Manifest: project.Manifest{Kind: project.KindImage, Name: "taught", Method: method.Default(), Classes: []project.Class{{ID: "class-1", Label: "cup"}}}}
	s.Project.StoreReady(store)
	s.Project.OpenFile(File{Name: "taught.deepemd"})
}
