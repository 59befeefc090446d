package kernel

import "slices"

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

// operation tells the engine something.
type operation func(Engine) error

// EngineQueue is the engine with the queue of what it is told, in order.
type EngineQueue struct {
	Part
	ready chan struct{} // closed when engine is set
	retry func()        // loads the engine again

	engine  Engine
	state   EngineState
	arrived map[string]float64 // how much of each part, 0 to 1
	queue   []operation
	idle    []operation // what may wait until nothing is lined up
	working bool        // an operation is under way, or about to be
}

func newEngineQueue(s *Kernel) *EngineQueue {
	return &EngineQueue{Part: Part{K: s}, ready: make(chan struct{}), arrived: map[string]float64{}}
}

// loadedTogether are the parts of the engine that are loaded at the same time.
var loadedTogether = []string{"engine", "weights"}

// State returns how far the engine is.
func (q *EngineQueue) State() EngineState {
	q.Lock()
	defer q.Unlock()
	return q.state
}

// Loading reports that the engine is being loaded, from the beginning.
func (q *EngineQueue) Loading() {
	q.Update(func() {
		q.state = EngineState{}
		q.arrived = map[string]float64{}
	})
}

// Progress reports that so many bytes of a part of the engine, of so many or of an
// unknown number (0), have arrived. Each part counts alike, so that progress never goes
// back, whichever part's size is known first.
func (q *EngineQueue) Progress(part string, loaded, total int) {
	q.Update(func() {
		if total > 0 {
			q.arrived[part] = float64(loaded) / float64(total)
		}
		q.state.Progress = 0
		for _, p := range loadedTogether {
			q.state.Progress += q.arrived[p] / float64(len(loadedTogether))
		}
	})
}

// OnRetry says how the engine is loaded again after it failed to load or to restart.
func (q *EngineQueue) OnRetry(retry func()) {
	q.Lock()
	defer q.Unlock()
	q.retry = retry
}

// Retry loads the engine again after it failed to load or to restart.
func (q *EngineQueue) Retry() {
	q.Lock()
	retry := q.retry
	q.Unlock()
	if retry != nil {
		retry()
	}
}

// connect sets the engine, which begins with what it was told so far.
func (q *EngineQueue) connect(engine Engine) {
	info := engine.Info()
	q.Update(func() {
		q.engine = engine
		q.state = EngineState{Stage: Ready, Info: info}
		close(q.ready)
		q.begin()
	})
}

func (q *EngineQueue) failed()    { q.Update(func() { q.state.Stage = Failed }) }
func (q *EngineQueue) restarted() { q.Update(func() { q.state.Stage = Ready }) }

func (q *EngineQueue) crashed(restarting bool) {
	q.Update(func() {
		q.state.Stage = Restarting
		if !restarting {
			q.state.Stage = Failed
		}
	})
}

// configured reports that the engine runs something else.
func (q *EngineQueue) configured() {
	info := q.Get().Info()
	q.Update(func() { q.state.Info = info })
}

// Relearned reports that the engine answers from other than it has learned so far.
func (q *EngineQueue) Relearned() {
	q.Update(func() {})
	q.K.Live.Reclassify()
}

// Get returns the engine, or nil while it is not there.
func (q *EngineQueue) Get() Engine {
	q.Lock()
	defer q.Unlock()
	return q.engine
}

// Wait returns the engine once it is there.
func (q *EngineQueue) Wait() Engine {
	<-q.ready
	return q.Get()
}

// Settled returns the engine once it is there and has done all that it was told so far.
func (q *EngineQueue) Drain() Engine {
	<-q.Barrier()
	return q.Get()
}

// Milestone returns a channel that is closed once the engine is there and has done all
// that it was told so far.
func (q *EngineQueue) Barrier() <-chan struct{} {
	done := make(chan struct{})
	q.enqueue(func(Engine) error { close(done); return nil })
	return done
}

// tell has the engine do something, after all that it was told before. Nobody waits for
// it.
func (q *EngineQueue) enqueue(operations ...operation) {
	q.Lock()
	defer q.Unlock()
	q.push(operations...)
}

// line is tell for those who hold the lock.
func (q *EngineQueue) push(operations ...operation) {
	q.queue = append(q.queue, operations...)
	q.begin()
}

// pushIdle has the engine do something once there is nothing else to do. The lock is held.
func (q *EngineQueue) pushIdle(operations ...operation) {
	q.idle = append(q.idle, operations...)
	q.begin()
}

// busy reports whether something is under way, or stands in line.
func (q *EngineQueue) busy() bool {
	q.Lock()
	defer q.Unlock()
	return q.working || len(q.queue) > 0
}

// pushFront has an engine that is not there yet do something before all that it was
// told so far. The lock is held.
func (q *EngineQueue) pushFront(operations ...operation) {
	q.queue = append(slices.Clip(operations), q.queue...)
}

// begin does what there is to do, unless somebody does it already. The lock is held.
func (q *EngineQueue) begin() {
	if !q.working && q.engine != nil && len(q.queue)+len(q.idle) > 0 {
		q.working = true
		go q.work()
	}
}

// work does what there is to do, one after the other: what stands in line, and then what
// can wait.
func (q *EngineQueue) work() {
	for {
		q.Lock()
		from := &q.queue
		if len(*from) == 0 {
			from = &q.idle
		}
		if len(*from) == 0 {
			q.working = false
			q.Unlock()
			return
		}
		next := (*from)[0]
		(*from)[0] = nil
		*from = (*from)[1:]
		engine := q.engine
		q.Unlock()
		if err := next(engine); err != nil {
			q.K.Notices.Trouble(err)
		}
	}
}
