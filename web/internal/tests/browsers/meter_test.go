//go:build !js

package browsers_test

import (
	"context"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/heapprofiler"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"

	"github.com/deepemd/deepemd/internal/browsertest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/web/internal/studiotest"
)

// tolerance is the permitted growth of a quantity. A program's memory never shrinks and may grow
// due to fragmentation, so one more step, in MB, is not a leak.
const tolerance, step = 0.05, 1

// sample is the page's memory in MB after a garbage collection.
type sample struct {
	at time.Duration
	held
}

// held lists the quantities that must not grow.
type held struct {
	Page   float64 // JavaScript's heap of the page
	Worker float64 // of the engine's worker
	Arrays float64 // arrays of both: images and embeddings
	Heap   float64 // the engine's Go heap
	Engine float64 // the engine's wasm memory
	Own    float64 // the studio's Go heap
	Studio float64 // the studio's wasm memory
}

// quantities are the fields of held with their names. The worker's heap is only a megabyte, mostly
// code that Chromium compiles, so it is added to the page's.
var quantities = []struct {
	name string
	of   func(held) float64
	more float64 // permitted growth besides tolerance, in MB
}{
	{"JavaScript's heaps", func(h held) float64 { return h.Page + h.Worker }, 0},
	{"JavaScript's arrays", func(h held) float64 { return h.Arrays }, 0},
	{"engine's Go heap", func(h held) float64 { return h.Heap }, 0},
	{"engine's wasm memory", func(h held) float64 { return h.Engine }, step},
	{"studio's Go heap", func(h held) float64 { return h.Own }, 0},
	{"studio's wasm memory", func(h held) float64 { return h.Studio }, step},
}

// meter measures a studio and its engine's worker.
type meter struct {
	t       *testing.T
	s       *studiotest.Studio
	worker  context.Context
	samples []sample
}

func newMeter(t *testing.T, s *studiotest.Studio) *meter {
	t.Helper()
	targets := require.Value(chromedp.CallBrowser(s.Context(), target.GetTargets, target.GetTargetsParams{}))(t)
	m := &meter{t: t, s: s}
	for _, info := range targets.TargetInfos {
		if info.Type == "worker" {
			if m.worker != nil {
				t.Fatal("the page has two workers, want that of its engine")
			}
			worker, cancel := chromedp.NewContext(s.Context(), chromedp.WithTargetID(info.TargetID))
			t.Cleanup(cancel)
			m.worker = worker
		}
	}
	if m.worker == nil {
		t.Fatal("the page has no worker")
	}
	return m
}

// heap collects garbage and returns the remaining heap and arrays in MB. A program's memory is not
// an array.
func (m *meter) heap(ctx context.Context) (heap, arrays float64) {
	m.t.Helper()
	require.Value(chromedp.Call(ctx, heapprofiler.CollectGarbage, cdp.Empty{}))(m.t)
	usage := require.Value(chromedp.Call(ctx, runtime.GetHeapUsage, cdp.Empty{}))(m.t)
	return usage.UsedSize / 1e6, usage.BackingStorageSize / 1e6
}

// look takes a sample.
func (m *meter) look(at time.Duration) {
	m.t.Helper()
	h := browsertest.Eval[held](m.s.Browser, `studio.engine.then(async (engine) => {
		const { heap, wasm } = await engine[Symbol.for("deepemd.memory")](true);
		return { Heap: heap / 1e6, Engine: wasm / 1e6, Own: studio[Symbol.for("deepemd.memory")]() / 1e6, Studio: soak.memory.buffer.byteLength / 1e6 };
	})`)
	h.Worker, h.Arrays = m.heap(m.worker)
	page, arrays := m.heap(m.s.Context())
	h.Page, h.Arrays = page, h.Arrays+arrays
	m.samples = append(m.samples, sample{at, h})
	m.t.Logf("after %5.1f min: JavaScript %.2f + %.2f MB, arrays %.2f MB, engine %.2f MB of %.1f, studio %.2f MB of %.1f",
		at.Minutes(), h.Page, h.Worker, h.Arrays, h.Heap, h.Engine, h.Own, h.Studio)
}

// mean returns the mean of a quantity over the samples of a period.
func (m *meter) mean(of func(held) float64, from, to time.Duration) float64 {
	sum, n := 0.0, 0.0
	for _, s := range m.samples {
		if s.at >= from && s.at <= to {
			sum, n = sum+of(s.held), n+1
		}
	}
	if n == 0 {
		m.t.Fatalf("no sample between %v and %v", from, to)
	}
	return sum / n
}

// judge compares the last third of the time with the period from a sixth to the half.
func (m *meter) judge(all time.Duration) {
	m.t.Helper()
	for _, q := range quantities {
		early, late := m.mean(q.of, all/6, all/2), m.mean(q.of, 2*all/3, 2*all)
		growth := late/early - 1
		m.t.Logf("%s: %.2f MB, later %.2f MB: %+.1f%%", q.name, early, late, 100*growth)
		if late > (1+tolerance)*early+q.more {
			m.t.Errorf("%s grew by %.1f%%, want at most %.0f%% and %g MB", q.name, 100*growth, 100*tolerance, q.more)
		}
	}
}
