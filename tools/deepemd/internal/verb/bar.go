package verb

import (
	"fmt"
	"io"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/cwriter"
	"github.com/vbauerster/mpb/v8/decor"
)

// Bar is a bar of steps with a text that changes.
type Bar struct {
	bars *mpb.Progress
	bar  *mpb.Bar
	text string
}

// NewBar returns a bar on w, nil where w is no terminal.
func NewBar(w io.Writer) *Bar {
	f := terminal(w)
	if f == nil || !cwriter.IsTerminal(int(f.Fd())) {
		return nil
	}
	b := &Bar{bars: mpb.New(mpb.WithOutput(f), mpb.WithWidth(40))}
	b.bar = b.bars.AddBar(0,
		mpb.BarRemoveOnComplete(),
		mpb.PrependDecorators(decor.CountersNoUnit("%d of %d ")),
		mpb.AppendDecorators(decor.Any(func(decor.Statistics) string { return " " + b.text })),
	)
	return b
}

// Set says which step of how many is done, and the text beside them.
func (b *Bar) Set(step, steps int, text string) {
	b.text = text
	b.bar.SetTotal(int64(steps), false)
	b.bar.SetCurrent(int64(step))
}

// Note prints a line above the bar.
func (b *Bar) Note(text string) { fmt.Fprintln(Plain(b.bars), text) }

// Done takes the bar off the terminal.
func (b *Bar) Done() {
	b.bar.Abort(true)
	b.bars.Wait()
}
