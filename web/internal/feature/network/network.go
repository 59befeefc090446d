// Package network is the feature that chooses the network: the page's, its small one for slow
// devices, or the user's own, which is measured first and kept on the device.
package network

import (
	"sync"

	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// Device reads, measures and keeps networks. Its calls block; their errors are of type
// [kernel.Error].
type Device interface {
	// ReadNetwork reads a file. The network stays usable if the file is moved or changed later.
	// Progress is in bytes.
	ReadNetwork(file kernel.File, progress func(done, all int)) (kernel.OwnNetwork, error)
	// Measure measures a network with generated images, while the network in use keeps running; own
	// is nil for the latter. It returns an error of CodeStopped once stop is closed.
	Measure(own *kernel.OwnNetwork, m method.Method, progress func(share float64), stop <-chan struct{}) (Measured, error)
	// KeepNetwork replaces the network that the device keeps, all or nothing. Progress is in bytes.
	KeepNetwork(own kernel.OwnNetwork, progress func(done, all int)) error
	// ForgetNetwork removes the network that the device keeps.
	ForgetNetwork() error
	// Prefer remembers which of the page's networks to start with.
	Prefer(small bool)
}

// Measured describes a network and its speed on this device.
type Measured struct {
	Name      string
	Arch      string
	Bytes     int
	Nodes     int     // local embeddings of an image
	Pixels    int     // side of the square input
	PerSecond float64 // answers
}

// TrialStage is the stage of a network that the user considers.
type TrialStage int

// The stages of a trial.
const (
	TrialReading TrialStage = iota
	TrialMeasuring
	TrialDeciding // measured: the user decides
	TrialRefused
)

// Trial is a network that the user has chosen and does not use yet.
type Trial struct {
	File     string // its name
	Stage    TrialStage
	Progress float64  // of reading or measuring, 0 to 1
	Own      Measured // like Present, known since TrialDeciding
	Present  Measured
	Err      error // of TrialRefused
}

// State is the network in use, and the network on trial.
type State struct {
	Supplied Supplied
	Own      *kernel.OwnNetwork // in use; nil for one of the page's
	Project  bool               // in use because it taught the open project
	Kept     bool               // the device keeps Own
	Unused   bool               // the device keeps a network that could not start in this visit
	Changing bool               // the examples are embedded again, for another network
	Keeping  *kernel.Progress   // in bytes, while the device saves Own
	Trial    *Trial
}

// Network chooses the network. It reads and measures a file before the user decides. The
// device keeps a network in use until the user removes it.
type Network struct {
	kernel.Part
	seen kernel.Revisions

	turn sync.Mutex // one change after the other; held for long, and before any other lock

	device Device             // nil until the engine is loaded
	state  State              // without Own, Project and Supplied.Small, which the kernel has
	chosen *kernel.OwnNetwork // of a measured trial; or nil
	stop   chan struct{}      // closed to end the trial; identifies it

	pace   rateMeter
	before float64 // answers a second before the small network took over; 0 once its own rate is known
}

// New returns the network of a kernel.
func New(k *kernel.Kernel) *Network {
	n := &Network{K: k}
	k.BeforeEngine(n.connect)
	k.Follow(n.follow)
	return n
}

// follow reacts to another project, and measures the time of answers.
func (n *Network) follow() {
	news := n.News(&n.seen)
	if news.Project > 0 {
		n.compare(n.K.Project.Made())
	}
	if live := n.K.Live.State(); news.Answer > 0 && !live.Still {
		n.answered(live.Answer.MS)
	}
}

// State returns the network in use, and the network on trial.
func (n *Network) State() State {
	weights, chosen := n.K.Setup.Weights(), n.K.Setup.Chosen()
	n.Lock()
	defer n.Unlock()
	state := n.state
	state.Own, state.Supplied.Small, state.Project = weights.Own, weights.Small(), weights.Supplied != chosen.Supplied
	if state.Trial != nil {
		state.Trial = new(*state.Trial)
	}
	return state
}

// Ready sets the device, before the engine is connected. own is the kept network that the
// engine was started with; nil for the page's. unused is the reason why the kept network did
// not start.
func (n *Network) Ready(device Device, own *kernel.OwnNetwork, unused error) {
	n.K.Setup.SetWeights(kernel.Weights{Own: own, Supplied: n.K.Setup.Chosen().Supplied})
	n.Update(func() {
		n.device = device
		n.state.Kept, n.state.Unused = own != nil, unused != nil
	})
	if unused != nil {
		n.K.Notices.Post(kernel.Warn(noticeNetwork, unused, func(t *texts.Texts) (title, text string) {
			return t.Network.Unused, kernel.Paragraph(reason(t, unused), t.Network.UnusedRemedy)
		}))
	}
}

// Choose reads and measures the network in a file, instead of the network on trial, once the
// engine is ready.
func (n *Network) Choose(file kernel.File) {
	n.Cancel()
	stop := make(chan struct{})
	n.Update(func() { n.stop, n.state.Trial = stop, &Trial{File: file.Name} })
	go n.measure(file, stop)
}

// measure reads a network, then measures it and the network in use.
func (n *Network) measure(file kernel.File, stop chan struct{}) {
	n.K.Engine.Wait()
	device := kernel.Get(&n.Part, &n.device)
	report := func(change func(*Trial)) {
		n.Update(func() {
			if n.stop == stop {
				change(n.state.Trial)
			}
		})
	}
	own, err := device.ReadNetwork(file, func(done, all int) {
		report(func(t *Trial) { t.Progress = float64(done) / float64(max(all, 1)) })
	})
	var found [2]Measured
	for i, network := range []*kernel.OwnNetwork{&own, nil} {
		if err != nil {
			break
		}
		half := func(share float64) {
			report(func(t *Trial) { t.Stage, t.Progress = TrialMeasuring, (float64(i)+share)/2 })
		}
		half(0)
		found[i], err = device.Measure(network, n.K.Setup.Method(), half, stop)
	}
	report(func(t *Trial) {
		if err != nil {
			t.Stage, t.Err = TrialRefused, err
			return
		}
		t.Stage, t.Own, t.Present = TrialDeciding, found[0], found[1]
		own.Name = found[0].Name
		n.chosen = &own
	})
}

// Cancel ends the trial.
func (n *Network) Cancel() {
	n.Update(func() {
		if n.stop != nil {
			close(n.stop)
		}
		n.stop, n.state.Trial, n.chosen = nil, nil, nil
	})
}

// Use starts to use the network on trial, and keeps it on the device. The previous network
// answers until all examples are embedded again.
func (n *Network) Use() {
	own := kernel.Get(&n.Part, &n.chosen)
	n.Cancel()
	if own != nil {
		go n.use(*own)
	}
}

func (n *Network) use(own kernel.OwnNetwork) {
	n.turn.Lock()
	defer n.turn.Unlock()
	if !n.change(own.Name, new(own)) {
		return
	}
	n.Update(func() { n.state.Keeping = &kernel.Progress{All: own.Bytes} })
	err := n.device.KeepNetwork(own, func(done, all int) {
		n.Update(func() { n.state.Keeping = &kernel.Progress{Done: done, All: all} })
	})
	if err == nil {
		own.File = nil
		n.K.Setup.SetWeights(kernel.Weights{Own: &own, Supplied: n.K.Setup.Chosen().Supplied})
	}
	n.Update(func() {
		n.state.Keeping = nil
		if err == nil {
			n.state.Kept, n.state.Unused = true, false
		}
	})
	if err != nil {
		n.K.Notices.Post(kernel.Warn(noticeNetwork, err, func(t *texts.Texts) (title, text string) {
			return t.Network.NotKept(own.Name), kernel.Paragraph(reason(t, err), t.Network.NotKeptText)
		}))
	}
}

// change changes to the user's network, or with nil to the page's, and reports whether the
// engine runs it. If the engine refuses it, the trial fails.
func (n *Network) change(name string, own *kernel.OwnNetwork) bool {
	n.Update(func() { n.state.Changing = true })
	err := n.K.Setup.ChangeNetwork(kernel.Weights{Own: own, Supplied: n.K.Setup.Chosen().Supplied})
	n.Update(func() {
		n.state.Changing = false
		switch {
		case err == nil:
			n.state.Kept = false
		case kernel.CodeOf(err) != kernel.CodeStopped && n.state.Trial == nil:
			n.state.Trial = &Trial{File: name, Stage: TrialRefused, Err: err}
		}
	})
	return err == nil
}

// Remove changes back to the page's network, and removes the user's own from the device.
func (n *Network) Remove() {
	n.Cancel()
	n.K.Notices.Dismiss(noticeNetwork)
	go func() {
		n.turn.Lock()
		defer n.turn.Unlock()
		if own := n.State().Own; own != nil && !n.change(own.Name, nil) {
			return
		}
		err := n.device.ForgetNetwork()
		n.Update(func() { n.state.Unused = err != nil && n.state.Unused })
		if err != nil && kernel.CodeOf(err) != kernel.CodeNoStore { // without a store nothing is kept
			n.K.Notices.Post(kernel.Warn(noticeNetwork, err, func(t *texts.Texts) (title, text string) { return t.Network.NotRemoved, reason(t, err) }))
		}
	}()
}

// compare posts a notice if a project was trained with another network. If the page has that
// network, the project opens with it, and the notice offers the user's choice. Otherwise its
// examples are embedded again, and answers may differ. It does not report another version of
// the page's network, which the user cannot get.
func (n *Network) compare(made *kernel.Made) {
	if made == nil || made.Fingerprint == "" {
		return
	}
	go func() {
		now, chosen := n.K.Engine.Wait().Info(), n.K.Setup.Chosen() // known once the engine is ready
		switch {
		case n.K.Project.Made() != made:
		case made.Supplied != "" && chosen.Own == nil:
			if made.Supplied != chosen.Supplied {
				n.K.Notices.Post(otherNetwork(made.Name, suppliedName(chosen.Small()), n.offer(chosen.Small())))
			}
		case made.Fingerprint != now.Fingerprint && (made.Name != now.Network || chosen.Own != nil):
			n.K.Notices.Post(otherNetwork(made.Name, now.Network, nil))
		}
	}()
}
