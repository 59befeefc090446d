package verb

import (
	"fmt"
	"io"
	"sync/atomic"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/cwriter"
	"github.com/vbauerster/mpb/v8/decor"
)

// Bar is a progress bar with a changing text.
type Bar struct {
	bars *mpb.Progress
	bar  *mpb.Bar
	text atomic.Value // a string; another goroutine draws the bar
}

// NewBar returns a bar on w with a name before it, or nil if w is not a terminal.
func NewBar(w io.Writer, name string) *Bar {
	f := terminal(w)
	if f == nil || !cwriter.IsTerminal(int(f.Fd())) {
		return nil
	}
	b := &Bar{bars: mpb.New(mpb.WithOutput(f), mpb.WithWidth(50))}
	b.text.Store("")
	b.bar = b.bars.AddBar(0,
		mpb.BarRemoveOnComplete(),
		mpb.PrependDecorators(decor.Name(name), decor.CountersNoUnit("%d of %d ")),
		mpb.AppendDecorators(decor.Any(func(decor.Statistics) string { return " " + b.text.Load().(string) })),
	)
	return b
}

// Set sets the number of finished steps, the number of all steps, and the text.
func (b *Bar) Set(step, steps int, text string) {
	b.text.Store(text)
	b.bar.SetTotal(int64(steps), false)
	b.bar.SetCurrent(int64(step))
}

// Note prints a line above the bar.
func (b *Bar) Note(text string) { fmt.Fprintln(Plain(b.bars), text) }

// Done removes the bar.
func (b *Bar) Done() {
	b.bar.Abort(true)
	b.bars.Wait()
}
