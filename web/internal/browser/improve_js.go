package browser

import (
	"syscall/js"

	"github.com/maxence-charriere/go-app/v9/pkg/app"

	"github.com/deepemd/deepemd/web/internal/session"
)

// EnableClass implements [session.Engine].
func (e *engine) EnableClass(id string, enabled bool) error {
	_, err := await(e.deepemd.Call("enableClass", id, enabled))
	return err
}

// Configure implements [session.Engine].
func (e *engine) Configure(setup session.Setup, weights session.Weights, progress func(done, all int), stop <-chan struct{}) error {
	options := setupObject(setup)
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
	_, err := await(gallery().Call("renew", e.deepemd))
	return err
}

// setupObject is a setup as options of deepemd.js.
func setupObject(setup session.Setup) js.Value {
	setup = setup.Complete()
	embedder := map[string]any{"kind": setup.Embedder}
	if len(setup.Pyramid) > 0 {
		embedder["pyramid"] = numbers(setup.Pyramid)
	}
	if len(setup.Grid) > 0 {
		embedder["grid"] = numbers(setup.Grid)
	}
	workers := 1
	if setup.Patches > 0 {
		embedder["patches"] = setup.Patches
	}
	if setup.Embedder != "fcn" {
		workers = min(max(js.Global().Get("navigator").Get("hardwareConcurrency").Int(), 1), mostWorkers)
	}
	return object(map[string]any{
		"embedder": embedder, "workers": workers, "classifier": setup.Classifier, "weighting": setup.Weighting,
		"solver": setup.Solver, "temperature": setup.Temperature,
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

// control makes options by which a long call reports progress and can be stopped.
func control(stop <-chan struct{}, progress func(args []js.Value)) (options js.Value, release func()) {
	aborter := js.Global().Get("AbortController").New()
	report := js.FuncOf(func(_ js.Value, args []js.Value) any {
		progress(args)
		return nil
	})
	over := make(chan struct{})
	go func() {
		select {
		case <-stop:
			aborter.Call("abort")
		case <-over:
		}
	}()
	return object(map[string]any{"onProgress": report, "signal": aborter.Get("signal")}), func() {
		close(over)
		report.Release()
	}
}

// Review implements [session.Engine].
func (e *engine) Review() (session.Review, error) {
	wire, err := await(e.deepemd.Call("review"))
	if err != nil {
		return session.Review{}, err
	}
	r := session.Review{
		Known: floats(wire.Get("known")), Unknown: floats(wire.Get("unknown")),
		Balanced: wire.Get("balanced").Float(), Estimated: wire.Get("estimated").Bool(),
		Accepted: wire.Get("accepted").Float(), Rejected: wire.Get("rejected").Float(), Worst: text(wire.Get("worst")),
	}
	examples := wire.Get("examples")
	for i := range examples.Length() {
		e := examples.Index(i)
		r.Examples = append(r.Examples, session.Reviewed{
			ID: e.Get("id").String(), ClassID: e.Get("classId").String(), Margin: e.Get("margin").Float(),
			Problem: text(e.Get("problem")), Twin: text(e.Get("twin")), Taken: text(e.Get("taken")),
		})
	}
	return r, nil
}

func floats(list js.Value) []float64 {
	out := make([]float64, list.Length())
	for i := range out {
		out[i] = list.Index(i).Float()
	}
	return out
}

// text is a string, or "" for undefined.
func text(v js.Value) string {
	if v.Type() != js.TypeString {
		return ""
	}
	return v.String()
}

// Train implements [session.Engine].
func (e *engine) Train(progress func(done, all int), stop <-chan struct{}) (session.Gain, error) {
	how, release := control(stop, func(args []js.Value) { progress(args[0].Get("done").Int(), args[0].Get("total").Int()) })
	defer release()
	how.Set("check", true)
	outcome, err := await(e.deepemd.Call("train", how))
	if err != nil {
		return session.Gain{}, err
	}
	held := outcome.Get("heldOut")
	if held.IsUndefined() {
		return session.Gain{}, nil
	}
	return session.Gain{Of: held.Get("of").Int(), Before: held.Get("before").Int(), After: held.Get("after").Int(), Known: true}, nil
}

// Learned implements [session.Engine].
func (e *engine) Learned() bool { return e.deepemd.Get("learned").Bool() }

// Memory implements [session.Engine].
func (e *engine) Memory() int { return gallery().Get("bytes").Int() }

// FoundIn hands over the pictures in the folders and archives that were chosen in a
// field, or dropped. What goes wrong is an error with the name of the file.
func FoundIn(given app.Value, take func([]session.Entry, error)) {
	v := app.JSValue(given)
	if transfer := v.Get("dataTransfer"); transfer.Truthy() {
		v = transfer
	} else {
		v = js.Global().Get("Array").Call("from", v.Get("files"))
		app.JSValue(given).Set("value", "") // so that the same can be chosen again
	}
	promise := js.Global().Get("studio").Call("find", v)
	go func() {
		found, err := await(promise)
		if err != nil {
			take(nil, err)
			return
		}
		entries := make([]session.Entry, found.Length())
		for i := range entries {
			f := found.Index(i)
			entries[i] = session.Entry{
				File: session.File{Name: f.Get("name").String(), Source: f.Get("source")},
				Path: f.Get("path").String(),
			}
		}
		take(entries, nil)
	}()
}

// unpacked is what a source holds: files in archives are opened when they are needed.
func unpacked(source session.Source) (session.Source, error) {
	v, ok := source.(js.Value)
	if !ok || v.Type() != js.TypeObject || v.Get("blob").Type() != js.TypeFunction {
		return source, nil
	}
	blob, err := await(v.Call("blob"))
	return blob, err
}
