package browser

import (
	"syscall/js"

	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/web/internal/session"
)

// Configure implements [session.Engine].
func (e *engine) Configure(m method.Method, weights session.Weights, progress func(done, all int), stop <-chan struct{}) error {
	options := optionsOf(m)
	if weights.Change {
		network := js.Global().Get("studio").Call("weights") // the one that comes with the page
		if weights.File != nil {
			network = js.ValueOf(weights.File.Source).Call("arrayBuffer")
		}
		network, err := await(network)
		if err != nil {
			return err
		}
		options.Set("weights", network)
	}
	how, release := control(stop, func(args []js.Value) { progress(args[0].Int(), args[1].Int()) })
	defer release()
	if _, err := await(e.deepemd.Call("configure", options, how)); err != nil {
		return err
	}
	e.strangers.Store(m.Strangers.Name)
	_, err := await(gallery().Call("renew", e.deepemd))
	return err
}

// optionsOf is a method as options of deepemd.js.
func optionsOf(m method.Method) js.Value {
	embedder := map[string]any{"kind": m.Embedder.Kind}
	workers := min(max(js.Global().Get("navigator").Get("hardwareConcurrency").Int(), 1), mostWorkers)
	switch m.Embedder.Kind {
	case method.FCN:
		workers = 1 // One pass through the network is all there is to do.
		if len(m.Embedder.Pyramid) > 0 {
			embedder["pyramid"] = numbers(m.Embedder.Pyramid)
		}
	case method.Grid:
		embedder["grid"], embedder["ratio"] = numbers(m.Embedder.Grid), m.Embedder.Ratio
	case method.Sampling:
		embedder["patches"], embedder["seed"] = m.Embedder.Patches, m.Embedder.Seed
	}
	return object(map[string]any{
		"embedder": embedder, "workers": workers, "classifier": m.Classifier, "weighting": m.Weighting,
		"solver": m.Solver, "temperature": m.Temperature, "strictness": m.Strangers.Strictness,
	})
}

// mostWorkers bounds how many networks are in memory at once.
const mostWorkers = 4

func numbers(list []int) []any {
	out := make([]any, len(list))
	for i, n := range list {
		out[i] = n
	}
	return out
}
