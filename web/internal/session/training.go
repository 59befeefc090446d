package session

// Gain says how learning did on examples that it did not see.
type Gain struct {
	Of, Before, After int // so many of them were right
	Known             bool
}

// TrainingState is how far learning from the examples is.
type TrainingState struct {
	Running  bool
	Progress Progress
	Learned  bool // answers come from what was learned
	Gain     Gain
}

// Training is learning from the examples what tells the classes apart.
type Training struct {
	part
	queue   *EngineQueue
	notices *Notices

	learned func() // called when another answer may come of it

	state TrainingState
	stop  chan struct{} // closed to end it
}

func newTraining(queue *EngineQueue, notices *Notices) *Training {
	return &Training{queue: queue, notices: notices}
}

// State returns how far learning is.
func (t *Training) State() TrainingState {
	engine := t.queue.get()
	inUse := engine != nil && engine.Learned()
	t.mu.Lock()
	defer t.mu.Unlock()
	state := t.state
	state.Learned = state.Learned && inUse
	return state
}

// Start learns from the examples.
func (t *Training) Start() {
	if t.queue.get() == nil {
		return
	}
	stop := make(chan struct{})
	started := false
	t.update(func() {
		if started = !t.state.Running; started {
			t.state, t.stop = TrainingState{Running: true}, stop
		}
	})
	if !started {
		return
	}
	milestone := t.queue.milestone()
	go func() {
		<-milestone
		gain, err := t.queue.get().Train(func(done, all int) {
			t.update(func() { t.state.Progress = Progress{done, all} })
		}, stop)
		t.update(func() { t.state, t.stop = TrainingState{Learned: err == nil, Gain: gain}, nil })
		if err != nil && codeOf(err) != CodeStopped {
			t.notices.trouble(err)
		}
		t.learned()
	}()
}

// Stop ends learning: answers stay as they were.
func (t *Training) Stop() {
	t.update(func() {
		if t.stop != nil {
			close(t.stop)
			t.stop = nil
		}
	})
}
