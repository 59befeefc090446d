package browser

import (
	"encoding/json"
	"syscall/js"

	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/web/internal/kernel"
)

func (e *engine) Configure(m method.Method, weights *kernel.Weights, progress func(done, all int), stop <-chan struct{}) error {
	options, err := OptionsOf(m)
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
	how, release := Control(stop, func(args []js.Value) { progress(args[0].Int(), args[1].Int()) })
	defer release()
	if _, err := Await(e.deepemd.Call("configure", options, how)); err != nil {
		return err
	}
	if weights != nil {
		Studio.Set("own", FactsOf(weights.Own))
	}
	_, err = Await(Gallery.Call("renew", e.deepemd))
	return err
}

// OptionsOf returns the options of deepemd.js for a method, with workers for its crops.
func OptionsOf(m method.Method) (js.Value, error) {
	text, err := json.Marshal(m)
	if err != nil {
		return js.Null(), &kernel.Error{Code: "internal", Message: err.Error()}
	}
	workers := 1
	if m.Embedder.Kind != method.FCN { // which takes one pass
		workers = min(max(Navigator.Get("hardwareConcurrency").Int(), 1), mostWorkers)
	}
	return js.ValueOf(map[string]any{"method": Window.Get("JSON").Call("parse", string(text)), "workers": workers}), nil
}

// mostWorkers limits the number of models in memory.
const mostWorkers = 4

// suppliedAddress returns the address of one of the page's own networks.
func suppliedAddress(small bool) js.Value {
	return Studio.Get("supplied").Call("address", Studio.Get("sounds"), small)
}

// FactsOf describes a network for scripts; null is the page's own.
func FactsOf(own *kernel.OwnNetwork) js.Value {
	if own == nil {
		return js.Null()
	}
	return js.ValueOf(map[string]any{"name": own.Name, "arch": own.Arch, "bytes": own.Bytes})
}
