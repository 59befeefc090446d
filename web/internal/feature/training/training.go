// Package training is the feature that fits a classifier to the examples.
package training

import (
	"context"
	"sync"
	"time"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/web/internal/kernel"
)

// State is the progress of training.
type State struct {
	Running  bool
	Progress kernel.Progress
	Learned  bool          // answers use the result
	Gain     *answer.Gain  // on held-out examples; nil if there were none. If there is no gain, answers are as before
	Expected time.Duration // of the next training on this device; 0 while unknown
}

// Training fits a classifier to the examples.
type Training struct {
	*kernel.Report            // of the expected duration
	turn           sync.Mutex // the engine trains once at a time

	state State
	stop  context.CancelFunc // of the latest training
}

// New returns the training of a kernel.
func New(k *kernel.Kernel) *Training {
	t := &Training{stop: func() {}}
	t.Report = kernel.NewReport(k, 0, t.measure, func() {})
	return t
}

// measure extrapolates the expected duration from the second report of a training that it then stops. Until the first one,
// browsers compile the program again, for speed.
func (t *Training) measure(engine kernel.Engine, _ <-chan struct{}) {
	t.turn.Lock()
	defer t.turn.Unlock()
	var expected time.Duration
	stop, begin, first := make(chan struct{}), time.Now(), 0
	_, _ = engine.Train(func(done, all int) { // Start reports errors.
		switch {
		case first == 0 && done < all:
			begin, first = time.Now(), done
		case expected == 0 && done > first: // reports also come within a pass
			expected = max(1, time.Since(begin)*time.Duration(all)/time.Duration(done-first)) // 0 on a coarse clock
			close(stop)
		}
	}, stop)
	t.Update(func() {
		t.state.Expected = expected
		if !engine.Learned() {
			t.state.Gain = nil // of earlier examples
		}
	})
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
	ctx, stop := context.WithCancel(context.Background())
	started := false
	t.Update(func() {
		if started = !t.state.Running; started {
			t.state, t.stop = State{Running: true, Expected: t.state.Expected}, stop
		}
	})
	if !started {
		stop()
		return
	}
	barrier, project := t.K.Engine.Barrier(), t.K.Project.State().ID
	go func() {
		defer stop()
		<-barrier
		t.turn.Lock()
		defer t.turn.Unlock()
		gain, err := t.K.Engine.Get().Train(func(done, all int) {
			t.Update(func() { t.state.Progress = kernel.Progress{Done: done, All: all} })
		}, ctx.Done())
		t.Update(func() { t.state = State{Learned: err == nil, Gain: gain, Expected: t.state.Expected} })
		left := kernel.CodeOf(err) == kernel.CodeChanged && t.K.Project.State().ID != project
		if err != nil && kernel.CodeOf(err) != kernel.CodeStopped && !left {
			t.K.Notices.Trouble(err)
		}
		t.K.Engine.Relearned()
	}()
}

// Stop stops training without changing the answers.
func (t *Training) Stop() { kernel.Get(&t.Part, &t.stop)() }
