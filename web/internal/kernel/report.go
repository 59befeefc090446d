package kernel

import (
	"context"
	"time"
)

// Report examines the examples while the user wants to see the result, and again after every change
// of the project, its examples and the method.
type Report struct {
	Part
	seen   Revisions
	task   task
	shown  bool
	stop   context.CancelFunc // of the latest run
	forget func()
}

// NewReport returns a report. A run waits up to latest for work that the user waits for, and should
// end early once stop is closed. forget drops the result of another project; it holds the lock.
func NewReport(k *Kernel, latest time.Duration, run func(engine Engine, stop <-chan struct{}), forget func()) *Report {
	r := &Report{K: k, stop: func() {}, forget: forget}
	r.task = task{part: &r.Part, pause: RestPause, latest: latest, run: func(engine Engine) {
		ctx, stop := context.WithCancel(context.Background())
		defer stop()
		shown, project := false, 0
		r.Update(func() { r.stop, shown, project = stop, r.shown, k.revisions.Project })
		if !shown {
			return
		}
		run(engine, ctx.Done())
		r.Update(func() {
			if k.revisions.Project != project {
				r.forget()
			}
		})
	}}
	k.Follow(r.follow)
	return r
}

// Shown reports whether the user wants to see the result. The lock is held.
func (r *Report) Shown() bool { return r.shown }

// Busy reports whether a run is in progress or about to start. The lock is held.
func (r *Report) Busy() bool { return r.task.working }

// Show shows the result, or hides it, which stops the run.
func (r *Report) Show(on bool) {
	r.Update(func() {
		r.shown = on
		r.stop()
	})
	r.examine()
}

func (r *Report) follow() {
	news := r.News(&r.seen)
	if news.Project > 0 {
		r.Update(r.forget)
	}
	if news.Project+news.Examples+news.Method > 0 {
		r.examine()
	}
}

// examine starts again if the result is visible.
func (r *Report) examine() {
	wanted := r.K.Engine.Get() != nil
	r.Update(func() {
		if wanted = wanted && r.shown; wanted {
			r.stop()
		}
	})
	if wanted {
		r.task.ask()
	}
}
