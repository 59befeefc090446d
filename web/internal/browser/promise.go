package browser

import (
	"strings"

	"github.com/deepemd/deepemd/web/internal/kernel"
)

// Await blocks the calling goroutine until the promise is settled.
func Await(promise Value) (Value, error) {
	type outcome struct {
		value Value
		err   error
	}
	settled := make(chan outcome, 1)
	resolved := Callback(func(args []Value) { settled <- outcome{value: args[0]} })
	defer resolved.Release()
	rejected := Callback(func(args []Value) { settled <- outcome{err: Failure(args[0])} })
	defer rejected.Release()
	promise.Call("then", resolved, rejected)
	o := <-settled
	return o.value, o.err
}

// Callback returns a function for JavaScript, which returns undefined.
func Callback(f func(args []Value)) Func {
	return FuncOf(func(_ Value, args []Value) any {
		f(args)
		return nil
	})
}

// Wait blocks the calling goroutine until the promise is settled, and returns its error.
func Wait(promise Value) error {
	_, err := Await(promise)
	return err
}

// Load waits for an object, and reads it.
func Load[T any](promise Value) (T, error) {
	object, err := Await(promise)
	if err != nil {
		return *new(T), err
	}
	return Read[T](object)
}

// Failure converts the reason of a rejected promise: the code of a DeepEMDError, or the name of a
// DOMException.
func Failure(reason Value) *kernel.Error {
	if reason.Type() != TypeObject {
		return &kernel.Error{Code: "internal", Message: Window.Call("String", reason).String()}
	}
	e := &kernel.Error{Code: "internal", Message: reason.Get("message").String()}
	if code := reason.Get("code"); code.Type() == TypeString {
		e.Code = code.String()
	} else if name := reason.Get("name"); name.Type() == TypeString {
		e.Code = name.String()
	}
	if e.Code == "TypeError" && strings.Contains(e.Message, "module") { // of import(), in every browser
		e.Code = kernel.CodeNetwork
	}
	return e
}

func convert[T any](array Value, element func(Value) T) []T {
	list := make([]T, array.Length())
	for i := range list {
		list[i] = element(array.Index(i))
	}
	return list
}

func stringArray(list []string) Value {
	array := Window.Get("Array").New(len(list))
	for i, text := range list {
		array.SetIndex(i, text)
	}
	return array
}

// Control returns options for a long call: progress reports and a signal that stops it.
func Control(stop <-chan struct{}, progress func(args []Value)) (options Value, release func()) {
	aborter := Window.Get("AbortController").New()
	report := Callback(progress)
	over := make(chan struct{})
	go func() {
		select {
		case <-stop:
			aborter.Call("abort")
		case <-over:
		}
	}()
	return ValueOf(map[string]any{"onProgress": report, "signal": aborter.Get("signal")}), func() {
		close(over)
		report.Release()
	}
}
