package browsertest

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/tracing"
	"github.com/chromedp/chromedp"
)

// event is what is read of an event of Chromium's trace.
type event struct {
	Name, Ph string
	Pid, Tid int
	Tdur     float64 // microseconds of the processor's time
	Args     struct {
		Name string // of a thread
		Data struct {
			Frames []struct{ ProcessID int }
		}
	}
}

// Tasks records the page for a while, and returns how much of a processor's time each
// task of its main thread took, the longest first. What other programs do on the
// machine does not count: a task that waits for the processor takes no more of it.
func (b *Browser) Tasks(stretch time.Duration) []time.Duration {
	b.t.Helper()
	var events []event
	_, err := run(b, func(ctx context.Context, target *chromedp.Target) (chromedp.Void, error) {
		var err error
		events, err = trace(ctx, target, stretch)
		return chromedp.Void{}, err
	})
	if err != nil {
		b.t.Fatalf("recording the page: %v", err)
	}
	took := mainTasks(events)
	if len(took) == 0 {
		b.t.Fatalf("no task of the page's main thread among %d events", len(events))
	}
	return took
}

// trace records a page for a while.
func trace(ctx context.Context, target *chromedp.Target, stretch time.Duration) ([]event, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var chunks [][]byte // read only once all are there
	complete := make(chan struct{})
	err := chromedp.Listen(ctx, func(e any) {
		switch e := e.(type) {
		case *tracing.EventDataCollected:
			for _, value := range e.Value {
				chunks = append(chunks, value)
			}
		case *tracing.EventTracingComplete:
			close(complete)
		}
	})
	if err != nil {
		return nil, err
	}
	_, err = cdp.Call(ctx, target, tracing.Start, tracing.StartParams{TraceConfig: &tracing.TraceConfig{
		IncludedCategories: []string{"toplevel", "disabled-by-default-devtools.timeline", "__metadata"},
	}})
	if err != nil {
		return nil, err
	}
	select {
	case <-time.After(stretch):
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if _, err := cdp.Call(ctx, target, tracing.End, cdp.Empty{}); err != nil {
		return nil, err
	}
	select {
	case <-complete:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	events := make([]event, len(chunks))
	for i, chunk := range chunks {
		if err := json.Unmarshal(chunk, &events[i]); err != nil {
			return nil, err
		}
	}
	return events, nil
}

// mainTasks are the tasks of the page's main thread, the longest first.
func mainTasks(events []event) (took []time.Duration) {
	type thread struct{ pid, tid int }
	pages, mains := map[int]bool{}, map[thread]bool{}
	for _, e := range events {
		switch {
		case e.Name == "TracingStartedInBrowser":
			for _, frame := range e.Args.Data.Frames {
				pages[frame.ProcessID] = true
			}
		case e.Name == "thread_name" && e.Args.Name == "CrRendererMain":
			mains[thread{e.Pid, e.Tid}] = true
		}
	}
	for _, e := range events {
		if e.Name == "RunTask" && e.Ph == "X" && pages[e.Pid] && mains[thread{e.Pid, e.Tid}] {
			took = append(took, time.Duration(e.Tdur*float64(time.Microsecond)))
		}
	}
	slices.SortFunc(took, func(a, b time.Duration) int { return cmp.Compare(b, a) })
	return took
}
