package wasm

import (
	"time"

	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/core/parts"
)

// Host answers requests. Its zero value waits for "init"; it is not safe for
// concurrent use, as a worker is not.
type Host struct {
	learner  *learner.Learner
	observer observer

	// Crash, when set, answers requests of type "crash" by making the program
	// fail in the given way.
	Crash func(how string)

	// Hearing, when set, is how the engine hears.
	Hearing learner.Hearing
}

// Handle answers one request. The reply's slices are valid until the next call.
//
// Errors are *Error: "internal" for a request that comes before init or that is
// of no known type, else those of the learner's methods.
func (h *Host) Handle(req *Request) (Reply, error) {
	reply, err := h.handle(req)
	if err != nil {
		return Reply{}, asError(err)
	}
	return reply, nil
}

func (h *Host) handle(req *Request) (reply Reply, err error) {
	switch req.Type {
	case TypeInit:
		return h.init(req)
	case TypeCrash:
		if h.Crash == nil {
			return reply, fail("this host cannot crash on request")
		}
		h.Crash(req.How)
		return reply, nil
	}
	if h.learner == nil {
		return reply, fail("request %q came before the engine was started: send %q first", req.Type, TypeInit)
	}
	switch req.Type {
	case TypeAddClass:
		err = h.learner.AddClass(req.ClassID, req.Label)
	case TypeRenameClass:
		err = h.learner.RenameClass(req.ClassID, req.Label)
	case TypeRemoveClass:
		err = h.learner.RemoveClass(req.ClassID)
	case TypeAddExample:
		if req.Embedding != nil {
			reply.Picture, err = h.learner.RestoreExample(req.ClassID, req.ExampleID, req.Picture, req.Embedding)
		} else if reply.Picture, err = h.learner.AddExample(req.ClassID, req.ExampleID, req.Picture); err == nil {
			reply.Original = h.learner.Original()
			reply.Embedding, err = h.learner.Embedding(req.ExampleID)
		}
		if err == nil && req.Answer {
			reply.Answer, err = h.learner.ClassifyExample(req.ExampleID)
		}
	case TypeRemoveExample:
		err = h.learner.RemoveExample(req.ExampleID)
	case TypeTrain:
		reply.Trained, err = h.learner.Train(req.Train)
	case TypeTrainSlice:
		reply.Trained, err = h.learner.TrainSlice(time.Duration(req.SliceMS * float64(time.Millisecond)))
	case TypeStopTraining:
		h.learner.StopTraining()
	case TypeMemory:
		reply.Memory = h.observer.memory()
	case TypeInputs:
		reply.Inputs, err = h.learner.Inputs(req.Picture)
	case TypeEncode:
		reply.Features, err = h.learner.Encode(req.Crops)
	case TypeClassify:
		if reply.Answer, err = h.learner.Classify(req.Picture); err != nil {
			break
		}
		if req.Pixels {
			reply.Picture = reply.Answer.Seen
		}
		if req.Unknown && reply.Answer.Familiarity == nil {
			reply.Answer.Familiarity, err = h.learner.Familiarity()
		}
		if err == nil && req.Explain {
			reply.Explanation, err = h.learner.Explain(req.ClassID)
		}
	case TypeEnableClass:
		err = h.learner.EnableClass(req.ClassID, req.Enabled)
	case TypeConfigure:
		err = h.learner.Configure(req.Options.Method, parts.Tuning{Skip: req.Options.Skip})
	case TypeReview:
		reply.Review, err = h.learner.Review()
	case TypeExplain:
		reply.Explanation, err = h.learner.Explain(req.ClassID)
	default:
		err = fail("there is no request of type %q", req.Type)
	}
	if reply.Picture != nil {
		reply.Second = h.learner.Second()
	}
	return reply, err
}

func (h *Host) init(req *Request) (Reply, error) {
	if h.learner != nil {
		return Reply{}, fail("the engine was started already")
	}
	opened, err := learner.Open(req.Weights, learner.Options{
		Method: req.Options.Method, Kit: parts.Common(), Tuning: parts.Tuning{Skip: req.Options.Skip},
		Hearing: h.Hearing, Patience: patience, Lean: true, // the page keeps what was seen
		Threads: 1, LowMemory: req.Options.LowMemory,
	})
	if err != nil {
		return Reply{}, err
	}
	h.learner = opened
	info := opened.Info()
	return Reply{Info: &info}, nil
}

// patience is how many times as long as it takes a calibration is good for, though
// examples have come meanwhile: capturing goes on at speed.
const patience = 20
