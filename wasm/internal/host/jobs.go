package host

import (
	"errors"
	"iter"
	"time"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/wasm/internal/protocol"
)

// Job is the work of a request that takes long. It runs on its own goroutine and calls progress every
// few milliseconds; the host answers requests only during these calls. It ends with the error of
// progress, or through [protocol.Stop].
type Job func(progress func(now any) error) (reply any, err error)

// Job returns the job of a request with an id, or nil if Handle answers the request at once. Errors
// are *learner.Error, or the error of progress.
func (h *Host) Job(id int, request any) Job {
	var work func(t *task) (any, error)
	switch req := request.(type) {
	case *protocol.Review:
		work = h.review
	case *protocol.Growth:
		work = h.measureCurve
	case *protocol.Train:
		work = func(t *task) (any, error) { return h.train(t, req) }
	case *protocol.Learn:
		work = func(t *task) (any, error) { return h.learn(t, req) }
	}
	if work == nil || h.learner == nil {
		return nil
	}
	t := &task{id: id}
	if h.tasks == nil {
		h.tasks = map[int]*task{}
	}
	h.tasks[id] = t
	return func(progress func(any) error) (any, error) {
		defer delete(h.tasks, id)
		t.progress = progress
		reply, err := work(t)
		if err != nil && !t.stopped {
			err = AsError(err)
		}
		return reply, err
	}
}

// task is a running job, and its learner.Context.
type task struct {
	id       int
	progress func(any) error
	stopped  bool
}

var errStopped = errors.New("the job was stopped")

// Err implements [learner.Context].
func (t *task) Err() error {
	if t.stopped {
		return errStopped
	}
	return nil
}

// stop ends a job. If it is a training that has ended, stop takes back its result.
func (h *Host) stop(id int) {
	if t := h.tasks[id]; t != nil {
		t.stopped = true
	} else if h.trained == id && id != 0 {
		h.learner.Rollback()
		h.trained = 0
	}
}

func (h *Host) review(t *task) (any, error) {
	return h.learner.Model().Review(t, func(int, int) error { return t.progress(nil) })
}

func (h *Host) learn(t *task, req *protocol.Learn) (any, error) {
	l, err := h.learnerOf(req)
	if err != nil {
		return nil, err
	}
	return nil, l.Model().Learn(t, func(int, int) error { return t.progress(nil) })
}

// measureCurve measures the learning curve, and starts again when examples change.
func (h *Host) measureCurve(t *task) (any, error) {
	for {
		m := h.learner.Model()
		curve, err := m.LearningCurve(t, func(now *answer.Curve) error {
			if h.learner.Model().Revision() != m.Revision() {
				return errChanged
			}
			return t.progress(now)
		})
		if err != errChanged {
			return curve, err
		}
	}
}

var errChanged = &learner.Error{Code: learner.CodeChanged, Message: "examples were added or removed during the training: train again"}

// train refines the model and publishes the result, unless the check finds no gain.
func (h *Host) train(t *task, how *protocol.Train) (any, error) {
	m := h.learner.Model()
	refined, gain, err := m.Refine(t, learner.Training{Passes: how.Passes, Check: how.Check}, func(now learner.Trained) error {
		if h.learner.Model().Revision() != m.Revision() {
			return errChanged
		}
		return t.progress(&protocol.Trained{Done: now.Done, Total: now.Total})
	})
	if err == nil && gain.Useless() {
		return &gain, nil
	}
	if err == nil {
		err = h.learner.Publish(refined)
	}
	if err == nil {
		h.trained = t.id
	}
	return &gain, err
}

// Study continues the learning of the classifier for one slice, and reports whether it is done.
func (h *Host) Study() (done bool, err error) {
	if h.learner == nil {
		return true, nil
	}
	return h.learning.study(h.learner.Model())
}

// learning runs the learning of a model in slices, between which the host answers requests.
type learning struct {
	model *learner.Model
	next  func() (struct{}, bool) // continues to the next report of progress, if any
	end   func()
	err   error
}

// studySlice is the duration of a slice of learning. It is shorter than the forward pass of a
// picture.
const studySlice = 8 * time.Millisecond

// study continues the learning of a model for one slice. It drops the learning of another model.
func (l *learning) study(m *learner.Model) (done bool, err error) {
	if l.model != m {
		if l.end != nil {
			l.end()
		}
		*l = learning{model: m}
		l.next, l.end = iter.Pull(func(yield func(struct{}) bool) {
			l.err = m.Learn(nil, func(int, int) error {
				if !yield(struct{}{}) {
					return errStopped
				}
				return nil
			})
		})
	}
	for begin := time.Now(); time.Since(begin) < studySlice; {
		if _, more := l.next(); !more {
			return true, l.err
		}
	}
	return false, nil
}
