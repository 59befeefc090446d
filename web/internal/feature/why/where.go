package why

import (
	"context"
	"time"

	"github.com/deepemd/deepemd/web/internal/kernel"
)

// How often it is found out where the evidence lies: whereInterval apart, or as far as it
// takes for that to cost no more than whereShare of the time for answers, and at most
// whereLongest.
const (
	whereInterval = 100 * time.Millisecond
	whereLongest  = time.Second
	whereShare    = .05
)

// Where is where in the picture the evidence for the answer lies, drawn over it while a
// person wants to see that.
type Where struct {
	kernel.Part
	seen kernel.Revisions

	// Found is what was found last.
	Found *Found

	on            bool
	asked         time.Time     // when an explanation came last, or was asked for
	plain, useful time.Duration // what an answer takes, without and with an explanation; 0 while unknown
}

// Found is the match that says where the evidence lies.
type Found struct {
	kernel.Part
	match *kernel.Match
}

func newWhere(k *kernel.Kernel) *Where {
	return &Where{Part: kernel.Part{K: k}, Found: &Found{Part: kernel.Part{K: k}}}
}

// follow drops what was found in what is shown no more.
func (w *Where) follow() {
	if w.News(&w.seen).Shown > 0 {
		w.forget()
	}
}

// On reports whether a person wants to see where the evidence lies.
func (w *Where) On() bool {
	w.Lock()
	defer w.Unlock()
	return w.on
}

// Show shows where the evidence lies from now on, or hides it: then nothing is asked for.
func (w *Where) Show(on bool) {
	w.Update(func() { w.on = on })
	w.forget()
	if on {
		w.K.Live.Reclassify()
	}
}

// Match returns the match that says where the evidence lies; nil while there is none, or
// nobody wants to know.
func (w *Where) Match() *kernel.Match {
	on := w.On()
	w.Lock()
	match := w.Found.match
	w.Unlock()
	if !on || match == nil || !w.K.Classes.Considers(match.Answer) {
		return nil
	}
	return match
}

// due reports whether the next frame is to be explained, and counts on it.
func (w *Where) due() bool {
	w.Lock()
	defer w.Unlock()
	now := time.Now()
	if !w.on || now.Sub(w.asked) < w.interval() {
		return false
	}
	w.asked = now
	return true
}

// interval is the time from one explanation to the next. The lock is held.
func (w *Where) interval() time.Duration {
	if w.plain == 0 || w.useful == 0 {
		return whereInterval
	}
	cost := time.Duration(float64(w.useful-w.plain) / whereShare)
	return min(max(cost, whereInterval), whereLongest)
}

// took notes how long an answer took, from asking to the last stroke drawn, with an
// explanation or without.
func (w *Where) took(d time.Duration, explained bool) {
	w.Lock()
	defer w.Unlock()
	if !w.on {
		return
	}
	mean := &w.plain
	if explained {
		mean = &w.useful
	}
	if *mean == 0 {
		*mean = d
	}
	*mean += (d - *mean) / 8
}

// publish shows where the evidence for an answer lies, unless that came too late.
func (w *Where) publish(ctx context.Context, match *kernel.Match) {
	if match == nil || ctx.Err() != nil || !w.On() {
		return
	}
	w.Lock()
	w.asked = time.Now()
	w.Unlock()
	w.Found.Update(func() { w.Found.match = match })
}

// forget drops what was found: what it was about is shown no more.
func (w *Where) forget() {
	w.Lock()
	w.asked, w.plain, w.useful = time.Time{}, 0, 0
	w.Unlock()
	w.Found.Update(func() { w.Found.match = nil })
}
