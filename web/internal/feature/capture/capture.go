// Package capture is the feature that takes examples without holding a button: hands-free after
// a countdown, and of the empty scene.
package capture

import (
	"context"
	"slices"
	"time"

	"github.com/deepemd/deepemd/web/internal/kernel"
	"github.com/deepemd/deepemd/web/internal/texts"
)

// emptyTime is the duration of a recording of the empty scene. During it, a hand-held camera or the
// light changes the picture a little.
const emptyTime = 1500 * time.Millisecond

// recordedLasts is the display time of the number of new examples.
const recordedLasts = 4 * time.Second

// Capture records examples of a class for a while.
type Capture struct {
	kernel.Part
	shutter  Shutter // nil if the device has none
	settings Settings

	countdown, whole, left int // see State
	recorded               *Recorded
}

// State is the progress of a recording.
type State struct {
	ClassID   string    // the class that is recorded, or soon will be; or ""
	Countdown int       // seconds until the recording begins; 0 once it has
	Whole     int       // Countdown at the click
	Left      int       // seconds until it ends by itself; 0 while a button is held
	Recorded  *Recorded // the result of the latest recording, for a moment; or nil
}

// Recorded is the result of a recording that ended by itself.
type Recorded struct {
	ClassID  string
	Examples int
}

// New returns the capture of a kernel.
func New(k *kernel.Kernel) *Capture {
	c := &Capture{K: k, settings: Usual}
	k.Capture.Watch(func() {
		held := k.Capture.Class() != ""
		c.Update(func() {
			if held {
				c.recorded = nil
			} else {
				c.countdown, c.whole, c.left = 0, 0, 0
			}
		})
	})
	return c
}

// State returns the progress of a recording.
func (c *Capture) State() State {
	held := c.K.Capture.Class()
	c.Lock()
	defer c.Unlock()
	if held == "" {
		return State{Recorded: c.recorded}
	}
	return State{ClassID: held, Countdown: c.countdown, Whole: c.whole, Left: c.left}
}

// Record counts down, then takes examples of a class, as long as the settings say. Another call
// for the same class ends the recording.
func (c *Capture) Record(classID string) {
	settings := c.Settings()
	c.toggle(classID, settings.Countdown, time.Duration(settings.Duration)*time.Second, c.report)
}

// RecordEmpty counts down, so that the user can clear the scene, then takes examples of the empty
// scene for a moment; hands-free as long as the settings say. A notice shows the examples and
// offers to undo them.
func (c *Capture) RecordEmpty() {
	id, countdown, duration := c.K.Classes.Nothing()[0].ID, Usual.Countdown, emptyTime
	if settings := c.Settings(); settings.HandsFree {
		countdown, duration = settings.Countdown, time.Duration(settings.Duration)*time.Second
	}
	c.toggle(id, countdown, duration, c.showEmpty)
}

// showEmpty posts a notice about new examples of the empty scene.
func (c *Capture) showEmpty(classID string, examples []string) {
	if len(examples) == 0 {
		return
	}
	label, only := c.class(classID).Label, len(c.K.Classes.Nothing()) == 1
	notice := kernel.Notice{
		Key: kernel.NoticeUndo, Kind: kernel.News, Lasts: kernel.UndoLasts, Examples: examples,
		Say: func(t *texts.Texts) (title, text string) {
			if only {
				label = t.Class.Nothing // in the language of the page
			}
			return t.Stage.Recorded(label, len(examples)), t.Stage.EmptyTaken
		},
	}
	if c.K.Classes.UndoRemoves(examples[0]) {
		notice.Offer = c.K.UndoOffer(classID)
	}
	c.K.Notices.Post(notice)
}

// toggle starts or ends a recording. done gets the new examples of one that ended by itself.
func (c *Capture) toggle(classID string, countdown int, duration time.Duration, done func(classID string, examples []string)) {
	if c.K.Capture.Class() == classID {
		c.K.Capture.Release()
		return
	}
	c.K.Capture.Begin(classID, func(ctx context.Context, take func(context.Context)) {
		c.Update(func() { c.whole = countdown })
		if !c.count(ctx, countdown, &c.countdown) {
			return
		}
		before := c.class(classID).Examples
		handsFree := c.Settings().HandsFree
		if handsFree {
			c.beep(true)
		}
		// Half an interval earlier, so that no example falls on the very end.
		timed, end := context.WithTimeout(ctx, duration-c.K.Capture.Interval()/2)
		go c.count(timed, int((duration+time.Second-1)/time.Second), &c.left)
		take(timed)
		end()
		if ctx.Err() != nil {
			return
		}
		if handsFree {
			c.beep(false)
		}
		done(classID, slices.DeleteFunc(c.class(classID).Examples, func(id string) bool { return slices.Contains(before, id) }))
	})
}

// count counts seconds down from a number, and reports whether it got to the end of the last.
func (c *Capture) count(ctx context.Context, seconds int, left *int) bool {
	c.Update(func() { c.countdown, c.left = 0, 0 })
	for ; seconds > 0; seconds-- {
		c.Update(func() {
			if ctx.Err() == nil {
				*left = seconds
			}
		})
		select {
		case <-ctx.Done():
			return false
		case <-time.After(time.Second):
		}
	}
	return ctx.Err() == nil
}

// report shows the number of new examples for a moment.
func (c *Capture) report(classID string, examples []string) {
	recorded := &Recorded{classID, len(examples)}
	c.Update(func() { c.recorded = recorded })
	time.AfterFunc(recordedLasts, func() {
		c.Update(func() {
			if c.recorded == recorded {
				c.recorded = nil
			}
		})
	})
}
