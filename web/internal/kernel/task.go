package kernel

import "time"

// RestPause is the pause after the latest change of the examples before a task examines them.
const RestPause = 300 * time.Millisecond

// task is work that repeats after changes. Runs never overlap: a request during a run starts one
// more run after it. A run waits for the pause, then up to latest for work that the user waits for,
// then until the queue of the engine is drained.
type task struct {
	part          *Part // notified when work begins and ends
	pause, latest time.Duration
	run           func(Engine)
	working       bool // a run is in progress or about to start
	again         bool
}

// ask requests a run.
func (t *task) ask() {
	t.part.Update(func() {
		t.again = t.working
		if !t.working {
			t.working = true
			go t.work()
		}
	})
}

func (t *task) work() {
	for again := true; again; {
		time.Sleep(t.pause)
		waitIdle(t.part.K.busy, t.pause, t.latest)
		engine := t.part.K.Engine.Drain()
		t.part.Lock()
		t.again = false
		t.part.Unlock()
		t.run(engine)
		t.part.Update(func() {
			again = t.again
			t.working = again
		})
	}
}

// busy reports whether the engine does work that the user waits for: it embeds examples, or
// classifies the picture on the stage. Slow devices do one thing at a time.
func (k *Kernel) busy() bool {
	return k.Engine.busy() || Get(&k.Live.Part, &k.Live.task.working)
}

// waitIdle polls busy at an interval until it is false, or the timeout is over.
func waitIdle(busy func() bool, often, latest time.Duration) {
	for waited := time.Duration(0); waited < latest && busy(); waited += often {
		time.Sleep(often)
	}
}
