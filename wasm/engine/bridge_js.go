package main

import (
	"cmp"
	"errors"
	"fmt"
	"runtime/debug"
	"syscall/js"

	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/wasm"
	"github.com/deepemd/deepemd/wasm/internal/protocol"
)

// bridge carries requests and replies between JavaScript and a host. What they hold
// is declared in wasm/internal/protocol, from which protocol_js.go is generated.
type bridge struct {
	host    wasm.Host
	picture []byte // reused memory of the pictures that come in
}

// handle answers one request of the worker's: the reply, or an object whose property
// error has the code and the message.
func (b *bridge) handle(message js.Value) js.Value {
	request, err := b.read(message)
	if err != nil {
		return failure(err)
	}
	answer, err := b.host.Handle(request)
	if err != nil {
		return failure(err)
	}
	if started, ok := answer.(*protocol.InitReply); ok && !started.Info.Features {
		// Once the network is loaded the heap is mostly that, and collecting costs little:
		// garbage may be a fifth of it, not as much again, so that memory stays flat.
		debug.SetGCPercent(20)
	}
	return reply(answer)
}

// read reads a request. Package syscall/js panics where a value is of another type than
// it is asked for; here that is an error of whoever has sent it, and the engine goes on.
func (b *bridge) read(message js.Value) (request protocol.Request, err error) {
	defer func() {
		if why := recover(); why != nil {
			err = &learner.Error{Code: learner.CodeBadArgument, Message: fmt.Sprintf(
				"the request has a value of the wrong type (%v): send what protocol.d.ts declares", why)}
		}
	}()
	return b.request(message), nil
}

// readPicture reads a picture: pixels or a file, in memory that the next one reuses, or
// samples.
func (b *bridge) readPicture(from *js.Value, name string, to *learner.Picture) {
	v := from.Get(name)
	if !v.Truthy() {
		return
	}
	if rate := v.Get("rate"); !rate.IsUndefined() {
		readFloats(&v, "samples", &to.Samples)
		to.Rate = cmp.Or(integer(rate), -1)
		return
	}
	readBytes(&v, "data", &b.picture)
	to.Data = b.picture
	readInt(&v, "width", &to.Width)
	readInt(&v, "height", &to.Height)
}

func failure(err error) js.Value {
	var e *learner.Error
	if !errors.As(err, &e) {
		e = &learner.Error{Code: learner.CodeInternal, Message: err.Error()}
	}
	detail := newObject()
	setText(&detail, "code", string(e.Code))
	setText(&detail, "message", e.Message)
	out := newObject()
	out.Set("error", detail)
	return out
}
