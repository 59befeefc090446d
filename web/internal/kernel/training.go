package kernel

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
	state TrainingState
	stop  chan struct{} // closed to end it
}

// State returns how far learning is.
func (t *Training) State() TrainingState {
	engine := t.k.Engine.get()
	inUse := engine != nil && engine.Learned()
	t.lock()
	defer t.unlock()
	state := t.state
	state.Learned = state.Learned && inUse
	return state
}

// Start learns from the examples.
func (t *Training) Start() {
	if t.k.Engine.get() == nil {
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
	milestone := t.k.Engine.milestone()
	go func() {
		<-milestone
		gain, err := t.k.Engine.get().Train(func(done, all int) {
			t.update(func() { t.state.Progress = Progress{done, all} })
		}, stop)
		t.update(func() { t.state, t.stop = TrainingState{Learned: err == nil, Gain: gain}, nil })
		if err != nil && codeOf(err) != CodeStopped {
			t.k.Notices.trouble(err)
		}
		t.k.Live.reclassify()
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
