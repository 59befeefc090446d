package kernel

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/project"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// fakeEngine records what it is told and answers as it is told to.
type fakeEngine struct {
	mu          sync.Mutex
	calls       []string
	answer      Answer
	fail        func(call string) error
	inside      int
	mostIn      int
	working     chan struct{}     // when set, classifying waits for it
	broken      map[string]string // names of files that hold no picture, by the examples' ids
	again       int               // examples that are embedded again each time some are restored
	review      Review
	grew        Growth
	configuring chan struct{} // when set, configuring waits for it
	learned     bool
	like        string        // the example that explanations find; none for ""
	method      method.Method // what it was configured to last
	slow        time.Duration // that it takes to teach an example
	known       []string      // the examples that it has
}

func (e *fakeEngine) do(format string, args ...any) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	call := fmt.Sprintf(format, args...)
	e.calls = append(e.calls, call)
	if e.fail != nil {
		return e.fail(call)
	}
	return nil
}

func (e *fakeEngine) AddClass(id, label string, nothing bool) error {
	if nothing {
		return e.do("add nothing %s %s", id, label)
	}
	return e.do("add %s %s", id, label)
}

func (e *fakeEngine) RenameClass(id, label string) error { return e.do("rename %s %s", id, label) }
func (e *fakeEngine) RemoveClass(id string) error        { e.forget(id + " "); return e.do("remove %s", id) }
func (e *fakeEngine) RemoveExample(id string) error      { e.forget(" " + id); return e.do("forget %s", id) }
func (e *fakeEngine) RestoreExamples(classID string, ids []string) (Restored, error) {
	restored := Restored{Embedded: e.again}
	err := e.do("restore %s %s", classID, strings.Join(ids, " "))
	if err != nil {
		return restored, err
	}
	for _, id := range ids {
		if name := e.broken[id]; name != "" {
			restored.Refused = append(restored.Refused, RefusedExample{ID: id, Name: name, Err: failure(CodeBadImage, "no picture")})
		} else {
			e.know(classID, id)
			restored.Taught = append(restored.Taught, id)
		}
	}
	return restored, nil
}

func (e *fakeEngine) EnableClass(id string, enabled bool) error {
	return e.do("enable %s %v", id, enabled)
}

func (e *fakeEngine) Configure(m method.Method, weights Weights, progress func(done, all int), stop <-chan struct{}) error {
	if err := e.do("configure %s %v %v", m.Embedder.Kind, m.Embedder.Pyramid, weights.Change); err != nil {
		return err
	}
	progress(1, 2)
	if e.configuring != nil {
		select {
		case <-e.configuring:
		case <-stop:
			return failure(CodeStopped, "stopped")
		}
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.method = m
	return nil
}

// follows is the method that the engine was configured to last.
func (e *fakeEngine) follows() method.Method {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.method
}

func (e *fakeEngine) Review() (Review, error) { return e.review, e.do("review") }

func (e *fakeEngine) Growth(progress func(Growth), stop <-chan struct{}) (Growth, error) {
	if err := e.do("grow"); err != nil {
		return Growth{}, err
	}
	progress(Growth{Done: 1, Total: 2, Points: e.grew.Points[:1]})
	select {
	case <-stop:
		return Growth{}, &Error{Code: CodeStopped, Message: "stopped"}
	case <-time.After(time.Second):
		return e.grew, nil
	}
}

func (e *fakeEngine) Train(progress func(done, all int), stop <-chan struct{}) (Gain, error) {
	progress(3, 10)
	e.mu.Lock()
	e.learned = true
	e.mu.Unlock()
	return Gain{Of: 10, Before: 7, After: 9, Known: true}, e.do("train")
}

func (e *fakeEngine) Learned() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.learned
}

func (e *fakeEngine) Memory() int { return 1000 }

func (e *fakeEngine) Info() Info { return Info{Network: "fake", Fingerprint: "now", InputSize: 64} }

func (e *fakeEngine) AddExample(classID, id string, source Source) error {
	time.Sleep(e.slow)
	err := e.do("teach %s %v", classID, source)
	if err == nil {
		e.know(classID, id)
	}
	return err
}

func (e *fakeEngine) know(classID, id string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.known = append(e.known, classID+" "+id)
}

// forget forgets the examples whose class and id begin or end so.
func (e *fakeEngine) forget(part string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.known = slices.DeleteFunc(e.known, func(k string) bool { return strings.HasPrefix(k, part) || strings.HasSuffix(k, part) })
}

// examples are the examples that it has, each with its class.
func (e *fakeEngine) examples() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.known)
}

func (e *fakeEngine) Classify(source Source, live bool) (Answer, error) {
	e.mu.Lock()
	e.inside++
	e.mostIn = max(e.mostIn, e.inside)
	working := e.working
	e.mu.Unlock()
	if working != nil {
		<-working
	}
	err := e.do("classify %v", source)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.inside--
	return e.answer, err
}

// Explain answers as Classify does, by a match of two nodes with two others.
func (e *fakeEngine) Explain(source Source, live bool, classID string) (Answer, *Match, error) {
	found, err := e.Classify(source, live)
	if err != nil {
		return found, nil, err
	}
	if err := e.do("explain %v %s", source, classID); err != nil {
		return found, nil, err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if classID == "" {
		classID = found.Best()
	}
	if e.like == "" {
		return found, nil, nil
	}
	match := &answer.Match{
		Score: 5, Total: 2, Temperature: 12.5,
		From:       answer.NewSide(make([]answer.Region, 2), []float64{.5, 1.5}),
		To:         answer.NewSide(make([]answer.Region, 2), []float64{1, 1}),
		Similarity: []float64{.1, .2, .3, .4},
	}
	match.SetFlow([]float64{.5, 0, .5, 1})
	return found, &Match{
		Match:   match,
		ClassID: classID, ExampleID: e.like, Answer: found, Seen: "seen", Example: "pixels of " + e.like,
	}, nil
}

// classified counts the sources that were classified.
func (e *fakeEngine) classified() (n int) {
	for _, call := range e.told() {
		if strings.HasPrefix(call, "classify ") {
			n++
		}
	}
	return n
}

func (e *fakeEngine) told() []string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.calls)
}

// fakeCamera shows frames when it is told to.
type fakeCamera struct {
	err    error
	frames chan struct{}
	mu     sync.Mutex
	on     string
}

func newFakeCamera() *fakeCamera { return &fakeCamera{frames: make(chan struct{})} }

func (c *fakeCamera) Start(id string) (Device, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return Device{}, c.err
	}
	if id == "" {
		id = "front"
	}
	c.on = id
	if facing := Facing(id); facing == FacingPerson || facing == FacingAway {
		return Device{ID: id, Name: id, Facing: facing}, nil
	}
	return Device{ID: id, Name: id}, nil
}

func (c *fakeCamera) Stop() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.on = ""
}

func (c *fakeCamera) Devices() ([]Device, error) {
	return []Device{{ID: "front", Name: "front"}, {ID: "back", Name: "back"}}, nil
}

func (c *fakeCamera) NextFrame(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-c.frames:
		return ctx.Err()
	}
}

func (c *fakeCamera) Source() Source { return "frame" }

// rest lets time pass, and everything that has been started settle.
func rest(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// newKernel returns a kernel of pictures that speaks English.
func newKernel() *Kernel { return New(project.KindImage, texts.In("en")) }

// bubble runs a test in a bubble with its own clock, until what it has changed is kept.
func bubble(t *testing.T, test func(t *testing.T)) {
	synctest.Test(t, func(t *testing.T) {
		defer rest(saveLatest)
		test(t)
	})
}

// run runs a test in a bubble, on a session whose engine and
// camera are ready. wait lets everything that has been started settle.
func run(t *testing.T, test func(t *testing.T, s *Kernel, e *fakeEngine, c *fakeCamera, wait func())) {
	bubble(t, func(t *testing.T) {
		s, e, c := newKernel(), &fakeEngine{}, newFakeCamera()
		s.Camera.Connect(c)
		s.EngineReady(e)
		test(t, s, e, c, synctest.Wait)
		s.Camera.Stop()
		synctest.Wait()
	})
}

// ids returns the ids of the kernel's classes.
func ids(s *Kernel) []string {
	var ids []string
	for _, c := range s.Classes.List() {
		ids = append(ids, c.ID)
	}
	return ids
}

// keys returns the keys of the kernel's notices.
func keys(s *Kernel) []string {
	var keys []string
	for _, n := range s.Notices.List() {
		keys = append(keys, n.Key)
	}
	return keys
}

func failure(code, message string) error { return &Error{Code: code, Message: message} }
