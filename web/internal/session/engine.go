package session

import "errors"

// Source is something that shows a picture, such as a video or a file. The
// session only hands it on.
type Source any

// File is a picture that a person chose.
type File struct {
	Name   string
	Source Source
}

// Engine is deepemd.js as the session sees it. Its calls block until the engine
// has answered; their errors are of type *Error.
type Engine interface {
	// AddClass adds a class without examples; an id that is taken is an error.
	AddClass(id, label string) error
	// RenameClass changes what a class is called; an unknown class is an error, here
	// and in what follows.
	RenameClass(id, label string) error
	// RemoveClass removes a class with its examples.
	RemoveClass(id string) error
	// AddExample embeds a picture or sound as an example of a class. One that cannot
	// be read is an error of CodeBadImage, CodeBadSound or CodeSilent.
	AddExample(classID, id string, source Source) error
	// RestoreExamples teaches a class examples that it was taught before, on this
	// page or another, and returns how many of them it had to embed anew.
	RestoreExamples(classID string, ids []string) (anew int, err error)
	// RemoveExample removes an example; an unknown one is an error.
	RemoveExample(id string) error
	// EnableClass has a class considered or passed over, with all its examples.
	EnableClass(id string, enabled bool) error
	// Configure changes how pictures are recognised, and the network where that is
	// asked for. All examples stay, embedded anew where need be, while pictures can
	// be classified. When stop is closed, or it fails, all is as before.
	Configure(setup Setup, weights Weights, progress func(done, all int), stop <-chan struct{}) error
	// Review looks at the examples of all classes that are enabled. Without any it is
	// an error of CodeEmpty.
	Review() (Review, error)
	// Train learns the classes from their examples, by the structured fully connected
	// layer (DeepEMD's SFC), and reports passes over them. When stop is
	// closed it is an error of CodeStopped.
	Train(progress func(done, all int), stop <-chan struct{}) (Gain, error)
	// Learned says whether answers come from what Train has learned.
	Learned() bool
	// Memory is how many bytes the examples take in the page.
	Memory() int
	// Classify compares a picture or sound with the classes that have examples;
	// without any it is an error of CodeEmpty.
	Classify(source Source) (Answer, error)
	// Explain is Classify that also says why, for a class or, for "", the one that
	// the picture is taken for. The match is nil when its example has just gone.
	Explain(source Source, classID string) (Answer, *Match, error)
	// Info says what runs.
	Info() Info
}

// Info says what the engine runs.
type Info struct {
	Network   string // such as "resnet12-s"
	Kernels   string // such as "simd128"
	InputSize int    // side in pixels of the square that the network sees
}

// Codes of errors that the session treats apart. The engine's are those of
// deepemd.js; the camera's say what a person can do about it.
const (
	CodeBadImage    = "bad-image"
	CodeBadSound    = "bad-sound"
	CodeSilent      = "silent"
	CodeCrashed     = "crashed"
	CodeOutOfMemory = "out-of-memory"
	CodeEmpty       = "empty"
	CodeNetwork     = "network"
	CodeUnknown     = "unknown-class"

	CodeDenied    = "denied"
	CodeMissing   = "missing"
	CodeTaken     = "taken"
	CodeInsecure  = "insecure"
	CodeUnplugged = "unplugged"
	CodeAborted   = "aborted"
)

// Error is a failure of the engine or the camera.
type Error struct {
	Code    string
	Message string // with the remedy where the reason is known
}

// Error is the message alone: what stands behind it is in Code.
func (e *Error) Error() string { return e.Message }

// codeOf returns the code of an error, or "" for errors of other kinds.
func codeOf(err error) string {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// Stage is how far the engine is.
type Stage int

// The stages of the engine.
const (
	Loading Stage = iota
	Ready
	Restarting
	Failed
)

// EngineState says how far the engine is, and what it runs once it is there.
type EngineState struct {
	Stage    Stage
	Progress float64 // of loading, 0 to 1
	Info     Info
}

// parts of the engine that are loaded at the same time.
var parts = []string{"engine", "weights"}

// Engine returns the state of the engine.
func (s *Session) Engine() EngineState {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.engineState
}

// EngineLoading reports that the engine is being loaded, from the beginning.
func (s *Session) EngineLoading() {
	s.update(func() {
		s.engineState = EngineState{}
		s.arrived = map[string]float64{}
	}, Engines)
}

// EngineProgress reports that so many bytes of a part of the engine, of so many
// or of an unknown number (0), have arrived. Each part counts alike, so that
// progress never goes back, whichever part's size is known first.
func (s *Session) EngineProgress(part string, loaded, total int) {
	s.update(func() {
		if total > 0 {
			s.arrived[part] = float64(loaded) / float64(total)
		}
		s.engineState.Progress = 0
		for _, p := range parts {
			s.engineState.Progress += s.arrived[p] / float64(len(parts))
		}
	}, Engines)
}

// EngineReady hands the session its engine and tells the engine the classes
// that were made, or brought back, while it was loading. It is called once, and blocks until the
// engine knows them.
func (s *Session) EngineReady(engine Engine) {
	s.mu.Lock()
	classes := s.snapshot()
	s.engine = engine
	idle := len(s.line) == 0
	s.line = append(s.comeBack(classes), s.line...)
	if idle && len(s.line) > 0 {
		go s.work()
	}
	s.mu.Unlock()
	for _, c := range classes {
		if err := engine.AddClass(c.ID, c.Label); err != nil {
			s.trouble(err)
		}
	}
	s.update(func() {
		s.engineState = EngineState{Stage: Ready, Info: engine.Info()}
		close(s.engineReady)
	}, Engines, Classes)
	s.dismiss(noticeEngine)
}

// EngineFailed reports that the engine could not be loaded.
func (s *Session) EngineFailed(err error) {
	s.update(func() { s.engineState.Stage = Failed }, Engines)
	s.post(engineFailed(err))
}

// EngineCrashed reports that the engine died. Unless restarting is false it is
// being started again by deepemd.js, which keeps every example.
func (s *Session) EngineCrashed(err error, restarting bool) {
	var examples int
	s.update(func() {
		s.engineState.Stage = Restarting
		if !restarting {
			s.engineState.Stage = Failed
		}
		s.live = Answer{}
		s.rate = rate{}
		s.forgetWhy()
		examples = s.examples()
	}, Engines, Live, Reasons)
	s.post(engineCrashed(err, restarting, examples))
}

// EngineRestarted reports that the engine runs again and knows every example.
func (s *Session) EngineRestarted() {
	var examples int
	s.update(func() {
		s.engineState.Stage = Ready
		examples = s.examples()
	}, Engines)
	s.post(engineRestarted(examples))
	s.reclassify()
}

// tell has the engine do something, after all that it was told before. Nobody
// waits for it.
func (s *Session) tell(operation func(Engine) error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.tellLocked(operation)
}

// tellLocked is tell where the lock is held.
func (s *Session) tellLocked(operation func(Engine) error) {
	s.line = append(s.line, operation)
	if len(s.line) == 1 {
		go s.work()
	}
}

// work takes operations from the line until it is empty. The operation under
// way stays in the line, so that there is never a second worker.
func (s *Session) work() {
	<-s.engineReady
	for {
		s.mu.Lock()
		operation := s.line[0]
		s.mu.Unlock()
		if err := operation(s.engine); err != nil {
			s.trouble(err)
		}
		s.mu.Lock()
		s.line[0] = nil
		s.line = s.line[1:]
		done := len(s.line) == 0
		s.mu.Unlock()
		if done {
			return
		}
	}
}

// settled returns a channel that is closed once the engine is there and has
// done all that it was told so far.
func (s *Session) settled() <-chan struct{} {
	done := make(chan struct{})
	s.tell(func(Engine) error { close(done); return nil })
	return done
}

// trouble tells the person about an error of the engine, unless its crash has
// been reported already or the error is only a matter of time.
func (s *Session) trouble(err error) {
	switch codeOf(err) {
	case CodeCrashed, CodeEmpty, CodeUnknown:
	default:
		s.post(engineTrouble(err))
	}
}
