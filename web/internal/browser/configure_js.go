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

// optionsOf returns the options of deepemd.js for a method, with workers for its crops.
func optionsOf(m method.Method) (js.Value, error) {
	text, err := json.Marshal(m)
	if err != nil {
		return js.Null(), &kernel.Error{Code: "internal", Message: err.Error()}
	}
	workers := 1
	if m.Embedder.Kind != method.FCN { // which takes one pass
		workers = min(max(navigator.Get("hardwareConcurrency").Int(), 1), mostWorkers)
	}
	return object(map[string]any{"method": window.Get("JSON").Call("parse", string(text)), "workers": workers}), nil
}

// mostWorkers limits the number of models in memory.
const mostWorkers = 4

// suppliedAddress returns the address of one of the page's own networks.
func suppliedAddress(small bool) js.Value {
	return studio.Get("supplied").Call("address", studio.Get("sounds"), small)
}

// factsOf describes a network for scripts; null is the page's own.
func factsOf(own *kernel.OwnNetwork) js.Value {
	if own == nil {
		return js.Null()
	}
	return object(map[string]any{"name": own.Name, "arch": own.Arch, "bytes": own.Bytes})
}
