package kernel

import (
	"context"
	"time"
)

// emptyTime is for how long the empty scene is taken by one click: a person's hand moves
// the picture a little meanwhile, or the light does.
const emptyTime = 1500 * time.Millisecond

// recordedLasts is how long the page says how many examples were taken.
const recordedLasts = 4 * time.Second

// CaptureState is how far the taking of examples is.
type CaptureState struct {
	ClassID   string    // the class that is recorded, or is going to be; "" for none
	Countdown int       // seconds until it begins; 0 once it has
	Left      int       // seconds until it ends by itself; 0 where it does not
	Recorded  *Recorded // what was recorded a moment ago, or nil
}

// Recorded is what came of a recording that ended by itself.
type Recorded struct {
	ClassID  string
	Examples int
}

// State returns how far the taking of examples is.
func (c *Capture) State() CaptureState {
	c.Lock()
	defer c.Unlock()
	return CaptureState{c.held, c.countdown, c.left, c.recorded}
}

// Record takes examples of a class for the time that the settings say, after their
// countdown. While that goes on, another call ends it.
func (c *Capture) Record(classID string) {
	settings := c.Settings()
	c.toggle(classID, settings.Countdown, time.Duration(settings.Duration)*time.Second)
}

// RecordEmpty takes examples of the empty scene, at once and for a moment; hands-free it
// gives a person the time to step out of it.
func (c *Capture) RecordEmpty() {
	id := c.K.Classes.Nothing()[0].ID
	if c.Settings().HandsFree {
		c.Record(id)
	} else {
		c.toggle(id, 0, emptyTime)
	}
}

func (c *Capture) toggle(classID string, countdown int, duration time.Duration) {
	if c.Held() == classID {
		c.Release()
		return
	}
	c.begin(classID, func(ctx context.Context, take func(context.Context)) {
		if !c.count(ctx, countdown, &c.countdown) {
			return
		}
		before := c.examplesOf(classID)
		handsFree := c.Settings().HandsFree
		if handsFree {
			c.beep(true)
		}
		// Half a step earlier, so that no further example falls on the very end.
		timed, end := context.WithTimeout(ctx, duration-c.Settings().interval()/2)
		go c.count(timed, int((duration+time.Second-1)/time.Second), &c.left)
		take(timed)
		end()
		if ctx.Err() != nil {
			return
		}
		if handsFree {
			c.beep(false)
		}
		c.tell(&Recorded{classID, c.examplesOf(classID) - before})
	})
}

// count counts seconds down to 0, and reports whether it got there.
func (c *Capture) count(ctx context.Context, seconds int, left *int) bool {
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
	c.Update(func() {
		if ctx.Err() == nil {
			*left = 0
		}
	})
	return ctx.Err() == nil
}

// tell says for a while what was recorded.
func (c *Capture) tell(recorded *Recorded) {
	c.Update(func() { c.recorded = recorded })
	time.AfterFunc(recordedLasts, func() {
		c.Update(func() {
			if c.recorded == recorded {
				c.recorded = nil
			}
		})
	})
}

// examplesOf counts the examples of a class.
func (c *Capture) examplesOf(classID string) int {
	class, _ := c.K.Classes.Find(classID)
	return len(class.Examples)
}
