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
	f := terminal(w)
	if f == nil || !cwriter.IsTerminal(int(f.Fd())) {
		return b
	}
	b.bars = mpb.New(mpb.WithOutput(f), mpb.WithWidth(50))
	b.text.Store("")
	b.bar = b.bars.AddBar(0,
		mpb.BarRemoveOnComplete(),
		mpb.PrependDecorators(decor.Name(name+" "), decor.CountersNoUnit("%d of %d ")),
		mpb.AppendDecorators(decor.Any(func(decor.Statistics) string { return " " + b.text.Load().(string) })),
	)
	return b
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

// Note prints a line above the bar.
func (b *Bar) Note(text string) {
	if b.bars == nil {
		fmt.Fprintln(b.w, text)
		return
	}
	fmt.Fprintln(Plain(b.bars), text)
}

// Done removes the bar.
func (b *Bar) Done() {
	if b.bars != nil {
		b.bar.Abort(true)
		b.bars.Wait()
	}
}
