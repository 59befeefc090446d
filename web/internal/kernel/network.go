package kernel

import (
	"sync"

	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// Networks reads, measures and keeps networks of a person's own. Its calls block; their
// errors are of type *Error, with one of the codes for networks or for projects.
type Networks interface {
	// ReadNetwork reads a file, which may be moved or changed from then on. Progress is
	// in bytes.
	ReadNetwork(file File, progress func(done, all int)) (OwnNetwork, error)
	// Measure has a network, for nil the one in use, answer made-up pictures beside the
	// one in use, and lets go of it again. When stop is closed it is an error of
	// CodeStopped.
	Measure(own *OwnNetwork, m method.Method, progress func(share float64), stop <-chan struct{}) (Measured, error)
	// KeepNetwork keeps a network on the device, in place of the one that was kept: all
	// of it or nothing. Progress is in bytes.
	KeepNetwork(own OwnNetwork, progress func(done, all int)) error
	// Prefer keeps on the device which of the page's networks it is to use from now on.
	Prefer(small bool)
	// ForgetNetwork removes the network that is kept.
	ForgetNetwork() error
}

// Codes of errors about files of networks, besides the engine's CodeBadWeights.
const (
	CodeBadWeights     = "bad-weights"     // a file that holds no network that runs here
	CodeCutWeights     = "cut-weights"     // a file whose end is missing
	CodeUnreadable     = "unreadable"      // a file that was moved or changed
	CodeDamagedWeights = "damaged-weights" // what the browser kept is not whole
)

// OwnNetwork is a network of the person's own.
type OwnNetwork struct {
	Name  string
	Arch  string // its architecture, as weights files name it; "" where the file does not say
	Bytes int    // of the file
	File  Source // its content, which the kernel only hands on; nil once it is kept
}

// Measured is what was found out about a network on this device.
type Measured struct {
	Name      string
	Arch      string
	Bytes     int
	Nodes     int     // local embeddings of a picture
	Pixels    int     // side of the square that it sees
	PerSecond float64 // answers
}

// PageBytes is about how many bytes a shared page has with a network in it: half floats
// hardly pack, and are written as text, five digits for four bytes. The rest is mostly the
// program.
func PageBytes(own OwnNetwork) float64 { return 1.17*float64(own.Bytes) + 1.5e6 }

// TrialStage is how far it is with a network that a person thinks of using.
type TrialStage int

// The stages of a network that was chosen.
const (
	TrialReading TrialStage = iota
	TrialMeasuring
	TrialDeciding // all is known: the person's turn
	TrialRefused
)

// NetworkTrial is a network that a person has chosen and that is not in use yet.
type NetworkTrial struct {
	File     string // its name
	Stage    TrialStage
	Progress float64  // of reading or measuring, 0 to 1
	Own      Measured // both once the person is to decide
	Present  Measured
	Err      error // why it was refused
}

// NetworkState is the network that recognises things, and the one that may.
type NetworkState struct {
	Supplied Supplied    // of the networks that come with the page
	Own      *OwnNetwork // in use; nil for the one that comes with the page
	Kept     bool        // it is kept on the device
	Unused   bool        // one is kept, and could not be used in this visit
	Changing bool        // the examples are embedded again, for another network
	Keeping  *Progress   // in bytes, while the network is written to the device
	Trial    *NetworkTrial
}

// Network is the network that recognises things: the one that comes with the page, or the
// person's own. A file is read and measured before the person decides; what is used is
// kept on the device until it is removed.
type Network struct {
	Part
	seen Revisions

	turn sync.Mutex // one change after the other; held for long, and before any other lock

	networks Networks // nil until the engine is there
	state    NetworkState
	chosen   OwnNetwork    // on trial
	stop     chan struct{} // closed to end the trial; names it

	pace   pace
	before float64 // answers a second before the small network took over; 0 once it is known how many it gives
	made   string  // the network that the project was taught with that is open; "" for one of this page
}

// follow takes note of another project, and of how fast answers come.
func (n *Network) follow() {
	news := n.News(&n.seen)
	if news.Project > 0 {
		n.compare(n.K.Project.made())
	}
	if answer, still := n.K.Live.Latest(); news.Answer > 0 && !still {
		n.paced(answer.MS)
	}
}

// State returns the network in use, and the one on trial.
func (n *Network) State() NetworkState {
	n.Lock()
	defer n.Unlock()
	state := n.state
	state.Own, state.Keeping, state.Trial = copied(state.Own), copied(state.Keeping), copied(state.Trial)
	return state
}

// Ready hands over what reads and keeps networks, before the engine is connected: own is
// the kept one that it was started with, nil for none. An error says why the one that is
// kept was not used.
func (n *Network) Ready(networks Networks, own *OwnNetwork, unused error) {
	n.Update(func() {
		n.networks = networks
		n.state.Own, n.state.Kept, n.state.Unused = own, own != nil, unused != nil
	})
	if unused != nil {
		n.K.Notices.Post(networkUnused(unused))
	}
}

// Choose reads and measures the network in a file, in place of one that was on trial.
// What is in use stays.
func (n *Network) Choose(file File) {
	n.Cancel()
	stop := make(chan struct{})
	n.Update(func() {
		if n.networks == nil {
			return
		}
		n.stop = stop
		n.state.Trial = &NetworkTrial{File: file.Name}
		go n.try(n.networks, file, stop)
	})
}

// try reads a network, and measures it and the one in use.
func (n *Network) try(networks Networks, file File, stop chan struct{}) {
	report := func(change func(*NetworkTrial)) {
		n.Update(func() {
			if n.stop == stop {
				change(n.state.Trial)
			}
		})
	}
	own, err := networks.ReadNetwork(file, func(done, all int) {
		report(func(t *NetworkTrial) { t.Progress = float64(done) / float64(max(all, 1)) })
	})
	var found [2]Measured
	for i, network := range []*OwnNetwork{&own, nil} {
		if err != nil {
			break
		}
		half := func(share float64) {
			report(func(t *NetworkTrial) { t.Stage, t.Progress = TrialMeasuring, (float64(i)+share)/2 })
		}
		half(0)
		found[i], err = networks.Measure(network, n.K.Setup.Method(), half, stop)
	}
	report(func(t *NetworkTrial) {
		switch {
		case err != nil:
			t.Stage, t.Err = TrialRefused, err
		default:
			t.Stage, t.Own, t.Present = TrialDeciding, found[0], found[1]
			n.chosen = own
		}
	})
}

// Cancel ends the trial: nothing has changed.
func (n *Network) Cancel() {
	n.Update(func() {
		if n.stop != nil {
			close(n.stop)
		}
		n.stop, n.state.Trial, n.chosen = nil, nil, OwnNetwork{}
	})
}

// Use has the network on trial recognise things from now on, and keeps it on the device.
// Until all examples are embedded again, answers are those of the network before.
func (n *Network) Use() {
	n.Lock()
	own := n.chosen
	able := n.state.Trial != nil && n.state.Trial.Stage == TrialDeciding
	if able {
		own.Name = n.state.Trial.Own.Name
	}
	n.Unlock()
	n.Cancel()
	if able {
		go n.use(own)
	}
}

func (n *Network) use(own OwnNetwork) {
	n.turn.Lock()
	defer n.turn.Unlock()
	if !n.change(own.Name, &own) {
		return
	}
	n.Update(func() { n.state.Keeping = &Progress{0, own.Bytes} })
	err := n.networks.KeepNetwork(own, func(done, all int) {
		n.Update(func() { n.state.Keeping = &Progress{done, all} })
	})
	n.Update(func() {
		n.state.Keeping = nil
		if err == nil {
			own.File = nil
			n.state.Own, n.state.Kept, n.state.Unused = &own, true, false
		}
	})
	if err != nil {
		n.K.Notices.Post(networkNotKept(own.Name, err))
	}
}

// change has another network recognise things, for nil the page's, and reports whether it
// does. One that the engine refuses is a trial that has failed.
func (n *Network) change(name string, own *OwnNetwork) bool {
	n.Update(func() { n.state.Changing = true })
	err := n.K.Setup.ChangeNetwork(Weights{Own: own, Small: n.State().Supplied.Small, Change: true})
	n.Update(func() {
		n.state.Changing = false
		switch {
		case err == nil:
			n.state.Own, n.state.Kept = own, false
		case CodeOf(err) != CodeStopped && n.state.Trial == nil:
			n.state.Trial = &NetworkTrial{File: name, Stage: TrialRefused, Err: err}
		}
	})
	return err == nil
}

// Remove has the network that comes with the page recognise things again, and frees the
// room that the person's own takes on the device.
func (n *Network) Remove() {
	n.Cancel()
	n.K.Notices.Dismiss(noticeNetwork)
	go func() {
		n.turn.Lock()
		defer n.turn.Unlock()
		if own := n.State().Own; own != nil && !n.change(own.Name, nil) {
			return
		}
		err := n.networks.ForgetNetwork()
		n.Update(func() { n.state.Unused = err != nil && n.state.Unused })
		if err != nil && CodeOf(err) != CodeNoStore { // where nothing is kept, nothing is to be removed
			n.K.Notices.Post(networkNotRemoved(err))
		}
	}()
}

// compare says so when a project was taught with another network than the one in use, once
// that is known: its examples are embedded again, and answers may be others. Of another
// version of the network that comes with the page it does not speak: nobody can have that.
func (n *Network) compare(made *Made) {
	if made == nil || made.Fingerprint == "" {
		n.Update(func() { n.made = "" }) // It is of this page.
		return
	}
	n.Update(func() { n.made = made.Name })
	go func() {
		now := n.K.Engine.Wait().Info()
		if made.Fingerprint != now.Fingerprint && (made.Name != now.Network || n.State().Own != nil) {
			n.K.Notices.Post(otherNetwork(made.Name, now.Network, n.offerFor(made.Name)))
		}
	}()
}

// noticeNetwork is the key of notices about networks.
const noticeNetwork = "network"

func networkUnused(err error) Notice {
	return Notice{
		Key: noticeNetwork, Kind: Warning, Detail: Detail(err),
		Say: func(t *texts.Texts) (title, text string) {
			return t.Network.Unused, Paragraph(NetworkReason(t, err), t.Network.UnusedRemedy)
		},
	}
}

func networkNotKept(name string, err error) Notice {
	return Notice{
		Key: noticeNetwork, Kind: Warning, Detail: Detail(err),
		Say: func(t *texts.Texts) (title, text string) {
			return t.Network.NotKept(name), Paragraph(NetworkReason(t, err), t.Network.NotKeptText)
		},
	}
}

func networkNotRemoved(err error) Notice {
	return Notice{
		Key: noticeNetwork, Kind: Warning, Detail: Detail(err),
		Say: func(t *texts.Texts) (title, text string) { return t.Network.NotRemoved, NetworkReason(t, err) },
	}
}

// otherNetwork says that a project was taught with another network, and offers that where
// the page has it.
func otherNetwork(made, now string, offer *Offer) Notice {
	return Notice{
		Key: noticeNetwork, Kind: News, Offer: offer,
		Say: func(t *texts.Texts) (title, text string) {
			if offer != nil {
				return t.Network.Other(made), t.Network.OtherOffer(now, made)
			}
			return t.Network.Other(made), t.Network.OtherText(now, made)
		},
	}
}

// NetworkReason says why something about a network failed.
func NetworkReason(t *texts.Texts, err error) string {
	switch CodeOf(err) {
	case CodeCutWeights:
		return t.Network.Cut
	case CodeUnreadable:
		return t.Network.Unreadable
	case CodeDamagedWeights:
		return t.Network.Damaged
	case CodeFull:
		return t.Network.Full
	case CodeNoStore:
		return t.Project.NoStore
	}
	return Reason(t, err)
}

// NetworkDetail is what an error says to experts beyond NetworkReason; "" for nothing.
func NetworkDetail(err error) string { return Detail(err) }
