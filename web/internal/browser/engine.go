package browser

import (
	"encoding/json"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/web/internal/kernel"
)

// engine implements kernel.Engine with deepemd.js.
type engine struct{ deepemd Value }

// Info returns the engine's model and kernels.
func (e *engine) Info() kernel.Info {
	info, _ := Read[kernel.Info](e.deepemd.Get("info")) // which deepemd.js has checked
	info.Fingerprint = Gallery.Get("network").Get("sha256").String()
	return info
}

func (e *engine) AddClass(id, label string, nothing bool) error {
	return Wait(e.deepemd.Call("addClass", label, ValueOf(map[string]any{"id": id, "nothing": nothing})))
}

func (e *engine) RenameClass(id, label string) error {
	return Wait(e.deepemd.Call("renameClass", id, label))
}

func (e *engine) RemoveClass(id string) error { return Wait(e.deepemd.Call("removeClass", id)) }

func (e *engine) AddExample(classID, id string, source kernel.Source) error {
	contents := Gallery.Get("contents")
	example, err := Await(e.deepemd.Call("addExample", classID, source, ValueOf(map[string]any{"id": id})))
	if err != nil {
		return err
	}
	Gallery.Call("add", example, contents)
	return nil
}

func (e *engine) RestoreExamples(classID string, ids []string) (kernel.Restored, error) {
	made, err := Await(Gallery.Call("restore", e.deepemd, classID, stringArray(ids)))
	if err != nil {
		return kernel.Restored{}, err
	}
	restored, err := Read[kernel.Restored](made)
	if reason := made.Get("error"); reason.Truthy() {
		err = Failure(reason)
	}
	return restored, err
}

func (e *engine) RemoveExample(id string) error { return Wait(e.deepemd.Call("removeExample", id)) }

func (e *engine) Classify(source kernel.Source, live bool) (kernel.Answer, error) {
	source, err := unpacked(source)
	if err != nil {
		return kernel.Answer{}, err
	}
	return Load[kernel.Answer](e.deepemd.Call("classify", source, ValueOf(map[string]any{"live": live})))
}

func (e *engine) Explain(source kernel.Source, live bool, classID string) (kernel.Answer, *kernel.Match, error) {
	source, err := unpacked(source)
	if err != nil {
		return kernel.Answer{}, nil, err
	}
	why := any(true)
	if classID != "" {
		why = classID
	}
	reply, err := Await(e.deepemd.Call("classify", source, ValueOf(map[string]any{"pixels": true, "explain": why, "live": live})))
	if err != nil {
		return kernel.Answer{}, nil, err
	}
	said, err := Read[kernel.Answer](reply)
	if err != nil || said.Explanation == nil {
		return said, nil, err
	}
	example := reply.Get("explanation").Get("example")
	size := example.Get("size")
	said.Explanation.ExampleID = example.Get("id").String()
	return said, &kernel.Match{
		Explanation: said.Explanation,
		Answer:      said,
		Seen:        reply.Get("pixels"),
		Example:     ValueOf(map[string]any{"width": size, "height": size, "data": example.Get("pixels")}),
	}, nil
}

// Read reads a struct from a JavaScript object.
func Read[T any](said Value) (T, error) {
	var to T
	err := read(said, &to)
	return to, err
}

func (e *engine) EnableClass(id string, enabled bool) error {
	return Wait(e.deepemd.Call("enableClass", id, enabled))
}

func (e *engine) Learned() bool { return e.deepemd.Get("learned").Bool() }

func (e *engine) Memory() int { return Gallery.Get("bytes").Int() }

func (e *engine) Train(progress func(done, all int), stop <-chan struct{}) (*answer.Gain, error) {
	how, release := Control(stop, func(args []Value) { progress(args[0].Get("done").Int(), args[0].Get("total").Int()) })
	defer release()
	how.Set("check", true)
	trained, err := Load[struct{ HeldOut *answer.Gain }](e.deepemd.Call("train", how))
	return trained.HeldOut, err
}

func (e *engine) Growth(progress func(answer.Curve), stop <-chan struct{}) (answer.Curve, error) {
	how, release := Control(stop, func(args []Value) {
		if found, err := Read[answer.Curve](args[0]); err == nil {
			progress(found)
		}
	})
	defer release()
	return Load[answer.Curve](e.deepemd.Call("growth", how))
}

func (e *engine) Review() (answer.Review, error) {
	return Load[answer.Review](e.deepemd.Call("review"))
}

func (e *engine) Configure(m method.Method, weights *kernel.Weights, progress func(done, all int), stop <-chan struct{}) error {
	options, err := OptionsOf(m)
	if err != nil {
		return err
	}
	if weights != nil {
		if weights.Own != nil {
			options.Set("weights", weights.Own.File)
		} else { // one of the page's own networks
			options.Set("weights", Studio.Get("supplied").Call("address", Studio.Get("sounds"), weights.Supplied))
		}
	}
	how, release := Control(stop, func(args []Value) { progress(args[0].Int(), args[1].Int()) })
	defer release()
	if err := Wait(e.deepemd.Call("configure", options, how)); err != nil {
		return err
	}
	if weights != nil {
		Studio.Set("own", FactsOf(weights.Own))
	}
	return Wait(Gallery.Call("renew", e.deepemd))
}

// OptionsOf returns the options of deepemd.js for a method, with workers for its crops.
func OptionsOf(m method.Method) (Value, error) {
	text, err := json.Marshal(m)
	if err != nil {
		return Null(), &kernel.Error{Code: "internal", Message: err.Error()}
	}
	workers := 1
	if m.Embedder.Kind != method.FCN { // which takes one pass
		workers = min(max(Navigator.Get("hardwareConcurrency").Int(), 1), mostWorkers)
	}
	return ValueOf(map[string]any{"method": Window.Get("JSON").Call("parse", string(text)), "workers": workers}), nil
}

// mostWorkers limits the number of models in memory.
const mostWorkers = 4

// FactsOf describes a network for scripts; null is the page's own.
func FactsOf(own *kernel.OwnNetwork) Value {
	if own == nil {
		return Null()
	}
	return ValueOf(map[string]any{"name": own.Name, "arch": own.Arch, "bytes": own.Bytes})
}
