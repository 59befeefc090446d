package host

import (
	"errors"
	"time"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/learner"
)

// job is long work on a goroutine, which runs in slices: between them, requests are answered.
// Only one of the two goroutines runs at a time.
type job struct {
	turn chan bool // true to continue, false to stop
	rest chan bool // whether all is done
	over bool
	err  error
}

var errStopped = errors.New("the job was stopped")

// start returns a job, which has not begun. Work calls pause every few milliseconds. The
// caller ends the job with stop, or with slices until all is done.
func start(work func(pause func() error) error) *job {
	j := &job{turn: make(chan bool), rest: make(chan bool)}
	go func() {
		if <-j.turn {
			j.err = work(func() error {
				j.rest <- false
				if !<-j.turn {
					return errStopped
				}
				return nil
			})
		}
		j.rest <- true
	}()
	return j
}

// slice works for about the given time, and reports whether all is done.
func (j *job) slice(budget time.Duration) (done bool, err error) {
	for begin := time.Now(); !j.over; {
		j.turn <- true
		if j.over = <-j.rest; time.Since(begin) >= budget {
			break
		}
	}
	if j.over {
		err = j.err
	}
	return j.over, err
}

// stop ends a job, which may be nil.
func (j *job) stop() {
	for j != nil && !j.over {
		j.turn <- false
		j.over = <-j.rest
	}
}

// jobs are the jobs of a host, nil or of a model, and their progress.
type jobs struct {
	learning *job
	learns   *learner.Model

	measuring *job
	measures  uint64 // the model's revision
	curve     *answer.Curve

	training *job
	trains   uint64 // likewise
	trained  learner.Trained
	refined  *learner.Model // nil until the end
}

// stop stops all jobs.
func (j *jobs) stop() {
	j.learning.stop()
	j.measuring.stop()
	j.training.stop()
	*j = jobs{}
}

// studySlice is the duration of a slice of learning: less than the pass of a picture through
// the network.
const studySlice = 8 * time.Millisecond

// study does a slice of a model's learning.
func (j *jobs) study(m *learner.Model) (done bool, err error) {
	if j.learns != m {
		j.learning.stop()
		j.learns, j.learning = m, start(func(pause func() error) error {
			return m.Learn(nil, func(int, int) error { return pause() })
		})
	}
	return j.learning.slice(studySlice)
}

// grow does a slice of a model's learning curve.
func (j *jobs) grow(m *learner.Model, budget time.Duration) (*answer.Curve, error) {
	if j.measuring == nil || j.measures != m.Revision() {
		j.measuring.stop()
		j.measures, j.measuring = m.Revision(), start(func(pause func() error) error {
			_, err := m.LearningCurve(nil, func(c *answer.Curve) error {
				j.curve = c
				return pause()
			})
			return err
		})
	}
	if _, err := j.measuring.slice(budget); err != nil {
		j.measuring = nil
		return nil, err
	}
	return j.curve, nil
}

// train begins to refine a model. It ends earlier training.
func (j *jobs) train(m *learner.Model, how learner.Training) (learner.Trained, error) {
	j.endTraining()
	j.trains, j.training = m.Revision(), start(func(pause func() error) (err error) {
		j.refined, _, err = m.Refine(nil, how, func(now learner.Trained) error {
			j.trained = now
			return pause()
		})
		return err
	})
	if _, err := j.training.slice(0); err != nil {
		j.endTraining()
		return learner.Trained{}, err
	}
	return j.trained, nil
}

// trainSlice does a slice of the training. At its end the refined model answers.
func (j *jobs) trainSlice(l *learner.Learner, budget time.Duration) (now learner.Trained, finished bool, err error) {
	if j.training == nil || j.trains != l.Model().Revision() {
		j.endTraining()
		return now, false, &learner.Error{Code: learner.CodeChanged, Message: "examples came or went while the classes were learned: train again"}
	}
	finished, err = j.training.slice(budget)
	now = j.trained
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
	if j.training == nil {
		return false
	}
	j.training.stop()
	j.training, j.refined = nil, nil
	return true
}
