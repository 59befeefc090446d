package kernel

import (
	"context"
	"maps"
	"slices"

	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// SetupState is the method, and the progress of its change.
type SetupState struct {
	Method   method.Method
	Changing *Progress        // examples embedded again; nil if there is no change in progress
	Network  bool             // the change is of the network
	Rates    map[Mode]float64 // measured answers per second
	Memory   int              // of the examples, in bytes
}

// Setup holds the method of the open project, and the method and network of the engine.
type Setup struct {
	Part
	state   SetupState         // without Memory
	follows method.Method      // the engine's
	weights Weights            // the engine's
	chosen  Weights            // the user's choice
	made    string             // the page's network that taught the open project; "" for other networks
	stop    context.CancelFunc // of the latest change
	choices int                // number of methods that were chosen or adopted
}

// State returns the method, and the progress of its change.
func (s *Setup) State() SetupState {
	memory := 0
	if e := s.K.Engine.Get(); e != nil {
		memory = e.Memory()
	}
	s.Lock()
	defer s.Unlock()
	state := s.state
	state.Rates, state.Memory = maps.Clone(state.Rates), memory
	return state
}

// Method returns the method of the open project.
func (s *Setup) Method() method.Method { return Get(&s.Part, &s.state.Method) }

// adopt sets the method of another project, and the network that taught it. Classes.sync passes them on
// before it restores the examples. The page's defaults replace parts that the page lacks.
func (s *Setup) adopt(m method.Method, made *Made) {
	m = m.Complete()
	given, usual := m, method.Default()
	for i, part := range parts(&m) {
		if s.K.Texts().Method(*part) == "" {
			*part = *parts(&usual)[i]
		}
	}
	if s.K.Notices.Dismiss(noticeMethod); !m.Equal(given) {
		s.K.Notices.Post(Warn(noticeMethod, nil, func(t *texts.Texts) (title, text string) {
			var lacks, uses []string
			labels := []string{t.Setup.Classifier, t.Setup.Weighting, t.Setup.Solver}
			for i, part := range parts(&given) {
				if now := *parts(&m)[i]; now != *part {
					lacks, uses = append(lacks, *part), append(uses, labels[i]+": "+t.Method(now))
				}
			}
			return t.Setup.Lacks(t.Join(lacks)), t.Setup.LacksText(t.Join(uses))
		}))
	}
	s.Update(func() {
		s.choices++
		s.state.Method, s.made = m, ""
		if made != nil {
			s.made = made.Supplied
		}
	})
}

// parts returns the parts of a method that have names.
func parts(m *method.Method) []*string { return []*string{&m.Classifier, &m.Weighting, &m.Solver} }

// Choose sets the method of a mode, except its treatment of unknown images.
func (s *Setup) Choose(mode Mode) {
	s.Change(func(m *method.Method) {
		strangers := m.Strangers
		*m = mode.Method()
		m.Strangers = strangers
	})
}

// Change changes the method. The engine keeps every example, embeds it again if necessary, and
// keeps answering. If the engine rejects the method, a notice reports that, and the previous method
// stays. The change replaces a change in progress, unless that is of the network.
func (s *Setup) Change(change func(*method.Method)) {
	if !Get(&s.Part, &s.state.Network) {
		s.Stop()
	}
	s.choose(func(m *method.Method) {
		s.choices++
		change(m)
	})
}

// ChangeStrangers changes the treatment of unknown images, without stopping a change in progress.
func (s *Setup) ChangeStrangers(change func(*method.Strangers)) {
	s.choose(func(m *method.Method) {
		change(&m.Strangers)
		m.Strangers.Strictness = min(max(m.Strangers.Strictness, 0), 1)
	})
}

func (s *Setup) choose(change func(*method.Method)) {
	s.Update(func() { change(&s.state.Method) })
	s.K.Project.Touch()
	if s.K.Engine.Get() != nil { // otherwise EngineReady configures it
		s.K.Engine.enqueue(s.follow)
	}
}

// Stop stops a change in progress: the previous method stays.
func (s *Setup) Stop() { Get(&s.Part, &s.stop)() }

// ChangeNetwork changes the network, after any change of the method in progress. It returns once
// all examples are embedded again; after an error nothing has changed.
func (s *Setup) ChangeNetwork(weights Weights) error {
	outcome := make(chan error, 1)
	s.K.Engine.enqueue(func(e Engine) error {
		err := s.reconfigure(e, &weights)
		if err == nil {
			s.Update(func() { s.chosen, s.made = weights, "" })
		}
		outcome <- err
		return nil
	})
	return <-outcome
}

// follow configures the engine for the project's network and method, if necessary. If the network
// cannot be loaded, the engine keeps its network.
func (s *Setup) follow(e Engine) error {
	s.Lock()
	weights, runs := s.chosen, s.weights.Supplied
	if s.made != "" && s.chosen.Own == nil {
		weights = Weights{Supplied: s.made}
	}
	s.Unlock()
	if weights.Supplied != runs {
		err := s.reconfigure(e, &weights)
		if err == nil {
			return nil
		}
		s.Update(func() { s.chosen, s.made = s.weights, "" })
		s.refused(err)
	}
	s.Lock()
	wanted, follows := s.state.Method, s.follows
	s.Unlock()
	switch {
	case wanted.Equal(follows):
	case sameAnswers(wanted, follows):
		if err := e.Configure(wanted, nil, func(int, int) {}, nil); err != nil {
			return err
		}
		s.Update(func() { s.follows = wanted })
		s.K.Live.Reclassify()
	default:
		s.refused(s.reconfigure(e, nil))
	}
	return nil
}

// reconfigure configures the engine for the project's method, and a network unless weights is nil.
func (s *Setup) reconfigure(e Engine, weights *Weights) error {
	all := s.K.Classes.Examples()
	var wanted method.Method
	choices := 0
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	s.Update(func() {
		wanted, choices = s.state.Method, s.choices
		s.stop, s.state.Changing, s.state.Network = stop, &Progress{0, all}, weights != nil
	})
	err := e.Configure(wanted, weights, func(done, all int) {
		s.Update(func() { s.state.Changing = &Progress{done, all} })
	}, ctx.Done())
	s.Update(func() {
		s.state.Changing, s.state.Network = nil, false
		if err != nil {
			if weights == nil && s.choices == choices { // no other choice since
				strangers := s.state.Method.Strangers
				s.state.Method = s.follows
				s.state.Method.Strangers = strangers
			}
			return
		}
		s.follows = wanted
		if weights != nil {
			s.weights = *weights
			clear(s.state.Rates)
		}
	})
	if err == nil {
		info := e.Info()
		s.K.Engine.Update(func() { s.K.Engine.state.Info = info })
	}
	s.K.Project.Touch()
	s.K.Live.Update(func() { s.K.Live.rate = rate{} })
	s.K.Grow(func(r *Revisions) { r.Method++ })
	s.K.Live.Reclassify()
	return err
}

// refused reports an error of reconfigure, if there is one that is not the user's choice.
func (s *Setup) refused(err error) {
	if err != nil && CodeOf(err) != CodeStopped {
		s.K.Notices.Post(Warn(NoticeEngine, err, func(t *texts.Texts) (title, text string) { return t.Setup.Refused, Reason(t, err) }))
	}
}

// CodeStopped is the code of an operation that the user has stopped.
const CodeStopped = "AbortError"

// measured records the rate of answers of the present mode.
func (s *Setup) measured(perSecond float64) {
	s.Lock()
	defer s.Unlock()
	if s.state.Changing == nil {
		s.state.Rates[ModeOf(s.follows)] = perSecond
	}
}

// Mode is a method with a name on the page.
type Mode string

// The modes; Custom stands for every other method.
const (
	Fast     Mode = "fast"     // one pass through the network
	Balanced Mode = "balanced" // the same pass, pooled at several scales
	Custom   Mode = "custom"
)

// Modes lists the modes, fastest first.
var Modes = []Mode{Fast, Balanced}

// Offered lists the modes that are measurably better than faster ones for a kind of project
// (docs/results/accuracy.md): sounds gain nothing from Balanced. It includes Custom if m is none of
// these.
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

// Method returns the method of a mode: the default, except for its embedder.
func (m Mode) Method() method.Method {
	recognize := method.Default()
	if m == Balanced {
		recognize.Embedder.Pyramid = []int{2, 1}
	}
	return recognize
}

// ModeOf returns the mode of a method, regardless of unknown images.
func ModeOf(m method.Method) Mode {
	for _, mode := range Modes {
		if sameAnswers(m, mode.Method()) {
			return mode
		}
	}
	return Custom
}

// sameAnswers reports whether two methods give the same scores, regardless of unknown images.
func sameAnswers(a, b method.Method) bool {
	a, b = a.Complete(), b.Complete()
	a.Strangers = b.Strangers
	return a.Equal(b)
}
