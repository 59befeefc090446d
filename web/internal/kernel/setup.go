package kernel

import (
	"maps"
	"slices"

	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// SetupState is how things are recognised, and how far a change of that is.
type SetupState struct {
	Method   method.Method
	Changing *Progress        // of the examples that are embedded again; nil when nothing is
	Network  bool             // that change is of the network
	Rates    map[Mode]float64 // answers a second, as measured live in this visit
	Memory   int              // bytes that the examples take on this page
}

// Setup is how things are recognised: the method of the project that is open, and the
// one that the engine follows.
type Setup struct {
	Part
	method   method.Method // of the project
	follows  method.Method // what the engine does
	weights  Weights       // what the engine runs
	changing *Progress
	stop     chan struct{} // closed to end the change under way
	network  bool          // that change is of the network
	rates    map[Mode]float64
}

func newSetup(s *Kernel) *Setup {
	return &Setup{
		Part:   Part{K: s},
		method: method.Default(), follows: method.Default(), rates: map[Mode]float64{},
	}
}

// State returns how things are recognised.
func (s *Setup) State() SetupState {
	memory := 0
	if e := s.K.Engine.Get(); e != nil {
		memory = e.Memory()
	}
	s.Lock()
	defer s.Unlock()
	return SetupState{Method: s.method, Changing: copied(s.changing), Network: s.network, Rates: maps.Clone(s.rates), Memory: memory}
}

// Method returns the method of the project that is open.
func (s *Setup) Method() method.Method {
	s.Lock()
	defer s.Unlock()
	return s.method
}

// adopt takes the method of another project over. What it returns has the engine follow
// it.
func (s *Setup) adopt(m method.Method) operation {
	s.Update(func() { s.method = m.Complete() })
	return s.follow
}

// Choose has things recognised as a mode does; what was chosen of strangers stays.
func (s *Setup) Choose(mode Mode) {
	s.Change(func(m *method.Method) {
		strangers := m.Strangers
		*m = mode.Method()
		m.Strangers = strangers
	})
}

// Change has things recognised in another way. Every example is kept, and embedded again
// where that is needed, while answers go on. What the engine refuses is said, and undone.
// It takes the place of a change that is under way, unless that is of the network.
func (s *Setup) Change(change func(*method.Method)) {
	s.Lock()
	network := s.network
	s.Unlock()
	if !network {
		s.Stop()
	}
	s.choose(change)
}

// ChangeStrangers changes what is said of things of none of the classes. A change of the
// rest that is under way goes on.
func (s *Setup) ChangeStrangers(change func(*method.Strangers)) {
	s.choose(func(m *method.Method) {
		change(&m.Strangers)
		m.Strangers.Strictness = min(max(m.Strangers.Strictness, 0), 1)
	})
}

func (s *Setup) choose(change func(*method.Method)) {
	s.Update(func() { change(&s.method) })
	s.K.Project.Touch()
	if s.K.Engine.Get() != nil { // Else it will be told when it is there.
		s.K.Engine.enqueue(s.follow)
	}
}

// Stop ends a change that is under way: what was before stays.
func (s *Setup) Stop() {
	s.Update(func() {
		if s.stop != nil {
			close(s.stop)
			s.stop = nil
		}
	})
}

// ChangeNetwork has another network recognise things. A change of the method that is under way is completed first: to
// stop it would take back what was wanted. It returns once all examples are embedded again;
// after an error all is as before.
func (s *Setup) ChangeNetwork(weights Weights) error {
	outcome := make(chan error, 1)
	s.K.Engine.enqueue(func(e Engine) error {
		outcome <- s.reconfigure(e, &weights)
		return nil
	})
	return <-outcome
}

// follow makes the engine follow the project's method, unless it does.
func (s *Setup) follow(e Engine) error {
	s.Lock()
	wanted, follows := s.method, s.follows
	s.Unlock()
	switch {
	case wanted.Equal(follows):
	case sameAnswers(wanted, follows):
		return s.retell(e, wanted)
	default:
		if err := s.reconfigure(e, nil); err != nil && CodeOf(err) != CodeStopped {
			s.K.Notices.Post(setupRefused(err))
		}
	}
	return nil
}

// retell has the engine say something else of strangers.
func (s *Setup) retell(e Engine, wanted method.Method) error {
	if err := e.Configure(wanted, nil, func(int, int) {}, nil); err != nil {
		return err
	}
	s.Update(func() { s.follows = wanted })
	s.K.Live.Reclassify()
	return nil
}

// reconfigure has the engine follow the project's method, perhaps with another network.
func (s *Setup) reconfigure(e Engine, weights *Weights) error {
	all := s.K.Classes.Examples()
	var wanted method.Method
	stop := make(chan struct{})
	s.Update(func() {
		wanted = s.method
		s.stop, s.changing, s.network = stop, &Progress{0, all}, weights != nil
	})
	err := e.Configure(wanted, weights, func(done, all int) {
		s.Update(func() { s.changing = &Progress{done, all} })
	}, stop)
	s.Update(func() {
		s.stop, s.changing, s.network = nil, nil, false
		if err != nil {
			if sameAnswers(s.method, wanted) { // Nothing else was chosen meanwhile.
				strangers := s.method.Strangers
				s.method = s.follows
				s.method.Strangers = strangers
			}
			return
		}
		s.follows = wanted
		if weights != nil {
			s.weights = *weights
			clear(s.rates)
		}
	})
	if err == nil {
		s.K.Engine.configured()
	}
	s.K.Project.Touch()
	s.K.Live.newRate()
	s.K.Grow(func(r *Revisions) { r.Method++ })
	s.K.Live.Reclassify()
	return err
}

func setupRefused(err error) Notice {
	return Notice{Key: NoticeEngine, Kind: Warning, Detail: Detail(err), Say: func(t *texts.Texts) (title, text string) { return t.Setup.Refused, Reason(t, err) }}
}

// CodeStopped is the code of what the person has stopped.
const CodeStopped = "AbortError"

// measured takes note of how fast answers come in the mode of now.
func (s *Setup) measured(perSecond float64) {
	s.Lock()
	defer s.Unlock()
	if s.changing == nil {
		s.rates[ModeOf(s.follows)] = perSecond
	}
}

// Mode is a method that has a name on the page.
type Mode string

// The modes, and Custom for every other method.
const (
	Fast     Mode = "fast"     // one pass through the network
	Balanced Mode = "balanced" // the same pass, looked at from further away too
	Custom   Mode = "custom"
)

// Modes lists the modes, the fastest first.
var Modes = []Mode{Fast, Balanced}

// Offered lists the modes that are measured to be better than those before them in
// projects of a kind (docs/results/accuracy.md): sounds gain
// nothing from a second look. With them comes Custom, where a method is none of these.
func Offered(kind string, m method.Method) (modes []Mode, chosen Mode) {
	modes, chosen = Modes, ModeOf(m)
	if kind == project.KindSound {
		modes = Modes[:1]
	}
	if !slices.Contains(modes, chosen) {
		modes, chosen = append(slices.Clone(modes), Custom), Custom
	}
	return modes, chosen
}

// Method returns what a mode stands for: the default, but for its embedder.
func (m Mode) Method() method.Method {
	recognise := method.Default()
	if m == Balanced {
		recognise.Embedder.Pyramid = []int{2, 1}
	}
	return recognise
}

// ModeOf returns the mode that a method is, whatever it says of strangers.
func ModeOf(m method.Method) Mode {
	for _, mode := range Modes {
		if sameAnswers(m, mode.Method()) {
			return mode
		}
	}
	return Custom
}

// sameAnswers reports whether two methods give the same scores: all but what they say of
// strangers is the same.
func sameAnswers(a, b method.Method) bool {
	a, b = a.Complete(), b.Complete()
	a.Strangers = b.Strangers
	return a.Equal(b)
}
