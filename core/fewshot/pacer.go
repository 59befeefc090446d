package fewshot

// pieceWork is the approximate time between two pauses in WebAssembly, in nanoseconds.
const pieceWork = 2_000_000

// pacer calls pause after every few milliseconds of work. It estimates the work instead of
// measuring time, so that the pauses are the same on every machine.
type pacer struct {
	pause func() error // optional
	since int          // nanoseconds since the last pause
}

// add adds the work of one piece, in nanoseconds, and pauses if necessary.
func (p *pacer) add(work int) error {
	if p.since += work; p.since < pieceWork || p.pause == nil {
		return nil
	}
	p.since = 0
	return p.pause()
}

// each calls do for 0 to n−1. do returns its work in nanoseconds.
func (p *pacer) each(n int, do func(i int) (work int)) error {
	for i := range n {
		if err := p.add(do(i)); err != nil {
			return err
		}
	}
	return nil
}
