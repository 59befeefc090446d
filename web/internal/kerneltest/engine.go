// Package kerneltest provides an engine, a camera and a store for tests, and runs tests of the
// kernel and of features with a fake clock.
package kerneltest

import (
	"cmp"
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
	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// Says returns an answer that took ms milliseconds.
func Says(ms float64, scores ...answer.Score) kernel.Answer {
	return kernel.Answer{Scores: scores, MS: ms}
}

// Engine records its calls and returns prepared results.
type Engine struct {
	Mu          sync.Mutex
	calls       []string
	Answer      kernel.Answer
	Fail        func(call string) error
	inside      int
	MostIn      int
	Working     chan struct{}     // Classify waits for it; optional
	Broken      map[string]string // example id to the name of a file that is not an image
	Again       int               // number of embedded examples of every restoration
	Found       answer.Review
	Grew        answer.Curve
	Configuring chan struct{} // Configure waits for it; optional
	Trained     bool
	Gained      answer.Gain   // of Train; by default 9 instead of 7 of 10
	Like        string        // the example of every explanation; "" for no match
	Method      method.Method // of the last Configure
	Slow        time.Duration // duration of AddExample
	Known       []string      // the examples, each with its class
}

// Do records a call, and returns its error.
func (e *Engine) Do(format string, args ...any) error {
	e.Mu.Lock()
	defer e.Mu.Unlock()
	call := fmt.Sprintf(format, args...)
	e.calls = append(e.calls, call)
	if e.Fail != nil {
		return e.Fail(call)
	}
	return nil
}

func read[T any](e *Engine, field *T) T {
	e.Mu.Lock()
	defer e.Mu.Unlock()
	return *field
}

func set[T any](e *Engine, field *T, value T) {
	e.Mu.Lock()
	defer e.Mu.Unlock()
	*field = value
}

func (e *Engine) AddClass(id, label string, nothing bool) error {
	if nothing {
		return e.Do("add nothing %s %s", id, label)
	}
	return e.Do("add %s %s", id, label)
}

func (e *Engine) RenameClass(id, label string) error { return e.Do("rename %s %s", id, label) }
func (e *Engine) RemoveClass(id string) error        { e.forget(id + " "); return e.Do("remove %s", id) }
func (e *Engine) RemoveExample(id string) error      { e.forget(" " + id); return e.Do("forget %s", id) }
func (e *Engine) RestoreExamples(classID string, ids []string) (kernel.Restored, error) {
	restored := kernel.Restored{Embedded: e.Again}
	err := e.Do("restore %s %s", classID, strings.Join(ids, " "))
	if err != nil {
		return restored, err
	}
	for _, id := range ids {
		if name := e.Broken[id]; name != "" {
			restored.Refused = append(restored.Refused, kernel.RefusedExample{ID: id, Name: name, Err: &kernel.Error{Code: kernel.CodeBadImage, Message: "no picture"}})
		} else {
			e.know(classID, id)
			restored.Taught = append(restored.Taught, id)
		}
	}
	return restored, nil
}

func (e *Engine) EnableClass(id string, enabled bool) error {
	return e.Do("enable %s %v", id, enabled)
}

func (e *Engine) Configure(m method.Method, weights *kernel.Weights, progress func(done, all int), stop <-chan struct{}) error {
	if err := e.Do("configure %s %v %v", m.Embedder.Kind, m.Embedder.Pyramid, weights != nil); err != nil {
		return err
	}
	progress(1, 2)
	if e.Configuring != nil {
		select {
		case <-e.Configuring:
		case <-stop:
			return Failure(kernel.CodeStopped, "stopped")
		}
	}
	set(e, &e.Method, m)
	return nil
}

// Follows returns the method of the last Configure.
func (e *Engine) Follows() method.Method { return read(e, &e.Method) }

func (e *Engine) Review() (answer.Review, error) { return e.Found, e.Do("review") }

func (e *Engine) Growth(progress func(answer.Curve), stop <-chan struct{}) (answer.Curve, error) {
	if err := e.Do("grow"); err != nil {
		return answer.Curve{}, err
	}
	progress(answer.Curve{Done: 1, Total: 2, Points: e.Grew.Points[:1]})
	select {
	case <-stop:
		return answer.Curve{}, Failure(kernel.CodeStopped, "stopped")
	case <-time.After(time.Second):
		return e.Grew, nil
	}
}

func (e *Engine) Train(progress func(done, all int), stop <-chan struct{}) (*answer.Gain, error) {
	progress(0, 10)
	time.Sleep(5 * time.Second)
	progress(1, 10)
	time.Sleep(time.Second / 2)
	progress(1, 10)
	time.Sleep(time.Second / 2)
	progress(2, 10)
	select {
	case <-stop:
		return nil, Failure(kernel.CodeStopped, "stopped")
	default:
	}
	gain := cmp.Or(read(e, &e.Gained), answer.Gain{Of: 10, Before: 7, After: 9})
	set(e, &e.Trained, !gain.Useless())
	return &gain, e.Do("train")
}

func (e *Engine) Learned() bool { return read(e, &e.Trained) }
func (e *Engine) Memory() int   { return 1000 }

func (e *Engine) Info() kernel.Info {
	return kernel.Info{Network: "fake", Fingerprint: "now", InputSize: 64}
}

func (e *Engine) AddExample(classID, id string, source kernel.Source) error {
	time.Sleep(e.Slow)
	err := e.Do("teach %s %v", classID, source)
	if err == nil {
		e.know(classID, id)
	}
	return err
}

func (e *Engine) know(classID, id string) {
	e.Mu.Lock()
	defer e.Mu.Unlock()
	e.Known = append(e.Known, classID+" "+id)
}

// forget removes the examples that begin or end with a class or id.
func (e *Engine) forget(part string) {
	e.Mu.Lock()
	defer e.Mu.Unlock()
	e.Known = slices.DeleteFunc(slices.Clone(e.Known), func(k string) bool { return strings.HasPrefix(k, part) || strings.HasSuffix(k, part) })
}

// Examples returns the examples, each with its class.
func (e *Engine) Examples() []string { return read(e, &e.Known) }

func (e *Engine) Classify(source kernel.Source, live bool) (kernel.Answer, error) {
	e.Mu.Lock()
	e.inside++
	e.MostIn = max(e.MostIn, e.inside)
	working := e.Working
	e.Mu.Unlock()
	if working != nil {
		<-working
	}
	err := e.Do("classify %v", source)
	e.Mu.Lock()
	defer e.Mu.Unlock()
	e.inside--
	return e.Answer, err
}

// Explain answers like Classify, with a match between two pairs of nodes.
func (e *Engine) Explain(source kernel.Source, live bool, classID string) (kernel.Answer, *kernel.Match, error) {
	found, err := e.Classify(source, live)
	if err != nil {
		return found, nil, err
	}
	if err := e.Do("explain %v %s", source, classID); err != nil {
		return found, nil, err
	}
	if classID == "" {
		classID = found.Best()
	}
	if e.Like == "" {
		return found, nil, nil
	}
	why := &answer.Explanation{
		ClassID: classID, ExampleID: e.Like, Score: 5, Total: 2, Temperature: 12.5,
		From:       answer.NewSide(make([]answer.Region, 2), []float64{.5, 1.5}),
		To:         answer.NewSide(make([]answer.Region, 2), []float64{1, 1}),
		Similarity: []float64{.1, .2, .3, .4},
	}
	why.SetFlow([]float64{.5, 0, .5, 1})
	return found, &kernel.Match{Explanation: why, Answer: found, Seen: "seen", Example: "pixels of " + e.Like}, nil
}

// Calls returns the calls so far.
func (e *Engine) Calls() []string { return read(e, &e.calls) }

// Camera shows a frame for each value in Frames.
type Camera struct {
	Err    error
	Slow   time.Duration // duration of Start
	Frames chan struct{}
	Mu     sync.Mutex
	On     string
}

func NewCamera() *Camera { return &Camera{Frames: make(chan struct{})} }

func (c *Camera) Start(id string) (kernel.Device, error) {
	time.Sleep(c.Slow)
	c.Mu.Lock()
	defer c.Mu.Unlock()
	if c.Err != nil {
		return kernel.Device{}, c.Err
	}
	c.On = cmp.Or(id, "front")
	device := kernel.Device{ID: c.On, Name: c.On}
	if strings.HasPrefix(id, "facing:") {
		device.Facing = kernel.Facing(id)
	}
	return device, nil
}

func (c *Camera) Stop() {
	c.Mu.Lock()
	defer c.Mu.Unlock()
	c.On = ""
}

func (c *Camera) Devices() ([]kernel.Device, error) {
	return []kernel.Device{{ID: "front", Name: "front"}, {ID: "back", Name: "back"}}, nil
}

func (c *Camera) NextFrame(ctx context.Context) error {
	select {
	case <-ctx.Done():
	case <-c.Frames:
	}
	return ctx.Err()
}

func (c *Camera) Source() kernel.Source { return "frame" }

// Rest advances the clock, and waits until all goroutines are blocked.
func Rest(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// New returns an English kernel for images.
func New() *kernel.Kernel { return kernel.New(project.KindImage, texts.In("en")) }

// Bubble runs a test with a fake clock, and lets its changes be saved.
func Bubble(t *testing.T, test func(t *testing.T)) {
	synctest.Test(t, func(t *testing.T) {
		defer Rest(kernel.SaveLatest)
		test(t)
	})
}

// Run runs a test with a fake clock, and a kernel whose engine and camera are connected. wait
// blocks until all other goroutines are blocked.
func Run(t *testing.T, test func(t *testing.T, s *kernel.Kernel, e *Engine, c *Camera, wait func())) {
	Bubble(t, func(t *testing.T) {
		s, e, c := New(), &Engine{}, NewCamera()
		s.Camera.Connect(c)
		s.EngineReady(e)
		test(t, s, e, c, synctest.Wait)
		s.Camera.Stop()
		synctest.Wait()
	})
}

// IDs returns the ids of the kernel's classes.
func IDs(s *kernel.Kernel) []string {
	var ids []string
	for _, c := range s.Classes.List() {
		ids = append(ids, c.ID)
	}
	return ids
}

// Keys returns the keys of the kernel's notices.
func Keys(s *kernel.Kernel) []string {
	var keys []string
	for _, n := range s.Notices.List() {
		keys = append(keys, n.Key)
	}
	return keys
}

// Failure returns an error with a code.
func Failure(code, message string) error { return &kernel.Error{Code: code, Message: message} }

// Files returns files whose contents are their names.
func Files(names ...string) []kernel.File {
	files := make([]kernel.File, len(names))
	for i, name := range names {
		files[i] = kernel.File{Name: name, Source: name}
	}
	return files
}

// Teach adds an example to the first class, and makes the engine predict that class.
func Teach(s *kernel.Kernel, e *Engine, wait func()) {
	id := IDs(s)[0]
	s.AddFiles(id, Files("a"))
	wait()
	e.Answer = Says(20, answer.Score{ID: id, Score: 1})
}

// Show shows a frame, and reports whether it was read.
func (c *Camera) Show() bool {
	synctest.Wait()
	select {
	case c.Frames <- struct{}{}:
		synctest.Wait()
		return true
	default:
		return false
	}
}
