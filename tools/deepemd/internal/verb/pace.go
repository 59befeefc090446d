package verb

import (
	"fmt"
	"time"
)

// pace tells how long work still takes, from how fast it went since the first call. What was
// done before that, by an earlier run, does not count.
type pace struct {
	began time.Time
	first int
}

// left is the time that is left when so many of total are done, and whether it can be told.
func (p *pace) left(now time.Time, done, total int) (time.Duration, bool) {
	if p.began.IsZero() || done < p.first {
		p.began, p.first = now, done
	}
	if done == p.first {
		return 0, false
	}
	each := now.Sub(p.began).Seconds() / float64(done-p.first)
	left := time.Duration(each * float64(total-done) * float64(time.Second))
	if left > time.Minute {
		return left.Round(time.Minute / 6), true
	}
	return left.Round(time.Second), true
}

// text is the time that is left, to stand behind how much is done.
func (p *pace) text(now time.Time, done, total int) string {
	left, ok := p.left(now, done, total)
	if !ok || done == total {
		return ""
	}
	return fmt.Sprintf(", %v left", left)
}
