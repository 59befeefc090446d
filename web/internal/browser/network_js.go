package browser

import (
	"syscall/js"

	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/web/internal/kernel"
)

// networks are web/static/web/network.js and measure.js behind the kernel's interface,
// which says what its methods do.
type networks struct {
	kind   string // of the projects that the page is for
	sounds bool
}

// connectNetworks hands the kernel what reads and keeps networks, and the network of the
// person's own that the engine was started with.
func connectNetworks(s *kernel.Kernel) {
	supplied := studio.Get("supplied")
	s.Network.Supply(kernel.Supplied{
		Offered: supplied.Call("offered", s.Project.OfSounds()).Bool(),
		Small:   supplied.Get("small").Bool(),
		Chosen:  supplied.Call("chosen").String() != "",
	})
	var own *kernel.OwnNetwork
	if facts := studio.Get("own"); facts.Truthy() {
		own = new(ownOf(facts))
	}
	var unused error
	if reason := studio.Get("unused"); reason.Truthy() {
		unused = failure(reason)
	}
	s.Network.Ready(&networks{s.Project.Kind(), s.Project.OfSounds()}, own, unused)
}

// ReadNetwork implements [kernel.Networks].
func (n *networks) ReadNetwork(file kernel.File, progress func(done, all int)) (kernel.OwnNetwork, error) {
	report := reporter(progress)
	defer report.Release()
	read, err := await(networkScript().Call("read", file.Source, report))
	if err != nil {
		return kernel.OwnNetwork{}, err
	}
	own := ownOf(read)
	own.File = read.Get("file")
	return own, nil
}

// Measure implements [kernel.Networks].
func (n *networks) Measure(own *kernel.OwnNetwork, m method.Method, progress func(share float64), stop <-chan struct{}) (kernel.Measured, error) {
	options, err := optionsOf(m)
	if err != nil {
		return kernel.Measured{}, err
	}
	var weights js.Value
	if own != nil {
		weights = js.ValueOf(own.File)
	} else {
		deepemd, err := await(studio.Get("engine"))
		if err != nil {
			return kernel.Measured{}, err
		}
		weights = deepemd.Get("weights")
	}
	how, release := control(stop, func(args []js.Value) { progress(args[0].Float()) })
	defer release()
	found, err := await(studio.Call("measure", weights, n.sounds, options, how))
	if err != nil {
		return kernel.Measured{}, err
	}
	return kernel.Measured{
		Name: found.Get("name").String(), Arch: found.Get("arch").String(), Bytes: found.Get("bytes").Int(),
		Nodes: found.Get("nodes").Int(), Pixels: found.Get("pixels").Int(), PerSecond: found.Get("perSecond").Float(),
	}, nil
}

// KeepNetwork implements [kernel.Networks].
func (n *networks) KeepNetwork(own kernel.OwnNetwork, progress func(done, all int)) error {
	report := reporter(progress)
	defer report.Release()
	network := factsOf(&own)
	network.Set("file", own.File)
	_, err := await(networkScript().Call("keep", n.kind, network, report))
	return err
}

// ForgetNetwork implements [kernel.Networks].
func (n *networks) ForgetNetwork() error {
	_, err := await(networkScript().Call("forget", n.kind))
	return err
}

// Prefer implements [kernel.Networks].
func (n *networks) Prefer(small bool) {
	name := "usual"
	if small {
		name = "small"
	}
	studio.Get("supplied").Call("prefer", name)
}

// suppliedAddress is where one of the networks lies that come with the page.
func suppliedAddress(small bool) js.Value {
	return studio.Get("supplied").Call("address", studio.Get("sounds"), small)
}

// networkScript is web/static/web/network.js.
func networkScript() js.Value { return studio.Get("network") }

// ownOf reads what a script says of a network, but for its file.
func ownOf(facts js.Value) kernel.OwnNetwork {
	return kernel.OwnNetwork{Name: facts.Get("name").String(), Arch: facts.Get("arch").String(), Bytes: facts.Get("bytes").Int()}
}

// factsOf tells a script of a network; null for the one that comes with the page.
func factsOf(own *kernel.OwnNetwork) js.Value {
	if own == nil {
		return js.Null()
	}
	return object(map[string]any{"name": own.Name, "arch": own.Arch, "bytes": own.Bytes})
}
