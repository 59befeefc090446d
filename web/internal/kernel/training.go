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
	Part
	state TrainingState
	stop  chan struct{} // closed to end it
}

// State returns how far learning is.
func (t *Training) State() TrainingState {
	engine := t.K.Engine.Get()
	inUse := engine != nil && engine.Learned()
	t.Lock()
	defer t.Unlock()
	state := t.state
	state.Learned = state.Learned && inUse
	return state
}

// Start learns from the examples.
func (t *Training) Start() {
	if t.K.Engine.Get() == nil {
		return
	}
	stop := make(chan struct{})
	started := false
	t.Update(func() {
		if started = !t.state.Running; started {
			t.state, t.stop = TrainingState{Running: true}, stop
		}
	})
	if !started {
		return
	}
	milestone := t.K.Engine.Milestone()
	go func() {
		<-milestone
		gain, err := t.K.Engine.Get().Train(func(done, all int) {
			t.Update(func() { t.state.Progress = Progress{done, all} })
		}, stop)
		t.Update(func() { t.state, t.stop = TrainingState{Learned: err == nil, Gain: gain}, nil })
		if err != nil && CodeOf(err) != CodeStopped {
			t.K.Notices.Trouble(err)
		}
		t.K.Live.Reclassify()
	}()
}

// Stop ends learning: answers stay as they were.
func (t *Training) Stop() {
	t.Update(func() {
		if t.stop != nil {
			close(t.stop)
			t.stop = nil
		}
	})
}
