package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/cwriter"
	"github.com/vbauerster/mpb/v8/decor"

	"github.com/deepemd/deepemd/trainer/measure/evaluate"
)

// progressEvery is how often progress is written where there is no terminal.
const progressEvery = 10 * time.Second

// withProgress runs work and shows on w how far it is: as a bar on a terminal,
// else as a line now and then.
func withProgress(w io.Writer, what string, work func(evaluate.Progress) error) error {
	if f, ok := w.(*os.File); ok && cwriter.IsTerminal(int(f.Fd())) {
		return withBar(w, what, work)
	}
	last := time.Now()
	return work(func(done, total int) {
		if now := time.Now(); now.Sub(last) >= progressEvery {
			last = now
			fmt.Fprintf(w, "%s: %d of %d\n", what, done, total)
		}
	})
}

// withBar is withProgress on a terminal. The bar goes when the work is done.
func withBar(w io.Writer, what string, work func(evaluate.Progress) error) error {
	bars := mpb.New(mpb.WithOutput(w), mpb.WithWidth(60))
	bar := bars.AddBar(0,
		mpb.BarRemoveOnComplete(),
		mpb.PrependDecorators(decor.Name(what+" "), decor.CountersNoUnit("%d of %d")),
		mpb.AppendDecorators(decor.OnComplete(decor.AverageETA(decor.ET_STYLE_GO), "")),
	)
	err := work(func(done, total int) {
		bar.SetTotal(int64(total), false)
		bar.SetCurrent(int64(done))
	})
	bar.Abort(true)
	bars.Wait()
	return err
}

// trainBar is a bar of steps with a text that changes.
type trainBar struct {
	bars *mpb.Progress
	bar  *mpb.Bar
	text string
}

// newTrainBar returns a bar on w, nil where w is no terminal.
func newTrainBar(w io.Writer) *trainBar {
	f, ok := w.(*os.File)
	if !ok || !cwriter.IsTerminal(int(f.Fd())) {
		return nil
	}
	b := &trainBar{bars: mpb.New(mpb.WithOutput(w), mpb.WithWidth(40))}
	b.bar = b.bars.AddBar(0,
		mpb.BarRemoveOnComplete(),
		mpb.PrependDecorators(decor.CountersNoUnit("%d of %d ")),
		mpb.AppendDecorators(decor.Any(func(decor.Statistics) string { return " " + b.text })),
	)
	return b
}

func (b *trainBar) set(step, steps int, text string) {
	b.text = text
	b.bar.SetTotal(int64(steps), false)
	b.bar.SetCurrent(int64(step))
}

// note prints a line above the bar.
func (b *trainBar) note(text string) { fmt.Fprintln(b.bars, text) }

// done takes the bar off the terminal.
func (b *trainBar) done() {
	b.bar.Abort(true)
	b.bars.Wait()
}
