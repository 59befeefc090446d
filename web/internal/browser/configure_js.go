package browser

import (
	"encoding/json"
	"syscall/js"

	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/web/internal/kernel"
)

// Configure implements [kernel.Engine].
func (e *engine) Configure(m method.Method, weights *kernel.Weights, progress func(done, all int), stop <-chan struct{}) error {
	options, err := optionsOf(m)
	if err != nil {
		return err
	}
	if weights != nil {
		network := js.ValueOf(nil)
		if weights.Own != nil {
			network = js.ValueOf(weights.Own.File)
		} else {
			network = suppliedAddress(weights.Small)
		}
		options.Set("weights", network)
	}
	how, release := control(stop, func(args []js.Value) { progress(args[0].Int(), args[1].Int()) })
	defer release()
	if _, err := await(e.deepemd.Call("configure", options, how)); err != nil {
		return err
	}
	if weights != nil {
		studio.Set("own", factsOf(weights.Own))
	}
	_, err = await(gallery.Call("renew", e.deepemd))
	return err
}

// optionsOf is a method as options of deepemd.js, with workers for the crops that it
// asks for.
func optionsOf(m method.Method) (js.Value, error) {
	text, err := json.Marshal(m)
	if err != nil {
		return js.Null(), &kernel.Error{Code: "internal", Message: err.Error()}
	}
	workers := 1
	if m.Embedder.Kind != method.FCN { // which passes through the network once
		workers = min(max(navigator.Get("hardwareConcurrency").Int(), 1), mostWorkers)
	}
	return object(map[string]any{"method": window.Get("JSON").Call("parse", string(text)), "workers": workers}), nil
}

// mostWorkers bounds how many networks are in memory at once.
const mostWorkers = 4

// suppliedAddress is where one of the networks lies that come with the page.
func suppliedAddress(small bool) js.Value {
	return studio.Get("supplied").Call("address", studio.Get("sounds"), small)
}

// factsOf tells a script of a network; null for the one that comes with the page.
func factsOf(own *kernel.OwnNetwork) js.Value {
	if own == nil {
		return js.Null()
	}
	return object(map[string]any{"name": own.Name, "arch": own.Arch, "bytes": own.Bytes})
}
