package kernel

import "time"

// task is work that is due again whenever something has changed: one run at a time, and
// another one if it was asked for meanwhile.
type task struct {
	*part          // that it is work of, and that is told when it begins and ends
	pause          time.Duration
	latest         time.Duration // for how long it lets pass what a person waits for
	run            func(Engine)
	working, again bool
}

// ask has the task run, after its pause, once the engine has done all that it was told.
func (t *task) ask() {
	t.update(func() {
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
		restful(t.k.busy, t.pause, t.latest)
		engine := t.k.Engine.settled()
		t.lock()
		t.again = false
		t.unlock()
		t.run(engine)
		t.update(func() {
			again = t.again
			t.working = again
		})
	}
}
