package why_test

import (
	"context"
	"slices"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/chromedp"

	"github.com/deepemd/deepemd/internal/browsertest"
)

// costsLittle fails the test if showing why costs the page's main thread much: reading
// and drawing an explanation must leave room for many in a second. It counts the
// processor's time, which does not depend on what else the machine does, beside that of
// answers without an explanation.
func (s *studio) costsLittle() {
	s.T.Helper()
	s.Do(func(ctx context.Context, target *chromedp.Target) (chromedp.Void, error) {
		_, err := cdp.Call(ctx, target, performance.Enable, performance.EnableParams{TimeDomain: performance.EnableTimeDomainThreadTicks})
		return chromedp.Void{}, err
	})
	const rounds, stretch = 3, 2 * time.Second
	var shown, hidden []float64 // milliseconds: for an explanation with its answers; for an answer without
	for range rounds {
		for _, on := range []bool{true, false} {
			if (s.Count(".why.folded") == 0) != on {
				s.Click("#show-why")
			}
			time.Sleep(500 * time.Millisecond)
			s.Eval("spy.answers = spy.explained = 0")
			before := s.mainThread()
			time.Sleep(stretch)
			took := 1000 * (s.mainThread() - before)
			n := browsertest.Eval[[]float64](s.Browser, "[spy.answers, spy.explained]")
			if n[0] < 5 || on != (n[1] > 0) {
				s.T.Fatalf("shown: %v, %v answers, %v of them explained", on, n[0], n[1])
			}
			if on {
				base := 0.0
				if len(hidden) > 0 {
					base = slices.Min(hidden)
				}
				shown = append(shown, (took-base*n[0])/n[1])
			} else {
				hidden = append(hidden, took/n[0])
			}
		}
	}
	// The first was measured before there was anything to take off.
	cost, answer := slices.Min(shown[1:]), slices.Min(hidden)
	s.T.Logf("an answer takes %.1f ms of the main thread, its explanation %.1f ms more (%.1f of %.1f)", answer, cost, shown, hidden)
	if cost > 25 {
		s.T.Errorf("an explanation takes %.1f ms of the main thread, want 25 at most", cost)
	}
}

// mainThread is the processor time that the page's main thread has taken, in
// seconds.
func (s *studio) mainThread() float64 {
	s.T.Helper()
	var seconds float64
	s.Do(func(ctx context.Context, target *chromedp.Target) (chromedp.Void, error) {
		all, err := cdp.Call(ctx, target, performance.GetMetrics, cdp.Empty{})
		if err == nil {
			for _, m := range all.Metrics {
				if m.Name == "TaskDuration" {
					seconds = m.Value
				}
			}
		}
		return chromedp.Void{}, err
	})
	return seconds
}
