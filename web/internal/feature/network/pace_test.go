package network

import (
	"testing"
	"time"
)

// A few slow answers, or answers with long breaks in between, are not enough.
func TestAShortStretchIsNoReason(t *testing.T) {
	var p rateMeter
	now := time.Unix(0, 0)
	for range 10 * (paceWarm + paceJudged) {
		now = now.Add(2 * paceBreak)
		if _, _, judged := p.add(now, 900); judged {
			t.Fatal("answers that nobody waited for are judged")
		}
	}
	p = rateMeter{}
	var perSecond float64
	var slow, judged bool
	for i := range paceWarm + paceJudged {
		now = now.Add(time.Second / 10)
		millis := 100.
		if i < paceWarm+paceJudged/2-1 {
			millis = 900
		}
		perSecond, slow, judged = p.add(now, millis)
	}
	if !judged || slow || perSecond < 9.9 || perSecond > 10.1 {
		t.Errorf("%v answers a second, slow %v, judged %v: want 10, and quick", perSecond, slow, judged)
	}
}
