package session

// Gain is what learning has changed for examples that it did not see.
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

type training struct {
	TrainingState
	stop chan struct{}
}

// Training returns how far learning is.
func (s *Session) Training() TrainingState {
	s.mu.Lock()
	defer s.mu.Unlock()
	state := s.training.TrainingState
	state.Learned = state.Learned && s.engine != nil && s.engine.Learned()
	return state
}

// Train learns from the examples what tells the classes apart.
func (s *Session) Train() {
	stop := make(chan struct{})
	started := false
	s.update(func() {
		if s.training.Running || s.engine == nil {
			return
		}
		started = true
		s.training = training{TrainingState{Running: true}, stop}
	}, Reviews)
	if !started {
		return
	}
	settled := s.settled()
	go func() {
		<-settled
		gain, err := s.engine.Train(func(done, all int) {
			s.update(func() { s.training.Progress = Progress{done, all} }, Reviews)
		}, stop)
		s.update(func() {
			s.training = training{TrainingState: TrainingState{Learned: err == nil, Gain: gain}}
		}, Reviews)
		if err != nil && codeOf(err) != CodeStopped {
			s.trouble(err)
		}
		s.reclassify()
	}()
}

// StopTraining ends learning: answers stay as they were.
func (s *Session) StopTraining() {
	s.update(func() {
		if s.training.stop != nil {
			close(s.training.stop)
			s.training.stop = nil
		}
	}, Reviews)
}
