package host

import (
	"context"
	"errors"
	"iter"
	"time"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/learner"
)

// job is long work that runs in slices: requests are answered in between. Its progress is T.
type job[T any] struct {
	next func() (T, bool)
	stop func()
	last T
	err  error
}

var errStopped = errors.New("the job was stopped")

// start returns a job of work, which has not begun. Whoever has no more use for the job
// stops it.
func start[T any](work func(progress func(T) error) error) *job[T] {
	j := new(job[T])
	j.next, j.stop = iter.Pull(func(yield func(T) bool) {
		j.err = work(func(at T) error {
			if !yield(at) {
				return errStopped
			}
			return nil
		})
	})
	return j
}

// slice works for about the given time, and reports whether all is done.
func (j *job[T]) slice(budget time.Duration) (done bool, err error) {
	for begin := time.Now(); ; {
		at, more := j.next()
		if !more {
			return true, j.err
		}
		if j.last = at; time.Since(begin) >= budget {
			return false, nil
		}
	}
}

// jobs are the jobs of a host, each nil or of a model.
type jobs struct {
	learning *job[struct{}]
	learns   *learner.Model // that learns

	curve    *job[*answer.Curve]
	curveOf  uint64 // revision
	refining *job[learner.Trained]
	refined  *learner.Model // nil until the end
}

// stop stops all jobs.
func (j *jobs) stop() {
	if j.learning != nil {
		j.learning.stop()
	}
	if j.curve != nil {
		j.curve.stop()
	}
	if j.refining != nil {
		j.refining.stop()
	}
	*j = jobs{}
}

// studySlice is how long a slice of learning takes: less than the pass of a picture through
// the network.
const studySlice = 8 * time.Millisecond

// study does a slice of a model's learning.
func (j *jobs) study(m *learner.Model) (done bool, err error) {
	if j.learns != m {
		if j.learning != nil {
			j.learning.stop()
		}
		j.learns, j.learning = m, start(func(progress func(struct{}) error) error {
			return m.Learn(context.Background(), func(int, int) error { return progress(struct{}{}) })
		})
	}
	return j.learning.slice(studySlice)
}

// grow does a slice of a model's learning curve.
func (j *jobs) grow(m *learner.Model, budget time.Duration) (*answer.Curve, error) {
	if j.curve == nil || j.curveOf != m.Revision() {
		if j.curve != nil {
			j.curve.stop()
		}
		j.curveOf, j.curve = m.Revision(), start(func(progress func(*answer.Curve) error) error {
			_, err := m.LearningCurve(context.Background(), progress)
			return err
		})
	}
	if _, err := j.curve.slice(budget); err != nil {
		j.curve = nil
		return nil, err
	}
	return j.curve.last, nil
}

// train begins to refine a model, in the place of earlier training that has not ended.
func (j *jobs) train(m *learner.Model, how learner.Training) (learner.Trained, error) {
	j.endTraining()
	refining := start(func(progress func(learner.Trained) error) (err error) {
		j.refined, _, err = m.Refine(context.Background(), how, progress)
		return err
	})
	if _, err := refining.slice(0); err != nil {
		return learner.Trained{}, err
	}
	j.refining = refining
	return refining.last, nil
}

// trainSlice does a slice of the training, at the end of which the learner answers by it.
func (j *jobs) trainSlice(l *learner.Learner, budget time.Duration) (now learner.Trained, finished bool, err error) {
	if j.refining == nil {
		return now, false, &learner.Error{Code: learner.CodeChanged, Message: "examples came or went while the classes were learned: train again"}
	}
	finished, err = j.refining.slice(budget)
	now = j.refining.last
	if finished && err == nil {
		err = l.Publish(j.refined)
	}
	if finished {
		j.endTraining()
	}
	return now, finished, err
}

// endTraining stops the training, and reports whether there was one.
func (j *jobs) endTraining() bool {
	if j.refining == nil {
		return false
	}
	j.refining.stop()
	j.refining, j.refined = nil, nil
	return true
}
