package browser

import (
	"syscall/js"

	"github.com/deepemd/deepemd/web/internal/kernel"
)

// Await blocks the calling goroutine until the promise is settled.
func Await(promise js.Value) (js.Value, error) {
	type outcome struct {
		value js.Value
		err   error
	}
	settled := make(chan outcome, 1)
	first := func(args []js.Value) js.Value {
		if len(args) == 0 {
			return js.Undefined()
		}
		return args[0]
	}
	resolved := js.FuncOf(func(_ js.Value, args []js.Value) any {
		settled <- outcome{value: first(args)}
		return nil
	})
	defer resolved.Release()
	rejected := js.FuncOf(func(_ js.Value, args []js.Value) any {
		settled <- outcome{err: Failure(first(args))}
		return nil
	})
	defer rejected.Release()
	promise.Call("then", resolved, rejected)
	o := <-settled
	return o.value, o.err
}

// Failure converts the reason of a rejected promise: the code of a DeepEMDError, or the name of a
// DOMException.
func Failure(reason js.Value) *kernel.Error {
	if reason.Type() != js.TypeObject {
		return &kernel.Error{Code: "internal", Message: Window.Call("String", reason).String()}
	}
	e := &kernel.Error{Code: "internal", Message: reason.Get("message").String()}
	if code := reason.Get("code"); code.Type() == js.TypeString {
		e.Code = code.String()
	} else if name := reason.Get("name"); name.Type() == js.TypeString {
		e.Code = name.String()
	}
	return e
}

// Object makes a JavaScript object.
func Object(properties map[string]any) js.Value { return js.ValueOf(properties) }

// stringArray makes an array of strings.
func stringArray(list []string) js.Value {
	array := Window.Get("Array").New(len(list))
	for i, text := range list {
		array.SetIndex(i, text)
	}
	return array
}

// Control returns options for a long call: progress reports and a signal that stops it.
func Control(stop <-chan struct{}, progress func(args []js.Value)) (options js.Value, release func()) {
	aborter := Window.Get("AbortController").New()
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
	return Object(map[string]any{"onProgress": report, "signal": aborter.Get("signal")}), func() {
		close(over)
		report.Release()
	}
}
