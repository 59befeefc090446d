package kernel

import "time"

// RestPause is how long examples rest before they are looked at.
const RestPause = 300 * time.Millisecond

// Task is work that a part repeats after changes. Runs never overlap: a request during a run
// starts one more run after it.
type Task struct {
	part           *Part // its watchers are notified when work begins and ends
	pause, latest  time.Duration
	run            func(Engine)
	working, again bool
}

// NewTask returns a task of a part. A run waits for the pause, then up to latest for work that
// the user waits for, then until the engine has finished all operations so far.
func NewTask(part *Part, pause, latest time.Duration, run func(Engine)) Task {
	return Task{part: part, pause: pause, latest: latest, run: run}
}

// Working reports whether a run is in progress or about to start. The lock is held.
func (t *Task) Working() bool { return t.working }

// Ask requests a run.
func (t *Task) Ask() {
	t.part.Update(func() {
		t.again = t.working
		if !t.working {
			t.working = true
			go t.work()
		}
	})
}

func (t *Task) work() {
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

// busy reports whether the engine does what a person waits for: it is loaded to embed
// examples, embeds them, or looks at the picture that is shown. A slow device does one thing
// at a time.
func (k *Kernel) busy() bool {
	return k.Engine.busy() || k.Live.looks()
}

// restful returns once it is no longer busy, which it looks at every so often, or at the latest
// after a while.
func waitIdle(busy func() bool, often, latest time.Duration) {
	for waited := time.Duration(0); waited < latest && busy(); waited += often {
		time.Sleep(often)
	}
}
