package main

import (
	"syscall/js"

	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/wasm"
)

// options reads what requests say of how to classify.
func options(message js.Value) wasm.Options {
	m := method.Method{
		Classifier: optional(message.Get("classifier")),
		Weighting:  optional(message.Get("weighting")),
		Solver:     optional(message.Get("solver")),
		Balance:    method.Default().Balance,
		Strangers:  method.Default().Strangers,
	}
	if t := message.Get("temperature"); !t.IsUndefined() {
		m.Temperature = number(t)
	}
	if s := message.Get("strictness"); !s.IsUndefined() {
		m.Strangers.Strictness = number(s)
	}
	return wasm.Options{Method: m}
}

func familiarity(f *learner.Familiarity) js.Value {
	out := newObject()
	out.Set("unknown", f.Unknown)
	out.Set("score", f.Score)
	out.Set("threshold", f.Threshold)
	out.Set("balanced", f.Balanced)
	out.Set("estimated", f.Estimated)
	return out
}

func review(r *learner.Review) js.Value {
	examples := js.Global().Get("Array").New(len(r.Examples))
	for i, e := range r.Examples {
		o := newObject()
		o.Set("id", e.ID)
		o.Set("classId", e.ClassID)
		setText(o, "problem", e.Problem)
		setText(o, "twin", e.Twin)
		setText(o, "taken", e.Taken)
		o.Set("margin", e.Margin)
		examples.SetIndex(i, o)
	}
	classes := js.Global().Get("Array").New(len(r.Classes))
	for i, c := range r.Classes {
		o := newObject()
		o.Set("id", c.ID)
		o.Set("level", c.Level)
		classes.SetIndex(i, o)
	}
	out := newObject()
	out.Set("examples", examples)
	out.Set("classes", classes)
	out.Set("known", numbers(r.Known))
	out.Set("unknown", numbers(r.Unknown))
	out.Set("balanced", r.Balanced)
	out.Set("estimated", r.Estimated)
	out.Set("accepted", r.Accepted)
	out.Set("rejected", r.Rejected)
	setText(out, "worst", r.Worst)
	out.Set("gain", r.Gain)
	return out
}

// setText sets a property unless there is nothing to say.
func setText(o js.Value, name, text string) {
	if text != "" {
		o.Set(name, text)
	}
}

func numbers(values []float64) js.Value {
	out := js.Global().Get("Array").New(len(values))
	for i, v := range values {
		out.SetIndex(i, v)
	}
	return out
}
