package main

import (
	"errors"
	"fmt"
	"runtime/debug"
	"syscall/js"

	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/internal/jsvalue"
	"github.com/deepemd/deepemd/wasm/internal/host"
	"github.com/deepemd/deepemd/wasm/internal/protocol"
)

// bridge carries requests and replies between JavaScript and a host. What they hold
// is declared in wasm/internal/protocol and core/answer.
type bridge struct {
	host    host.Host
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
	if started, ok := answer.(*protocol.Started); ok && !started.Info.Features {
		// Once the network is loaded the heap is mostly that, and collecting costs little:
		// garbage may be a fifth of it, not as much again, so that memory stays flat.
		debug.SetGCPercent(20)
	}
	return jsvalue.Of(answer)
}

// read reads a request; nil where there is none of its type. Pictures come in memory that the
// next one reuses.
func (b *bridge) read(message js.Value) (any, error) {
	var kind struct{ Type string }
	if err := jsvalue.Read(message, &kind); err != nil {
		return nil, wrong(err)
	}
	request := protocol.New(kind.Type)
	if request == nil {
		return nil, nil
	}
	looks, ok := request.(interface{ In() *learner.Picture })
	if ok {
		looks.In().Data = b.picture[:0]
	}
	if err := jsvalue.Read(message, request); err != nil {
		return nil, wrong(err)
	}
	if ok {
		p := looks.In()
		b.picture = p.Data
		if p.Samples != nil && p.Rate == 0 {
			p.Rate = -1 // a sound of a wrong rate, no empty file
		}
	}
	return request, nil
}

func wrong(err error) error {
	return &learner.Error{Code: learner.CodeBadArgument, Message: fmt.Sprintf("the request has %v: send what protocol.d.ts declares", err)}
}

func failure(err error) js.Value {
	var e *learner.Error
	if !errors.As(err, &e) {
		e = &learner.Error{Code: learner.CodeInternal, Message: err.Error()}
	}
	return jsvalue.Of(struct{ Error *learner.Error }{e})
}
