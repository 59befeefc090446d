package verb

import (
	"encoding/json"
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/cwriter"
	"github.com/vbauerster/mpb/v8/decor"

	"github.com/deepemd/deepemd/trainer/evaluate"
)

// Every is how often progress is written where there is no terminal.
const Every = 10 * time.Second

// WithProgress runs work and shows on w how far it is: as a bar on a terminal,
// else as a line now and then.
func WithProgress(w io.Writer, what string, work func(evaluate.Progress) error) error {
	if f := terminal(w); f != nil && cwriter.IsTerminal(int(f.Fd())) {
		return withBar(f, what, work)
	}
	last := time.Now()
	var p pace
	return work(func(done, total int) {
		now := time.Now()
		left := p.text(now, done, total)
		if now.Sub(last) >= Every {
			last = now
			fmt.Fprintf(w, "%s: %d of %d%s\n", what, done, total, left)
		}
	})
}

// Shown is WithProgress for work that has a result.
func Shown[T any](w io.Writer, what string, work func(evaluate.Progress) (T, error)) (result T, err error) {
	err = WithProgress(w, what, func(show evaluate.Progress) (err error) {
		result, err = work(show)
		return err
	})
	return result, err
}

// Shower returns the function that runs work and shows its progress on w.
func Shower(w io.Writer) func(what string, work func(evaluate.Progress) error) error {
	return func(what string, work func(evaluate.Progress) error) error { return WithProgress(w, what, work) }
}

// WriteJSON writes a result as indented JSON.
func WriteJSON(w io.Writer, result any) error {
	out := json.NewEncoder(w)
	out.SetIndent("", "  ")
	return out.Encode(result)
}

// withBar is With on a terminal. The bar goes when the work is done.
func withBar(w io.Writer, what string, work func(evaluate.Progress) error) error {
	var left atomic.Value // of string: the bar is drawn by another goroutine
	left.Store("")
	bars := mpb.New(mpb.WithOutput(w), mpb.WithWidth(60))
	bar := bars.AddBar(0,
		mpb.BarRemoveOnComplete(),
		mpb.PrependDecorators(decor.Name(what+" "), decor.CountersNoUnit("%d of %d")),
		mpb.AppendDecorators(decor.Any(func(decor.Statistics) string { return left.Load().(string) })),
	)
	var p pace
	err := work(func(done, total int) {
		left.Store(p.text(time.Now(), done, total))
		bar.SetTotal(int64(total), false)
		bar.SetCurrent(int64(done))
	})
	bar.Abort(true)
	bars.Wait()
	return err
}

// Milliseconds are a duration's, to three places.
func Milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
