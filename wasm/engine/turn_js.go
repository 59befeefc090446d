package main

import (
	"syscall/js"
	"time"
)

// turns lets JavaScript run, for example to pass on a request, while a goroutine waits.
type turns struct {
	port    js.Value
	waiting []chan struct{}
}

func newTurns() *turns {
	t := new(turns)
	channel := js.Global().Get("MessageChannel").New()
	channel.Get("port1").Set("onmessage", js.FuncOf(func(js.Value, []js.Value) any {
		waiting := t.waiting
		t.waiting = nil
		for _, w := range waiting {
			close(w)
		}
		return nil
	}))
	t.port = channel.Get("port2")
	return t
}

// wait returns after the pending work of JavaScript, or after a rest.
func (t *turns) wait(rest time.Duration) {
	if rest > 0 {
		time.Sleep(rest)
		return
	}
	w := make(chan struct{})
	t.waiting = append(t.waiting, w)
	t.port.Call("postMessage", 0)
	<-w
}
