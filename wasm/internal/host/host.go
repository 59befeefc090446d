package host

import (
	"errors"
	"fmt"
	"slices"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/wasm/internal/protocol"
)

// Host answers requests with a learner. The first request is [protocol.Init]. A Host is not safe for
// concurrent use.
type Host struct {
	learner     *learner.Learner
	draft       *learner.Learner // see protocol.Begin; optional
	inputs      *learner.Inputs  // of the latest inputs request
	latest      *learner.Answer  // the answer that explanations explain
	learning    learning
	tasks       map[int]*task // running jobs by the ids of their requests
	trained     int           // id of the latest finished training
	collections uint32        // of garbage, at the latest memory request

	// Crash, if not nil, makes the program fail in the given way, to answer [protocol.Crash].
	Crash func(how string)

	// Hearing, if not nil, reads sounds.
	Hearing learner.Hearing
}

// Handle answers one request, a pointer to a struct of package protocol. The slices of the reply are
// valid until the next call; an empty reply may be nil. Handle runs a job to its end.
//
// Errors are *learner.Error: "internal" for a nil request and for requests before init, otherwise the
// errors of the learner's methods.
func (h *Host) Handle(request any) (reply any, err error) {
	if job := h.Job(0, request); job != nil {
		return job(func(any) error { return nil })
	}
	if reply, err = h.handle(request); err != nil {
		return nil, AsError(err)
	}
	return reply, nil
}

func (h *Host) handle(request any) (any, error) {
	switch req := request.(type) {
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
		return nil, fail("request %q came before the engine was started: send init first", protocol.Type(request))
	}
	l, err := h.learnerOf(request)
	if err != nil {
		return nil, err
	}
	switch req := request.(type) {
	case *protocol.Reshape:
		return nil, l.Reshape(learner.Shape(req.Features))
	case *protocol.Configure:
		return h.configure(req)
	case *protocol.AddClass:
		if req.Nothing {
			return nil, l.AddBackgroundClass(req.ClassID, req.Label)
		}
		return nil, l.AddClass(req.ClassID, req.Label)
	case *protocol.RenameClass:
		return nil, l.RenameClass(req.ClassID, req.Label)
	case *protocol.RemoveClass:
		return nil, l.RemoveClass(req.ClassID)
	case *protocol.EnableClass:
		return nil, l.EnableClass(req.ClassID, req.Enabled)
	case *protocol.AddExample:
		return h.addExample(l, req)
	case *protocol.RemoveExample:
		return nil, l.RemoveExample(req.ExampleID)
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
		return h.embed(req)
	case *protocol.Explain:
		return h.explain(req.ClassID)
	case *protocol.Stop:
		h.stop(req.Job)
		return nil, nil
	case *protocol.Inputs:
		return h.cut(l, req)
	case *protocol.Encode:
		features, err := l.Encode(req.Crops)
		return &protocol.Encoded{Features: features}, err
	case *protocol.Memory:
		return h.memory(req.Collect), nil
	}
	return nil, fail("there is no request of this type: are all scripts of the same version?")
}

func (h *Host) init(req *protocol.Init) (any, error) {
	if h.learner != nil {
		return nil, fail("the engine was started already")
	}
	opt := learner.Options{
		Method: req.Method, Kit: learner.CommonParts(), Tuning: learner.Tuning{Skip: req.Skip},
		Hearing: h.Hearing, Lean: true, // the page stores the pictures
		Threads: 1, LowMemory: req.LowMemory,
	}
	var err error
	if req.Features == nil {
		h.learner, err = learner.OpenWith(req.Weights, opt)
	} else {
		h.learner, err = learner.NewFromFeatures(learner.Shape(*req.Features), opt)
	}
	if err != nil {
		return nil, err
	}
	return &protocol.Started{Info: info(h.learner), Method: h.learner.Method(), Choices: Choices()}, nil
}

// Choices returns the settings that hosts support.
func Choices() protocol.Choices {
	kit := learner.CommonParts()
	return protocol.Choices{
		Embedders:   available(method.Embedders(), kit.Embedders),
		Classifiers: available(method.Classifiers(), kit.Classifiers),
		Weightings:  available(method.Weightings(), kit.Weightings),
		Solvers:     available(method.Solvers(), kit.Solvers),
	}
}

func (h *Host) configure(req *protocol.Configure) (any, error) {
	wanted := req.Method.Complete()
	if _, err := learner.CommonParts().Classifier(wanted, learner.Tuning{}); err != nil {
		return nil, &learner.Error{Code: learner.CodeBadArgument, Message: err.Error()}
	}
	if !h.learner.TakesFeatures() && !wanted.Embedder.Equal(h.learner.Method().Embedder) {
		return &protocol.Configured{Method: wanted, Embeds: true}, nil
	}
	if err := h.learner.Configure(wanted, learner.Tuning{Skip: req.Skip}); err != nil {
		return nil, err
	}
	return &protocol.Configured{Method: h.learner.Method()}, nil
}

// begin makes a draft. After an error there is none: the previous draft is dropped.
func (h *Host) begin(req *protocol.Begin) (any, error) {
	h.draft = nil
	draft, err := h.learner.WithMethod(req.Method)
	if err != nil {
		return nil, err
	}
	h.draft = draft
	return &protocol.Begun{Info: info(draft), Method: draft.Method()}, nil
}

func (h *Host) commit() error {
	if h.draft == nil {
		return errNoDraft
	}
	h.learner, h.draft, h.latest = h.draft, nil, nil
	return nil
}

var errNoDraft = fail("there is no draft: send begin first")

// learnerOf returns the learner that a request uses: the current one, or the draft.
func (h *Host) learnerOf(request any) (*learner.Learner, error) {
	drafted, can := request.(interface{ InDraft() bool })
	switch {
	case !can || !drafted.InDraft():
		return h.learner, nil
	case h.draft == nil:
		return nil, errNoDraft
	}
	return h.draft, nil
}

func (h *Host) addExample(l *learner.Learner, req *protocol.AddExample) (any, error) {
	seen, err := l.AddExample(req.ClassID, req.ExampleID, h.picture(&req.Shown))
	if err != nil {
		return nil, err
	}
	reply := &protocol.Added{Pixels: (*answer.Image)(seen.View), Second: seen.Second}
	if req.Embedding == nil {
		reply.Original, reply.Embedding = (*answer.Image)(seen.Original), seen.Embedding.Data
	}
	if req.Answer && !l.IsBackground(req.ClassID) {
		m := l.Model()
		if _, err := h.learning.study(m); err != nil {
			return nil, err
		}
		if h.latest, err = m.ClassifyExample(req.ExampleID); err != nil {
			return nil, err
		}
		said := h.latest.Answer
		said.Seen, said.Second = nil, nil
		reply.Answer = &said
	}
	return reply, nil
}

// picture returns the picture with its features and embedding. Features belong to the latest inputs.
func (h *Host) picture(s *protocol.Shown) learner.Picture {
	p := s.Picture
	p.Features, p.Embedding, p.Inputs = s.Features, s.Embedding, nil
	if s.Features != nil {
		p.Inputs, h.inputs = h.inputs, nil
	}
	return p
}

func (h *Host) classify(req *protocol.Classify) (any, error) {
	m := h.learner.Model()
	classify := m.Classify
	if req.Live {
		classify = m.ClassifyLive
		if _, err := h.learning.study(m); err != nil {
			return nil, err
		}
	}
	a, err := classify(h.picture(&req.Shown))
	if err != nil {
		return nil, err
	}
	h.latest = a
	reply := a.Answer
	if !req.Pixels {
		reply.Seen, reply.Second = nil, nil
	}
	if req.Unknown && !h.learner.Method().Strangers.Name {
		if reply.Verdict, err = m.OpenSetScore(a); err != nil {
			return nil, err
		}
	}
	if req.Explain {
		if reply.Explanation, err = h.explain(req.ClassID); err != nil {
			return nil, err
		}
	}
	return &reply, nil
}

func (h *Host) explain(class string) (*answer.Explanation, error) {
	if h.latest == nil {
		return nil, &learner.Error{Code: learner.CodeEmpty, Message: "there is nothing to explain yet: classify a picture first"}
	}
	return h.learner.Model().Explain(h.latest, class)
}

func (h *Host) embed(req *protocol.Embed) (any, error) {
	set, err := h.learner.Embed(h.picture(&req.Shown))
	if err != nil {
		return nil, err
	}
	return &protocol.Embedding{Nodes: set.N, Channels: set.C, Data: set.Data, Regions: set.Regions, Summary: set.Summary}, nil
}

func (h *Host) cut(l *learner.Learner, req *protocol.Inputs) (any, error) {
	crops, err := l.Inputs(h.picture(&protocol.Shown{Picture: req.Picture}))
	if err != nil {
		return nil, err
	}
	h.inputs = crops
	return &protocol.Crops{Count: crops.N, Size: crops.Size, Pixels: crops.Pixels}, nil
}

// fail returns the error for an unexpected request.
func fail(format string, args ...any) *learner.Error {
	return &learner.Error{Code: learner.CodeInternal, Message: fmt.Sprintf(format, args...)}
}

// AsError converts an error to *learner.Error, with the code "internal" if it has no code.
func AsError(err error) *learner.Error {
	if e, ok := errors.AsType[*learner.Error](err); ok {
		return e
	}
	return &learner.Error{Code: learner.CodeInternal, Message: err.Error()}
}

// available returns the names that are in a table.
func available[T any](all []method.Name, table map[string]T) []method.Name {
	return slices.DeleteFunc(slices.Clone(all), func(n method.Name) bool { _, ok := table[n.Name]; return !ok })
}

func info(l *learner.Learner) protocol.Info {
	i := l.Info()
	return protocol.Info{
		Name: i.Name, Version: i.Version, Kernels: i.Kernels, Sound: l.IsAudio(), Features: l.TakesFeatures(), InputSize: i.InputSize,
		Preprocess: protocol.Preprocess(l.Preprocess()),
		Widths:     i.Widths, Nodes: i.Nodes, Channels: i.Channels, Crops: i.Inputs,
	}
}
