package network

import (
	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/web/internal/browser"
	"github.com/deepemd/deepemd/web/internal/kernel"
)

// pageDevice implements [Device] with web/static/web/network.js and measure.js.
type pageDevice struct {
	kind   string // of the page's projects
	sounds bool
}

// connect reports the network that the page's script has started the engine with.
func (n *Network) connect() {
	if app.IsServer {
		return
	}
	sounds, supplied := n.K.Project.OfSounds(), browser.Studio.Get("supplied")
	n.Supply(Supplied{
		Offered: supplied.Call("offered", sounds).Bool(),
		Small:   supplied.Get("small").Bool(),
		Chosen:  supplied.Call("chosen").String() != "",
	})
	var own *kernel.OwnNetwork
	if facts := browser.Studio.Get("own"); facts.Truthy() {
		own = new(ownOf(facts))
	}
	var unused error
	if reason := browser.Studio.Get("unused"); reason.Truthy() {
		unused = browser.Failure(reason)
	}
	n.Ready(&pageDevice{n.K.Project.Kind(), sounds}, own, unused)
}

func (d *pageDevice) ReadNetwork(file kernel.File, progress func(done, all int)) (kernel.OwnNetwork, error) {
	report := browser.Reporter(progress)
	defer report.Release()
	read, err := browser.Await(browser.Studio.Get("network").Call("read", file.Source, report))
	if err != nil {
		return kernel.OwnNetwork{}, err
	}
	own := ownOf(read)
	own.File = read.Get("file")
	return own, nil
}

func (d *pageDevice) Measure(own *kernel.OwnNetwork, m method.Method, progress func(share float64), stop <-chan struct{}) (Measured, error) {
	options, err := browser.OptionsOf(m)
	if err != nil {
		return Measured{}, err
	}
	var weights browser.Value
	if own != nil {
		weights = browser.ValueOf(own.File)
	} else {
		deepemd, err := browser.Await(browser.Studio.Get("engine"))
		if err != nil {
			return Measured{}, err
		}
		weights = deepemd.Get("weights")
	}
	how, release := browser.Control(stop, func(args []browser.Value) { progress(args[0].Float()) })
	defer release()
	return browser.Load[Measured](browser.Studio.Call("measure", weights, d.sounds, options, how))
}

func (d *pageDevice) KeepNetwork(own kernel.OwnNetwork, progress func(done, all int)) error {
	report := browser.Reporter(progress)
	defer report.Release()
	network := browser.FactsOf(&own)
	network.Set("file", own.File)
	return browser.Wait(browser.Studio.Get("network").Call("keep", d.kind, network, report))
}

func (d *pageDevice) ForgetNetwork() error {
	return browser.Wait(browser.Studio.Get("network").Call("forget", d.kind))
}

func (d *pageDevice) Prefer(small bool) {
	name := "usual"
	if small {
		name = "small"
	}
	browser.Studio.Get("supplied").Call("prefer", name)
}

// ownOf reads a network's description, without its file, from a script's object.
func ownOf(facts browser.Value) kernel.OwnNetwork {
	return kernel.OwnNetwork{Name: facts.Get("name").String(), Arch: facts.Get("arch").String(), Bytes: facts.Get("bytes").Int()}
}
