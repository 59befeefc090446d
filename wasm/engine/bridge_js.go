package main

import (
	"errors"
	"fmt"
	"runtime/debug"
	"syscall/js"
	"time"

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
	turns   *turns
	asked   int         // requests so far
	idle    *time.Timer // has the classifier learn while nobody asks
}

const (
	// pause is for how long nobody asks before the classifier learns: examples, and frames,
	// come one upon the other.
	pause = 40 * time.Millisecond
	// trainTurn is for how long a classifier learns before others have their turn.
	trainTurn = 20 * time.Millisecond
	// otherTurn is that of other jobs, and otherRest for how long they rest then, if somebody
	// asks: live answers lose a tenth of the time.
	otherTurn, otherRest = 8 * time.Millisecond, 72 * time.Millisecond
)

// handle answers one request of the worker's: the reply, or an object whose property
// error has the code and the message. The reply of a job is empty: with its progress and what
// becomes of it, report is called.
func (b *bridge) handle(message, report js.Value) js.Value {
	b.asked++
	b.idle.Reset(pause)
	request, err := b.read(message)
	if err != nil {
		return failure(err)
	}
	if report.Type() == js.TypeFunction {
		var with struct{ ID int }
		_ = jsvalue.Read(message, &with) // whose id the worker has made
		if job := b.host.Job(with.ID, request); job != nil {
			turn, rest := otherTurn, otherRest
			switch request.(type) {
			case *protocol.Train, *protocol.Learn: // which a person waits for
				turn, rest = trainTurn, 0
			}
			go b.work(job, turn, rest, report)
			return jsvalue.Of(nil)
		}
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

// work does a job, and reports. After a turn it rests if others have asked.
func (b *bridge) work(job host.Job, turn, rest time.Duration, report js.Value) {
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

// learn has the classifier learn until somebody asks, or all is done.
func (b *bridge) learn() {
	for asked := b.asked; b.asked == asked; b.turns.wait(0) {
		if done, err := b.host.Study(); done || err != nil { // whoever asks next is told
			return
		}
	}
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
