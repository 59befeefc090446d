package network

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/kerneltest"
)

// fakeDevice keeps one network, and returns prepared results.
type fakeDevice struct {
	mu        sync.Mutex
	calls     []string
	measuring chan struct{} // Measure waits for it; optional
	fail      map[string]error
	kept      string
}

// did records a call.
func (f *fakeDevice) did(call string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls = append(f.calls, call)
}

func (f *fakeDevice) ReadNetwork(file kernel.File, progress func(done, all int)) (kernel.OwnNetwork, error) {
	f.did("read " + file.Name)
	progress(1, 2)
	return kernel.OwnNetwork{Name: file.Name, Arch: "vit", Bytes: 100, File: file.Source}, f.fail["read"]
}

func (f *fakeDevice) Measure(own *kernel.OwnNetwork, _ method.Method, progress func(share float64), stop <-chan struct{}) (Measured, error) {
	name := "page"
	if own != nil {
		name = strings.TrimSuffix(own.Name, ".safetensors")
	}
	f.did("measure " + name)
	progress(0.5)
	if f.measuring != nil {
		select {
		case <-f.measuring:
		case <-stop:
			f.did("stopped")
			return Measured{}, kerneltest.Failure(kernel.CodeStopped, "stopped")
		}
	}
	return Measured{Name: name, PerSecond: 8}, f.fail["measure "+name]
}

func (f *fakeDevice) KeepNetwork(own kernel.OwnNetwork, progress func(done, all int)) error {
	f.did("keep " + own.Name)
	progress(50, 100)
	if err := f.fail["keep"]; err != nil {
		return err
	}
	f.kept = own.Name
	return nil
}

func (f *fakeDevice) Prefer(small bool) {
	f.did(fmt.Sprintf("prefer small %v", small))
}

func (f *fakeDevice) ForgetNetwork() error {
	f.did("forget")
	f.kept = ""
	return f.fail["forget"]
}

// run runs a test of the feature.
func run(t *testing.T, test func(t *testing.T, s *kernel.Kernel, n *Network, e *kerneltest.Engine, c *kerneltest.Camera, wait func())) {
	kerneltest.Run(t, func(t *testing.T, s *kernel.Kernel, e *kerneltest.Engine, c *kerneltest.Camera, wait func()) {
		test(t, s, New(s), e, c, wait)
	})
}

// decide starts a trial, up to the user's decision.
func decide(t *testing.T, n *Network, wait func()) {
	t.Helper()
	n.Choose(kernel.File{Name: "mine.safetensors", Source: "content"})
	wait()
	if trial := n.State().Trial; trial == nil || trial.Stage != TrialDeciding {
		t.Fatalf("the trial is %+v, want the figures", trial)
	}
}

// A network is read and measured, and nothing changes until the user decides; then the device keeps
// it until it is removed.
func TestANetworkIsMeasuredUsedKeptAndRemoved(t *testing.T) {
	run(t, func(t *testing.T, s *kernel.Kernel, n *Network, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		f := &fakeDevice{}
		n.Ready(f, nil, nil)
		wait()
		before := len(e.Calls())
		decide(t, n, wait)
		state := n.State()
		if state.Trial.Own.Name != "mine" || state.Trial.Present.Name != "page" || state.Own != nil || len(e.Calls()) != before {
			t.Errorf("%+v and the engine was told %q: want both measured and nothing else", state.Trial, e.Calls()[before:])
		}
		n.Use()
		wait()
		if got := e.Calls(); !slices.Contains(got, "configure fcn [] true") {
			t.Errorf("the engine was told %q, want another network", got)
		}
		if state := n.State(); state.Own == nil || state.Own.Name != "mine" || state.Own.File != nil || !state.Kept || state.Trial != nil || state.Keeping != nil || state.Changing {
			t.Errorf("%+v, want it used and kept, and its content let go of", state)
		}
		n.Remove()
		wait()
		if state := n.State(); state.Own != nil || state.Kept || f.kept != "" {
			t.Errorf("%+v, %q is kept: want the page's network", state, f.kept)
		}
		want := []string{"read mine.safetensors", "measure mine", "measure page", "keep mine", "forget"}
		if !slices.Equal(f.calls, want) || len(s.Notices.List()) != 0 {
			t.Errorf("calls %q and notices %v, want %q", f.calls, kerneltest.Keys(s), want)
		}
	})
}

// A file that is chosen while the engine loads is read once the engine is ready.
func TestANetworkIsChosenWhileTheEngineLoads(t *testing.T) {
	kerneltest.Bubble(t, func(t *testing.T) {
		s, f := kerneltest.New(), &fakeDevice{}
		n := New(s)
		n.Choose(kernel.File{Name: "mine.safetensors", Source: "content"})
		synctest.Wait()
		if trial := n.State().Trial; trial == nil || trial.Stage != TrialReading || len(f.calls) > 0 {
			t.Errorf("the trial is %+v after %q, want it to wait", trial, f.calls)
		}
		n.Ready(f, nil, nil)
		s.EngineReady(&kerneltest.Engine{})
		synctest.Wait()
		if trial := n.State().Trial; trial == nil || trial.Stage != TrialDeciding {
			t.Errorf("the trial is %+v, want the figures", trial)
		}
	})
}

// Nothing changes when a file is refused or a trial is canceled.
func TestANetworkIsRefusedOrCalledOff(t *testing.T) {
	run(t, func(t *testing.T, s *kernel.Kernel, n *Network, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		f := &fakeDevice{fail: map[string]error{}}
		n.Ready(f, nil, nil)
		wait()
		before := len(e.Calls())
		for call, code := range map[string]string{"read": "cut-weights", "measure mine": "bad-weights"} {
			f.fail = map[string]error{call: kerneltest.Failure(code, "no")}
			n.Choose(kernel.File{Name: "mine.safetensors", Source: "content"})
			wait()
			if trial := n.State().Trial; trial == nil || trial.Stage != TrialRefused || kernel.CodeOf(trial.Err) != code {
				t.Errorf("%s fails, and the trial is %+v", call, trial)
			}
			n.Use()
			wait()
		}
		f.fail = nil
		f.measuring = make(chan struct{})
		n.Choose(kernel.File{Name: "mine.safetensors", Source: "content"})
		wait()
		if trial := n.State().Trial; trial.Stage != TrialMeasuring || trial.Progress != 0.25 {
			t.Errorf("%+v, want it half through the first of two", trial)
		}
		n.Choose(kernel.File{Name: "mine.safetensors", Source: "content"}) // instead of the first
		wait()
		n.Cancel()
		wait()
		if slices.Sort(f.calls); !slices.Equal(f.calls[len(f.calls)-2:], []string{"stopped", "stopped"}) {
			t.Errorf("calls %q, want both measurements stopped", f.calls)
		}
		f.measuring = nil
		decide(t, n, wait)
		n.Cancel()
		wait()
		if state := n.State(); state != (State{}) || len(e.Calls()) != before || slices.Contains(f.calls, "keep mine") {
			t.Errorf("%+v, %q and %q: want all as before", state, e.Calls()[before:], f.calls)
		}
	})
}

// If the device cannot keep the network, it is still used, and a notice says until when.
func TestANetworkThatCannotBeKeptIsUsed(t *testing.T) {
	run(t, func(t *testing.T, s *kernel.Kernel, n *Network, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		f := &fakeDevice{fail: map[string]error{"keep": kerneltest.Failure(kernel.CodeFull, "full"), "forget": kerneltest.Failure(kernel.CodeNoStore, "none")}}
		n.Ready(f, nil, nil)
		decide(t, n, wait)
		n.Use()
		wait()
		if state := n.State(); state.Own == nil || state.Kept || !slices.Equal(kerneltest.Keys(s), []string{"network"}) {
			t.Errorf("%+v and notices %v, want it used, not kept, and said", state, kerneltest.Keys(s))
		}
		n.Remove()
		wait()
		if state := n.State(); state.Own != nil || len(s.Notices.List()) != 0 {
			t.Errorf("%+v and notices %+v, want the page's network and nothing to say", state, s.Notices.List())
		}
	})
}

// A kept network that does not start is reported, and can be removed.
func TestAKeptNetworkThatDoesNotStart(t *testing.T) {
	run(t, func(t *testing.T, s *kernel.Kernel, n *Network, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		f := &fakeDevice{kept: "mine"}
		n.Ready(f, nil, kerneltest.Failure("damaged-weights", "its part 1 is missing"))
		if state := n.State(); !state.Unused || !slices.Equal(kerneltest.Keys(s), []string{"network"}) {
			t.Errorf("%+v and notices %v", state, kerneltest.Keys(s))
		}
		wait()
		before := len(e.Calls())
		f.fail = map[string]error{"forget": kerneltest.Failure(kernel.CodeFull, "full")}
		n.Remove()
		wait()
		if state := n.State(); !state.Unused || !slices.Equal(kerneltest.Keys(s), []string{"network"}) {
			t.Errorf("%+v and notices %v, want it still there", state, kerneltest.Keys(s))
		}
		f.fail = nil
		n.Remove()
		wait()
		if state := n.State(); state.Unused || f.kept != "" || len(e.Calls()) != before {
			t.Errorf("%+v, %q is kept, and the engine was told %q", state, f.kept, e.Calls()[before:])
		}
		n.Ready(f, nil, kerneltest.Failure("damaged-weights", "its part 1 is missing"))
		decide(t, n, wait)
		n.Use()
		wait()
		if state := n.State(); state.Unused || !state.Kept {
			t.Errorf("%+v, want another network kept", state)
		}
	})
}

// Another change ends the trial. The page's networks do not replace the user's.
func TestOtherChangesDuringATrial(t *testing.T) {
	run(t, func(t *testing.T, s *kernel.Kernel, n *Network, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		n.Supply(Supplied{Offered: true})
		n.Ready(&fakeDevice{}, nil, nil)
		for _, small := range []bool{true, true, false} {
			decide(t, n, wait)
			n.UseSupplied(small)
			wait()
			if state := n.State(); state.Trial != nil || state.Supplied.Small != small {
				t.Errorf("small %v: %+v", small, state)
			}
		}
		if calls := configured(e); len(calls) != 2 {
			t.Errorf("the engine was told %q, want two changes", calls)
		}
		decide(t, n, wait)
		n.Use()
		wait()
		n.UseSupplied(true)
		wait()
		if state := n.State(); state.Own == nil || state.Supplied.Small {
			t.Errorf("%+v, want the user's network", state)
		}
		decide(t, n, wait)
		n.Remove()
		wait()
		if state := n.State(); state.Own != nil || state.Trial != nil {
			t.Errorf("%+v, want the page's network", state)
		}
	})
}

// If the engine refuses a network, or the user stops the embedding, the previous network stays.
func TestAChangeOfNetworkThatFails(t *testing.T) {
	run(t, func(t *testing.T, s *kernel.Kernel, n *Network, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		f := &fakeDevice{}
		n.Ready(f, nil, nil)
		decide(t, n, wait)
		e.Fail = func(call string) error {
			if call == "configure fcn [] true" {
				return kerneltest.Failure(kernel.CodeOutOfMemory, "no")
			}
			return nil
		}
		n.Use()
		wait()
		if state := n.State(); state.Own != nil || state.Trial == nil || state.Trial.Stage != TrialRefused || f.kept != "" {
			t.Errorf("%+v, want the refusal", state)
		}
		e.Fail, e.Configuring = nil, make(chan struct{})
		decide(t, n, wait)
		n.Use()
		wait()
		if !n.State().Changing {
			t.Error("nothing is under way")
		}
		s.Setup.Stop()
		wait()
		if state := n.State(); state != (State{}) || f.kept != "" {
			t.Errorf("%+v, want all as before", state)
		}
	})
}

// Changes of network and method do not revert each other, in any order.
func TestNetworkAndSetupWaitForEachOther(t *testing.T) {
	run(t, func(t *testing.T, s *kernel.Kernel, n *Network, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
		n.Ready(&fakeDevice{}, nil, nil)
		e.Configuring = make(chan struct{})
		s.Setup.Choose(kernel.Balanced)
		wait()
		decide(t, n, wait)
		n.Use()
		wait()
		s.Setup.Choose(kernel.Fast) // replaces the method, not the network
		wait()
		s.Setup.Choose(kernel.Balanced)
		wait()
		close(e.Configuring)
		wait()
		if state := n.State(); kernel.ModeOf(e.Follows()) != kernel.Balanced || state.Own == nil {
			t.Errorf("the engine follows %v with %+v, want the setup and the network that were chosen", e.Follows(), state.Own)
		}
	})
}

// A notice names the network that trained a project's file, if it matters.
func TestProjectsOfAnotherNetwork(t *testing.T) {
	for _, c := range []struct {
		made *kernel.Made
		own  *kernel.OwnNetwork
		says bool
	}{
		{nil, nil, false},
		{&kernel.Made{Name: "mine"}, nil, false},
		{&kernel.Made{Name: "mine", Fingerprint: "m"}, nil, true},
		{&kernel.Made{Name: "fake", Fingerprint: "other"}, nil, false}, // another version of the page's network
		{&kernel.Made{Name: "fake", Fingerprint: "other"}, &kernel.OwnNetwork{Name: "fake"}, true},
		{&kernel.Made{Name: "mine", Fingerprint: "now"}, nil, false},
	} {
		run(t, func(t *testing.T, s *kernel.Kernel, n *Network, e *kerneltest.Engine, _ *kerneltest.Camera, wait func()) {
			n.Ready(&fakeDevice{}, c.own, nil)
			taught(s, c.made)
			wait()
			if got := len(s.Notices.List()) > 0; got != c.says {
				t.Errorf("%+v: it says so: %v, want %v", c.made, got, c.says)
			}
		})
	}
}

// taught opens a project file that a network has trained.
func taught(s *kernel.Kernel, made *kernel.Made) {
	s.Project.StoreReady(taughtStore(made))
	s.Project.BringFile(kernel.File{Name: "taught.deepemd"}, "")
}

// taughtStore returns a store with a project file.
func taughtStore(made *kernel.Made, examples ...string) *kerneltest.Store {
	class := project.Class{ID: "class-1", Label: "cup"}
	for _, id := range examples {
		class.Examples = append(class.Examples, project.Example{ID: id})
	}
	store := kerneltest.NewStore()
	store.File = kernel.Document{Made: made, Manifest: project.Manifest{Kind: project.KindImage, Name: "taught", Method: method.Default(), Classes: []project.Class{class}}}
	return store
}
