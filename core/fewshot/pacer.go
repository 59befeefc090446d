package fewshot

// pieceWork is the time between two pauses in a page, in nanoseconds.
const pieceWork = 2_000_000

// pacer takes a pause after every few milliseconds' work. Work is estimated, not measured: the
// pauses are the same on every machine.
type pacer struct {
	pause func() error // optional
	since int          // nanoseconds since the last pause
}

// did counts the nanoseconds that a piece of work takes in a page.
func (p *pacer) did(work int) error {
	if p.since += work; p.since < pieceWork || p.pause == nil {
		return nil
	}
	p.since = 0
	return p.pause()
}

// each does each of n things, which return their work.
func (p *pacer) each(n int, do func(i int) (work int)) error {
	for i := range n {
		if err := p.did(do(i)); err != nil {
			return err
		}
	}
	return nil
}
