package kernel

import "time"

// RestPause is how long examples rest before they are looked at.
const RestPause = 300 * time.Millisecond

// Task is work of a part that is due again whenever something has changed: one run at a time,
// and another one if it was asked for meanwhile.
type Task struct {
	part           *Part // is told when the work begins and ends
	pause, latest  time.Duration
	run            func(Engine)
	working, again bool
}

// NewTask returns work of a part. Each run comes after a pause, lets work that a person waits
// for go first until latest, and begins once the engine has done all that it was told.
func NewTask(part *Part, pause, latest time.Duration, run func(Engine)) Task {
	return Task{part: part, pause: pause, latest: latest, run: run}
}

// Working reports whether a run is under way, or about to be. The lock is held.
func (t *Task) Working() bool { return t.working }

// Ask has the task run, or run again.
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
		restful(t.part.K.busy, t.pause, t.latest)
		engine := t.part.K.Engine.Settled()
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
func restful(busy func() bool, often, latest time.Duration) {
	for waited := time.Duration(0); waited < latest && busy(); waited += often {
		time.Sleep(often)
	}
}
