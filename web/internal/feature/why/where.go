package why

import (
	"context"
	"time"

	"github.com/deepemd/deepemd/web/internal/kernel"
)

// The interval of explanations: at least whereInterval, at most whereLongest, and long enough to
// cost no more than whereShare of the time for answers.
const (
	whereInterval = 100 * time.Millisecond
	whereLongest  = time.Second
	whereShare    = .05
)

// Where locates the evidence for the answer in the picture, while the user wants to see it.
type Where struct {
	kernel.Part
	on            bool
	match         *kernel.Match // the latest result
	asked         time.Time     // time of the latest explanation, or request
	plain, useful time.Duration // duration of an answer without and with an explanation; 0 if unknown
}

// On reports whether the user wants to see the evidence.
func (w *Where) On() bool { return kernel.Get(&w.Part, &w.on) }

// Show shows the evidence, or hides it, which stops the explanations.
func (w *Where) Show(on bool) {
	w.Update(func() {
		w.on = on
		w.reset()
	})
	if on {
		w.K.Live.Reclassify()
	}
}

// Match returns the match that locates the evidence, or nil.
func (w *Where) Match() *kernel.Match {
	match := kernel.Get(&w.Part, &w.match)
	if match == nil || !w.K.Classes.Considers(match.Answer) {
		return nil
	}
	return match
}

// interval returns the time between explanations. The lock is held.
func (w *Where) interval() time.Duration {
	if w.plain == 0 || w.useful == 0 {
		return whereInterval
	}
	cost := time.Duration(float64(w.useful-w.plain) / whereShare)
	return min(max(cost, whereInterval), whereLongest)
}

// recordDuration records the time of an answer, from the request to the last stroke drawn.
func (w *Where) recordDuration(d time.Duration, explained bool) {
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

// publish shows the evidence for an answer, unless the context is done.
func (w *Where) publish(ctx context.Context, match *kernel.Match) {
	if match != nil && ctx.Err() == nil && w.On() { // other answers draw nothing
		w.Update(func() { w.asked, w.match = time.Now(), match })
	}
}

// reset drops the result. The lock is held.
func (w *Where) reset() { w.match, w.asked, w.plain, w.useful = nil, time.Time{}, 0, 0 }
