package main

import (
	"fmt"
	"runtime/debug"
	"syscall/js"
	"time"

	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/internal/jsvalue"
	"github.com/deepemd/deepemd/wasm/internal/host"
	"github.com/deepemd/deepemd/wasm/internal/protocol"
)

// bridge carries requests and replies, as wasm/internal/protocol and core/answer declare them,
// between JavaScript and a host.
type bridge struct {
	host    host.Host
	picture []byte // memory for the pictures of requests, reused
	turns   *turns
	asked   int         // number of requests
	idle    *time.Timer // starts learn after a pause
}

const (
	// pause is the time without requests after which the classifier learns. Examples and frames
	// arrive in bursts.
	pause = 40 * time.Millisecond
	// trainTurn is the time that a classifier learns before requests have their turn.
	trainTurn = 20 * time.Millisecond
	// otherTurn is the turn of other jobs, and otherRest their rest if there are requests, so that
	// live answers lose a tenth of the time.
	otherTurn, otherRest = 8 * time.Millisecond, 72 * time.Millisecond
)

// handle returns the reply to a request, or an object whose property error has the code and the
// message. The reply to a job is empty: handle calls report with its progress and result.
func (b *bridge) handle(message, report js.Value) js.Value {
	b.asked++
	b.idle.Reset(pause)
	request, err := b.read(message)
	if err != nil {
		return failure(err)
	}
	if report.Type() == js.TypeFunction {
		var with struct{ ID int }
		_ = jsvalue.Read(message, &with) // the worker sets the id
		if job := b.host.Job(with.ID, request); job != nil {
			turn, rest := otherTurn, otherRest
			switch request.(type) {
			case *protocol.Train, *protocol.Learn: // the user waits for these
				turn, rest = trainTurn, 0
			}
			go b.run(job, turn, rest, report)
			return jsvalue.Of(nil)
		}
	}
	answer, err := b.host.Handle(request)
	if err != nil {
		return failure(err)
	}
	if started, ok := answer.(*protocol.Started); ok && !started.Info.Features {
		// The loaded network is most of the heap, so collecting costs little. A limit of 20%
		// garbage, not 100%, keeps memory flat.
		debug.SetGCPercent(20)
	}
	return jsvalue.Of(answer)
}

// run runs a job and reports its progress. After each turn it rests if there were requests.
func (b *bridge) run(job host.Job, turn, rest time.Duration, report js.Value) {
	var latest any
	told := func(what string, value js.Value) {
		message := jsvalue.Of(nil)
		message.Set(what, value)
		report.Invoke(message)
	}
	var began time.Time
	asked := b.asked
	reply, err := job(func(now any) error {
		if latest = now; time.Since(began) < turn {
			return nil
		}
		told("progress", jsvalue.Of(now))
		if latest = nil; b.asked > asked {
			b.turns.wait(rest)
		} else {
			b.turns.wait(0)
		}
		asked = b.asked
		began = time.Now()
		return nil
	})
	if err != nil {
		report.Invoke(failure(err))
		return
	}
	if latest != nil {
		told("progress", jsvalue.Of(latest))
	}
	told("reply", jsvalue.Of(reply))
}

// learn continues learning until there is a request, or all is done.
func (b *bridge) learn() {
	for asked := b.asked; b.asked == asked; b.turns.wait(0) {
		if done, err := b.host.Study(); done || err != nil { // the next request returns the error
			return
		}
	}
}

// read reads a request; it returns nil for an unknown type. Pictures are in memory that the next
// request reuses.
func (b *bridge) read(message js.Value) (any, error) {
	var kind struct{ Type string }
	if err := jsvalue.Read(message, &kind); err != nil {
		return nil, errorValue(err)
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
		return nil, errorValue(err)
	}
	if ok {
		p := looks.In()
		b.picture = p.Data
		if p.Samples != nil && p.Rate == 0 {
			p.Rate = -1 // a sound with an invalid rate, not an empty file
		}
	}
	return request, nil
}

func errorValue(err error) error {
	return &learner.Error{Code: learner.CodeBadArgument, Message: fmt.Sprintf("the request has %v: send what protocol.d.ts declares", err)}
}

func failure(err error) js.Value {
	return jsvalue.Of(struct{ Error *learner.Error }{host.AsError(err)})
}
