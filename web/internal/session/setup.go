package session

import (
	"slices"

	"github.com/deepemd/deepemd/core/method"
)

// Setup is how pictures are recognised: what a person chooses among in the
// settings. Names are those of deepemd.js; the zero value stands for its defaults.
type Setup struct {
	Embedder    string // "fcn", "grid" or "sampling"
	Pyramid     []int  // of fcn
	Grid        []int  // of grid
	Patches     int    // of sampling
	Classifier  string
	Weighting   string
	Solver      string
	Temperature float64
}

// Mode is a setup that has a name.
type Mode string

// The modes, and Custom for every other setup.
const (
	Fast     Mode = "fast"     // one pass through the network
	Balanced Mode = "balanced" // the same pass, looked at from further away too
	Accurate Mode = "accurate" // a pass for each of some crops
	Custom   Mode = "custom"
)

// Modes lists the modes, the fastest first.
var Modes = []Mode{Fast, Balanced, Accurate}

// Setup returns what a mode stands for.
func (m Mode) Setup() Setup {
	switch m {
	case Balanced:
		return Setup{Pyramid: []int{2, 1}}
	case Accurate:
		return Setup{Embedder: "sampling", Patches: 9}
	}
	return Setup{}
}

// Mode is the mode that a setup is.
func (u Setup) Mode() Mode {
	for _, m := range Modes {
		if u.Equal(m.Setup()) {
			return m
		}
	}
	return Custom
}

// Equal reports whether two setups do the same.
func (u Setup) Equal(v Setup) bool {
	u, v = u.complete(), v.complete()
	return u.Embedder == v.Embedder && slices.Equal(u.Pyramid, v.Pyramid) && slices.Equal(u.Grid, v.Grid) && u.Patches == v.Patches &&
		u.Classifier == v.Classifier && u.Weighting == v.Weighting && u.Solver == v.Solver && u.Temperature == v.Temperature
}

// complete fills in the defaults, and leaves out what belongs to other embedders.
func (u Setup) complete() Setup {
	fill := func(s *string, with string) {
		if *s == "" {
			*s = with
		}
	}
	fill(&u.Embedder, "fcn")
	fill(&u.Classifier, "prototype")
	fill(&u.Weighting, "cross-reference")
	fill(&u.Solver, "simplex")
	if u.Embedder != "fcn" {
		u.Pyramid = nil
	}
	if u.Embedder != "grid" {
		u.Grid = nil
	} else if len(u.Grid) == 0 {
		u.Grid = []int{2, 3}
	}
	if u.Embedder != "sampling" {
		u.Patches = 0
	} else if u.Patches == 0 {
		u.Patches = 9
	}
	if u.Temperature == 0 {
		u.Temperature = UsualTemperature
	}
	return u
}

// UsualTemperature is that of the published method.
const UsualTemperature = method.Temperature

// Complete is the setup with every default filled in.
func (u Setup) Complete() Setup { return u.complete() }

// SetupState is how pictures are recognised, and how far a change of that is.
type SetupState struct {
	Setup    Setup
	Changing *Progress        // of the examples that are embedded anew; nil when nothing is
	Rates    map[Mode]float64 // answers a second, as measured live in this visit
	Weights  string           // the file of the person's own network, or ""
	Memory   int              // bytes that the examples take on this page
}

// SetupState returns how pictures are recognised.
func (s *Session) SetupState() SetupState {
	s.mu.Lock()
	defer s.mu.Unlock()
	rates := map[Mode]float64{}
	for m, r := range s.setup.rates {
		rates[m] = r
	}
	state := SetupState{Setup: setupOf(s.method), Changing: copied(s.setup.changing), Rates: rates, Weights: s.setup.weights}
	if s.engine != nil {
		state.Memory = s.engine.Memory()
	}
	return state
}

// setups is the part of the session that is about setups.
type setups struct {
	applied  Setup // what the engine does
	weights  string
	changing *Progress
	stop     chan struct{} // closed to end the change under way
	rates    map[Mode]float64
}

// ChangeSetup has pictures recognised in another way. Every example is kept, and
// embedded anew where that is needed, while answers go on. What the engine refuses
// is said, and undone.
func (s *Session) ChangeSetup(next Setup) {
	s.StopSetup()
	s.update(func() { next.put(&s.method) }, Projects, Setups)
	s.touch()
	s.applySetup()
}

// StopSetup ends a change that is under way: what was before stays.
func (s *Session) StopSetup() {
	s.update(func() {
		if s.setup.stop != nil {
			close(s.setup.stop)
			s.setup.stop = nil
		}
	}, Setups)
}

// ChangeWeights has another network recognise pictures: the person's own
// (safetensors), or for nil the one that comes with the page. A change of setup that
// is under way is completed first: to stop it would take back what was wanted.
func (s *Session) ChangeWeights(file *File) {
	s.tell(func(e Engine) error { return s.configure(e, file, true) })
}

// applySetup has the engine do what the settings say, after all that it was told.
func (s *Session) applySetup() {
	s.mu.Lock()
	known := s.engine != nil
	s.mu.Unlock()
	if known {
		s.tell(s.matchSetup)
	}
}

// matchSetup makes the engine do what the settings say, unless it does.
func (s *Session) matchSetup(e Engine) error { return s.configure(e, nil, false) }

// configure is matchSetup with another network, too.
func (s *Session) configure(e Engine, file *File, weights bool) error {
	var wanted, applied Setup
	stop := make(chan struct{})
	s.update(func() {
		wanted, applied = setupOf(s.method), s.setup.applied
		if weights || !wanted.Equal(applied) {
			s.setup.stop = stop
			s.setup.changing = &Progress{0, s.examples()}
		}
	}, Setups)
	if !weights && wanted.Equal(applied) {
		return nil
	}
	err := e.Configure(wanted, Weights{file, weights}, func(done, all int) {
		s.update(func() { s.setup.changing = &Progress{done, all} }, Setups)
	}, stop)
	s.update(func() {
		s.setup.stop, s.setup.changing = nil, nil
		if err != nil {
			if setupOf(s.method).Equal(wanted) {
				applied.put(&s.method)
			}
			return
		}
		s.setup.applied = wanted
		if weights {
			s.setup.weights = ""
			if file != nil {
				s.setup.weights = file.Name
			}
		}
		s.engineState.Info = e.Info()
		s.rate = rate{}
	}, Setups, Engines, Classes, Projects)
	s.touch()
	if err != nil && codeOf(err) != CodeStopped {
		s.post(setupRefused(err))
	}
	s.reclassify()
	s.examine()
	return nil
}

// Weights are a network to change to.
type Weights struct {
	File   *File // nil for the one that comes with the page
	Change bool  // false to leave the network as it is
}

// CodeStopped is the code of what the person has stopped.
const CodeStopped = "AbortError"

// measured takes note of how fast answers come in the mode of now. The lock is
// held.
func (s *Session) measured() {
	if r := s.rate.perSecond(); r > 0 && len(s.rate.times) > 3 && s.setup.changing == nil {
		if s.setup.rates == nil {
			s.setup.rates = map[Mode]float64{}
		}
		s.setup.rates[s.setup.applied.Mode()] = r
	}
}

// setupOf reads the setup of a project's method.
func setupOf(m method.Method) Setup {
	return Setup{
		Embedder: m.Embedder.Kind, Pyramid: m.Embedder.Pyramid, Grid: m.Embedder.Grid, Patches: m.Embedder.Patches,
		Classifier: m.Classifier, Weighting: m.Weighting, Solver: m.Solver, Temperature: m.Temperature,
	}
}

// put writes the setup into a project's method.
func (u Setup) put(m *method.Method) {
	u = u.complete()
	m.Embedder = method.Embedder{Kind: u.Embedder, Pyramid: u.Pyramid, Grid: u.Grid, Patches: u.Patches}.Complete()
	m.Classifier, m.Weighting, m.Solver, m.Temperature = u.Classifier, u.Weighting, u.Solver, u.Temperature
}
