package kernel

import "sync"

// Stage is the engine's stage.
type Stage int

// The stages of the engine.
const (
	Loading Stage = iota
	Ready
	Restarting
	Failed
)

// EngineState is the engine's stage, its loading progress and, once loaded, its Info.
type EngineState struct {
	Stage    Stage
	Progress float64 // of loading, 0 to 1
	Info     Info
}

// operation is a call of the engine.
type operation func(Engine) error

// EngineQueue holds the engine and the queue of its operations.
type EngineQueue struct {
	Part
	ready chan struct{} // closed when engine is set
	ended *sync.Cond    // when loading ends, in success or failure

	// Reload loads or restarts the engine after a failure. It is set before the engine is loaded.
	Reload func()

	engine  Engine
	state   EngineState
	arrived map[string]float64 // the loaded fraction of each part, 0 to 1
	queue   []operation
	idle    []operation // operations that run when the queue is empty
	working bool        // work is running
}

// loadedTogether are the parts of the engine that load in parallel.
var loadedTogether = []string{"engine", "weights"}

// State returns the engine's state.
func (q *EngineQueue) State() EngineState { return Get(&q.Part, &q.state) }

// Loading reports that the engine starts to load.
func (q *EngineQueue) Loading() {
	q.Update(func() {
		q.state = EngineState{}
		q.arrived = map[string]float64{}
	})
}

// Progress reports the number of loaded bytes of a part, and its size, or 0 if that is unknown. All
// parts count equally, so that the progress never decreases when a size becomes known.
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

// Retry loads or restarts the engine again after a failure, unless it loads already.
func (q *EngineQueue) Retry() {
	if q.State().Stage == Failed {
		q.Reload()
	}
}

// connect sets the engine and starts to work on the queue.
func (q *EngineQueue) connect(engine Engine) {
	info := engine.Info()
	q.Update(func() {
		q.engine = engine
		q.state = EngineState{Stage: Ready, Info: info}
		close(q.ready)
		q.ended.Broadcast()
		q.begin()
	})
}

func (q *EngineQueue) setStage(stage Stage) {
	q.Update(func() {
		q.state.Stage = stage
		q.ended.Broadcast()
	})
}

// Relearned reports that Train has changed the engine's answers.
func (q *EngineQueue) Relearned() {
	q.Update(func() {})
	q.K.Live.Reclassify()
}

// Get returns the engine, or nil before it is loaded.
func (q *EngineQueue) Get() Engine { return Get(&q.Part, &q.engine) }

// Wait waits for the engine.
func (q *EngineQueue) Wait() Engine {
	<-q.ready
	return q.Get()
}

// loaded waits until loading has ended, and reports whether there is an engine.
func (q *EngineQueue) loaded() bool {
	q.Lock()
	defer q.Unlock()
	for q.state.Stage == Loading {
		q.ended.Wait()
	}
	return q.engine != nil
}

// Drain waits until the engine has finished all operations queued so far.
func (q *EngineQueue) Drain() Engine {
	<-q.Barrier()
	return q.Get()
}

// Barrier returns a channel that is closed once the engine has finished all operations queued so
// far.
func (q *EngineQueue) Barrier() <-chan struct{} {
	done := make(chan struct{})
	q.enqueue(func(Engine) error { close(done); return nil })
	return done
}

func (q *EngineQueue) enqueue(operations ...operation) {
	q.Lock()
	defer q.Unlock()
	q.push(operations...)
}

// push queues operations. The lock is held.
func (q *EngineQueue) push(operations ...operation) {
	q.queue = append(q.queue, operations...)
	q.begin()
}

// pushIdle queues an operation that runs when the queue is empty. The lock is held.
func (q *EngineQueue) pushIdle(do operation) {
	q.idle = append(q.idle, do)
	q.begin()
}

// busy reports whether operations run or wait.
func (q *EngineQueue) busy() bool {
	q.Lock()
	defer q.Unlock()
	return q.working || len(q.queue) > 0
}

// begin starts work, unless it runs already. The lock is held.
func (q *EngineQueue) begin() {
	if !q.working && q.engine != nil && len(q.queue)+len(q.idle) > 0 {
		q.working = true
		go q.work()
	}
}

// work runs the operations of the queue, then the idle ones.
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
