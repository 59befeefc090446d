package main

import (
	"context"
	"fmt"
	"time"
)

// livePage opens the benchmark's page that embeds the engine.
func (b *bench) livePage(measure func(page context.Context) error) error {
	s, err := host(b.sites[0], false)
	if err != nil {
		return err
	}
	defer s.Close()
	c, err := startChromium()
	if err != nil {
		return err
	}
	defer c.cancel()
	ctx, err := c.tab(s.URL + "/pages/live.html")
	if err != nil {
		return err
	}
	if _, err := evaluate[float64](ctx, elapsedUntil("globalThis.live")); err != nil {
		return err
	}
	return measure(ctx)
}

// live measures the loop of a page with a camera.
func live(b *bench) error {
	return b.livePage(func(page context.Context) error {
		seconds := 10
		if b.repetitions < 11 {
			seconds = 2
		}
		for _, c := range []struct{ what, options string }{
			{"frames, one worker", `{}`},
			{"frames, one worker, 20 nearest", `{ classifier: "nearest" }`},
			{"pictures of 9 random crops, two workers", `{ embedder: { kind: "sampling", patches: 9 }, workers: 2 }`},
		} {
			got, err := evaluate[struct{ Rate, Median, Worst float64 }](page, fmt.Sprintf("live.answers(%s, %d)", c.options, seconds))
			if err != nil {
				return err
			}
			printRow(c.what, got.Rate, "answers/s", fmt.Sprintf("median %.1f ms, worst %.1f", got.Median, got.Worst))
		}
		got, err := evaluate[struct{ Captured, Classified float64 }](page, fmt.Sprintf("live.capture(%d)", 3*b.repetitions))
		if err != nil {
			return err
		}
		printRow("example captured, label updated", got.Captured, "ms", fmt.Sprintf("a frame classified: %.1f ms", got.Classified))
		return nil
	})
}

// learn measures the structured fully connected layer in the page.
func learn(b *bench) error {
	return b.livePage(func(page context.Context) error {
		type times struct{ Alone, Checked, Worst float64 }
		var got times
		for range 2 {
			var err error
			if got, err = evaluate[times](page, "live.learn(100)"); err != nil {
				return err
			}
		}
		printRow("100 passes", got.Alone, "ms", fmt.Sprintf("a frame meanwhile waits %.0f ms at most", got.Worst))
		printRow("with the check of what it gains", got.Checked, "ms", "")
		return nil
	})
}

// pool compares one worker with two, on images with many crops.
func pool(b *bench) error {
	return b.livePage(func(page context.Context) error {
		var took [2]float64
		for workers := 1; workers <= 2; workers++ {
			options := fmt.Sprintf(`{ embedder: { kind: "sampling", patches: 16 }, workers: %d }`, workers)
			got, err := evaluate[struct {
				Ms      float64
				Workers int
			}](page, fmt.Sprintf("live.crops(%s, %d)", options, 2*b.repetitions))
			if err != nil {
				return err
			}
			if got.Workers != workers {
				return fmt.Errorf("%d workers run, want %d", got.Workers, workers)
			}
			took[workers-1] = got.Ms
		}
		printRow("16 crops, two workers", took[1], "ms", fmt.Sprintf("one worker: %.1f ms, %.2f times as long", took[0], took[0]/took[1]))
		return nil
	})
}

// memory observes a live page for some minutes.
func memory(b *bench) error {
	return b.livePage(func(page context.Context) error {
		type sample struct {
			Wasm, Heap, Allocated, Worst, WorstPauseMs float64
			Collections, Count                         int
		}
		slice := max(b.live/10, 5*time.Second)
		var first sample
		for begin := time.Now(); ; {
			got, err := evaluate[sample](page, fmt.Sprintf("live.memory(%g)", slice.Seconds()))
			if err != nil {
				return err
			}
			perAnswer := "-"
			if first.Count > 0 {
				perAnswer = fmt.Sprintf("%.1f KB", (got.Allocated-first.Allocated)/float64(got.Count)/1e3)
			}
			printRow(fmt.Sprintf("after %v", time.Since(begin).Round(time.Second)), got.Wasm/1e6, "MB", fmt.Sprintf(
				"Go's heap %.1f MB, %s an answer; %d collections, longest pause %.2f ms; %d answers, the slowest %.0f ms",
				got.Heap/1e6, perAnswer, got.Collections, got.WorstPauseMs, got.Count, got.Worst))
			first = got
			if time.Since(begin) >= b.live {
				return nil
			}
		}
	})
}
