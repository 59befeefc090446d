package wasm

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/wasm/internal/protocol"
)

// Host answers requests by a learner. Its zero value waits for [protocol.Init]; it is
// not safe for concurrent use, as a worker is not.
type Host struct {
	learner  *learner.Learner
	draft    *learner.Learner // see protocol.Begin; nil for none
	inputs   *learner.Inputs  // of the latest request for them
	latest   *learner.Answer  // that explanations are about
	jobs     jobs
	observer observer

	// Crash, when set, answers [protocol.Crash] by making the program fail in the
	// given way.
	Crash func(how string)

	// Hearing, when set, is how the learner hears.
	Hearing learner.Hearing
}

// Handle answers one request. The reply's slices are valid until the next call.
//
// Errors are *learner.Error: "internal" for a request that comes before init or that
// is nil, else those of the learner's methods.
func (h *Host) Handle(req protocol.Request) (protocol.Reply, error) {
	reply, err := h.handle(req)
	if err != nil {
		return nil, asError(err)
	}
	return reply, nil
}

func (h *Host) handle(req protocol.Request) (protocol.Reply, error) {
	switch req := req.(type) {
	case nil:
		return nil, fail("there is no request of this type: are all scripts of the same version?")
	case *protocol.Init:
		return h.init(req)
	case *protocol.Crash:
		if h.Crash == nil {
			return nil, fail("this host cannot crash on request")
		}
		h.Crash(req.How)
		return nil, nil
	}
	if h.learner == nil {
		return nil, fail("request %q came before the engine was started: send init first", req.Type())
	}
	switch req := req.(type) {
	case *protocol.Reshape:
		shape, err := shapeOf(&req.Features)
		if err != nil {
			return nil, err
		}
		return nil, h.teach(req.Draft, func(l *learner.Learner) error { return l.Reshape(shape) })
	case *protocol.Configure:
		return h.configure(req)
	case *protocol.AddClass:
		return nil, h.teach(req.Draft, func(l *learner.Learner) error {
			if req.Nothing {
				return l.AddBackgroundClass(req.ClassID, req.Label)
			}
			return l.AddClass(req.ClassID, req.Label)
		})
	case *protocol.RenameClass:
		return nil, h.learner.RenameClass(req.ClassID, req.Label)
	case *protocol.RemoveClass:
		return nil, h.learner.RemoveClass(req.ClassID)
	case *protocol.EnableClass:
		return nil, h.teach(req.Draft, func(l *learner.Learner) error { return l.EnableClass(req.ClassID, req.Enabled) })
	case *protocol.AddExample:
		return h.addExample(req)
	case *protocol.RemoveExample:
		return nil, h.learner.RemoveExample(req.ExampleID)
	case *protocol.Begin:
		return h.begin(req)
	case *protocol.Commit:
		return nil, h.commit()
	case *protocol.Discard:
		h.draft = nil
		return nil, nil
	case *protocol.Classify:
		return h.classify(req)
	case *protocol.Embed:
		h.give(&req.Picture, req.Features, req.Embedding)
		set, err := h.learner.Embed(req.Picture)
		if err != nil {
			return nil, err
		}
		return &protocol.EmbedReply{Nodes: set.N, Channels: set.C, Data: set.Data, Regions: regions(set.Regions), Summary: set.Summary}, nil
	case *protocol.Explain:
		explanation, err := h.explain(req.ClassID)
		if err != nil {
			return nil, err
		}
		return &protocol.ExplainReply{Explanation: *wireExplanation(explanation)}, nil
	case *protocol.Review:
		review, err := h.learner.Model().Review(context.Background(), nil)
		if err != nil {
			return nil, err
		}
		return &protocol.ReviewReply{Review: reviewed(review)}, nil
	case *protocol.Study:
		l, err := h.which(req.Draft)
		if err != nil {
			return nil, err
		}
		done, err := h.jobs.study(l.Model())
		return &protocol.StudyReply{Done: done}, err
	case *protocol.Train:
		progress, err := h.jobs.train(h.learner.Model(), learner.Training{Passes: req.Passes, Check: req.Check})
		if err != nil {
			return nil, err
		}
		return &protocol.TrainReply{Trained: trained(progress, false)}, nil
	case *protocol.TrainSlice:
		progress, finished, err := h.jobs.trainSlice(h.learner, milliseconds(req.MS))
		if err != nil {
			return nil, err
		}
		return &protocol.TrainSliceReply{Trained: trained(progress, finished)}, nil
	case *protocol.Growth:
		growth, err := h.jobs.grow(h.learner.Model(), milliseconds(req.MS))
		if err != nil {
			return nil, err
		}
		return grown(growth), nil
	case *protocol.StopTraining:
		if !h.jobs.endTraining() {
			h.learner.Rollback()
		}
		return nil, nil
	case *protocol.Inputs:
		return h.cut(req)
	case *protocol.Encode:
		features, err := h.learner.Encode(req.Crops)
		return &protocol.EncodeReply{Features: features}, err
	case *protocol.Memory:
		return h.observer.memory(req.Collect), nil
	}
	return nil, fail("nothing answers requests of type %q", req.Type())
}

func (h *Host) init(req *protocol.Init) (protocol.Reply, error) {
	if h.learner != nil {
		return nil, fail("the engine was started already")
	}
	kit := learner.CommonParts()
	opened, err := open(req, learner.Options{
		Method: req.Method, Kit: kit, Tuning: learner.Tuning{Skip: req.Skip},
		Hearing: h.Hearing, Lean: true, // the page keeps what was seen
		Threads: 1, LowMemory: req.LowMemory,
	})
	if err != nil {
		return nil, err
	}
	h.learner = opened
	return &protocol.InitReply{Info: info(opened), Method: opened.Method(), Choices: choices(kit)}, nil
}

// open makes the learner that a start asks for.
func open(req *protocol.Init, opt learner.Options) (*learner.Learner, error) {
	if req.Features == nil {
		return learner.OpenWith(req.Weights, opt)
	}
	shape, err := shapeOf(req.Features)
	if err != nil {
		return nil, err
	}
	return learner.NewFromFeatures(shape, opt)
}

func (h *Host) configure(req *protocol.Configure) (protocol.Reply, error) {
	wanted := req.Method.Complete()
	if err := wanted.Validate(); err != nil {
		return nil, &learner.Error{Code: learner.CodeBadArgument, Message: err.Error()}
	}
	if !h.learner.TakesFeatures() && !wanted.Embedder.Equal(h.learner.Method().Embedder) {
		return &protocol.ConfigureReply{Method: wanted, Embeds: true}, nil
	}
	if err := h.learner.Configure(wanted, learner.Tuning{Skip: req.Skip}); err != nil {
		return nil, err
	}
	return &protocol.ConfigureReply{Method: h.learner.Method()}, nil
}

// begin makes a draft; on failure there is none.
func (h *Host) begin(req *protocol.Begin) (protocol.Reply, error) {
	h.draft = nil
	draft, err := h.learner.WithMethod(req.Method)
	if err != nil {
		return nil, err
	}
	h.draft = draft
	return &protocol.BeginReply{Info: info(draft), Method: draft.Method()}, nil
}

func (h *Host) commit() error {
	draft, err := h.which(true)
	if err != nil {
		return err
	}
	h.jobs.stop()
	h.learner, h.draft, h.latest = draft, nil, nil
	return nil
}

// which returns the learner that a request is for.
func (h *Host) which(draft bool) (*learner.Learner, error) {
	switch {
	case !draft:
		return h.learner, nil
	case h.draft == nil:
		return nil, fail("there is no draft: send begin first")
	}
	return h.draft, nil
}

// teach does something to the learner that a request is for.
func (h *Host) teach(draft bool, do func(*learner.Learner) error) error {
	l, err := h.which(draft)
	if err != nil {
		return err
	}
	return do(l)
}

func (h *Host) addExample(req *protocol.AddExample) (protocol.Reply, error) {
	l, err := h.which(req.Draft)
	if err != nil {
		return nil, err
	}
	h.give(&req.Picture, req.Features, req.Embedding)
	seen, err := l.AddExample(req.ClassID, req.ExampleID, req.Picture)
	if err != nil {
		return nil, err
	}
	reply := &protocol.AddExampleReply{Second: seen.Second}
	show((*answer.Image)(seen.View), &reply.Size, &reply.Pixels)
	if req.Embedding == nil {
		show((*answer.Image)(seen.Original), &reply.OriginalSize, &reply.Original)
		reply.Embedding = seen.Embedding.Data
	}
	if req.Answer && !l.IsBackground(req.ClassID) {
		m := l.Model()
		if _, err := h.jobs.study(m); err != nil {
			return nil, err
		}
		if h.latest, err = m.ClassifyExample(req.ExampleID); err != nil {
			return nil, err
		}
		reply.Scores, reply.MatchMS = scores(h.latest.Scores), h.latest.MatchMS
	}
	return reply, nil
}

// give gives a picture what is known of it. Features are of the latest inputs.
func (h *Host) give(p *learner.Picture, features, embedding []float32) {
	p.Features, p.Embedding = features, embedding
	if features != nil {
		p.Inputs, h.inputs = h.inputs, nil
	}
}

func (h *Host) classify(req *protocol.Classify) (protocol.Reply, error) {
	h.give(&req.Picture, req.Features, req.Embedding)
	m := h.learner.Model()
	classify := m.Classify
	if req.Live {
		classify = m.ClassifyLive
		if _, err := h.jobs.study(m); err != nil {
			return nil, err
		}
	}
	a, err := classify(req.Picture)
	if err != nil {
		return nil, err
	}
	h.latest = a
	reply := &protocol.ClassifyReply{Scores: scores(a.Scores), EmbedMS: a.EmbedMS, MatchMS: a.MatchMS}
	if req.Pixels {
		show(a.Seen, &reply.Size, &reply.Pixels)
		reply.Second = a.Second
	}
	verdict := a.Verdict
	if req.Unknown && !h.learner.Method().Strangers.Name {
		if verdict, err = m.OpenSetScore(a); err != nil {
			return nil, err
		}
	}
	reply.Unknown = unknown(verdict)
	if req.Explain {
		explanation, err := h.explain(req.ClassID)
		if err != nil {
			return nil, err
		}
		reply.Explanation = wireExplanation(explanation)
	}
	return reply, nil
}

// explain explains the latest answer.
func (h *Host) explain(class string) (*answer.Explanation, error) {
	if h.latest == nil {
		return nil, &learner.Error{Code: learner.CodeEmpty, Message: "there is nothing to explain yet: classify a picture first"}
	}
	return h.learner.Model().Explain(h.latest, class)
}

func (h *Host) cut(req *protocol.Inputs) (protocol.Reply, error) {
	l, err := h.which(req.Draft)
	if err != nil {
		return nil, err
	}
	crops, err := l.Inputs(req.Picture)
	if err != nil {
		return nil, err
	}
	h.inputs = crops
	return &protocol.InputsReply{Count: crops.N, Size: crops.Size, Pixels: crops.Pixels}, nil
}

func milliseconds(n float64) time.Duration { return time.Duration(n * float64(time.Millisecond)) }

// fail returns an error of the protocol's: a request that should not have come.
func fail(format string, args ...any) *learner.Error {
	return &learner.Error{Code: learner.CodeInternal, Message: fmt.Sprintf(format, args...)}
}

// asError gives any error a code: "internal" where it has none.
func asError(err error) *learner.Error {
	var e *learner.Error
	if errors.As(err, &e) {
		return e
	}
	return &learner.Error{Code: learner.CodeInternal, Message: err.Error()}
}

// choices lists what a kit has.
func choices(k learner.Kit) (c protocol.Choices) {
	for _, e := range method.Embedders() {
		c.Embedders = add(c.Embedders, e, k.Embedders[e.Name] != nil)
	}
	for _, e := range method.Classifiers() {
		c.Classifiers = add(c.Classifiers, e, k.Classifiers[e.Name] != nil)
	}
	for _, e := range method.Weightings() {
		c.Weightings = add(c.Weightings, e, k.Weightings[e.Name] != nil)
	}
	for _, e := range method.Solvers() {
		c.Solvers = add(c.Solvers, e, k.Solvers[e.Name] != nil)
	}
	return c
}

func add(list []protocol.Choice, n method.Name, there bool) []protocol.Choice {
	if !there {
		return list
	}
	return append(list, protocol.Choice{Name: n.Name, What: n.What})
}
