package verb

import (
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/cwriter"
	"github.com/vbauerster/mpb/v8/decor"
)

// every is the time between two lines of progress without a terminal.
const every = 10 * time.Second

// Bar shows progress with a changing text: a bar on a terminal, or a line from time to time.
type Bar struct {
	w    io.Writer
	name string
	last time.Time     // of the last line
	bars *mpb.Progress // nil without a terminal
	bar  *mpb.Bar
	text atomic.Value // a string; another goroutine draws the bar
}

// NewBar returns a bar on w with a name before it.
func NewBar(w io.Writer, name string) *Bar {
	b := &Bar{w: w, name: name, last: time.Now()}
	if !OnTerminal(w) {
		return b
	}
	b.bars = mpb.New(mpb.WithOutput(terminal(w)), mpb.WithWidth(50))
	b.text.Store("")
	b.bar = b.bars.AddBar(0,
		mpb.BarRemoveOnComplete(),
		mpb.PrependDecorators(decor.Name(name+" "), decor.CountersNoUnit("%d of %d ")),
		mpb.AppendDecorators(decor.Any(func(decor.Statistics) string { return " " + b.text.Load().(string) })),
	)
	return b
}

// OnTerminal reports whether an output is a terminal.
func OnTerminal(w io.Writer) bool {
	f := terminal(w)
	return f != nil && cwriter.IsTerminal(int(f.Fd()))
}

// Set sets the number of finished steps, the number of all steps, and the text, which begins with its
// separator.
func (b *Bar) Set(step, steps int, text string) {
	if b.bars != nil {
		b.text.Store(strings.TrimLeft(text, ", "))
		b.bar.SetTotal(int64(steps), false)
		b.bar.SetCurrent(int64(step))
	} else if now := time.Now(); now.Sub(b.last) >= every {
		b.last = now
		fmt.Fprintf(b.w, "%s %d of %d%s\n", b.name, step, steps, text)
	}
}

// Above returns the output for lines on w until Done: above the bar if both are on a terminal, because the bar
// erases the lines below it.
func (b *Bar) Above(w io.Writer) io.Writer {
	if b.bars != nil && OnTerminal(w) {
		return Plain(b.bars)
	}
	return w
}

// Done removes the bar.
func (b *Bar) Done() {
	if b.bars != nil {
		b.bar.Abort(true)
		b.bars.Wait()
	}
}
