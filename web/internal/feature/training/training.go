// Package training is the feature that fits a classifier to the examples.
package training

import (
	"github.com/deepemd/deepemd/web/internal/kernel"

	"github.com/deepemd/deepemd/core/answer"
)

// State is the progress of training.
type State struct {
	Running  bool
	Progress kernel.Progress
	Learned  bool         // answers use the result
	Gain     *answer.Gain // on held-out examples; nil if there were none
}

// Training fits a classifier to the examples.
type Training struct {
	kernel.Part
	state State
	stop  chan struct{} // closed to stop it
}

// State returns the progress of training.
func (t *Training) State() State {
	engine := t.K.Engine.Get()
	inUse := engine != nil && engine.Learned()
	t.Lock()
	defer t.Unlock()
	state := t.state
	state.Learned = state.Learned && inUse
	return state
}

// Start starts training.
func (t *Training) Start() {
	if t.K.Engine.Get() == nil {
		return
	}
	stop := make(chan struct{})
	started := false
	t.Update(func() {
		if started = !t.state.Running; started {
			t.state, t.stop = State{Running: true}, stop
		}
	})
	if !started {
		return
	}
	barrier := t.K.Engine.Barrier()
	go func() {
		<-barrier
		gain, err := t.K.Engine.Get().Train(func(done, all int) {
			t.Update(func() { t.state.Progress = kernel.Progress{Done: done, All: all} })
		}, stop)
		t.Update(func() { t.state, t.stop = State{Learned: err == nil, Gain: gain}, nil })
		if err != nil && kernel.CodeOf(err) != kernel.CodeStopped {
			t.K.Notices.Trouble(err)
		}
		t.K.Engine.Relearned()
	}()
}

// Stop stops training without changing the answers.
func (t *Training) Stop() {
	t.Update(func() {
		if t.stop != nil {
			close(t.stop)
			t.stop = nil
		}
	})
}
