package reproduce

import "time"

// clock estimates the time that is left: by what cells cost, in proportion to what
// those that are done have taken.
type clock struct {
	began time.Time
	done  []float64 // [cells], cost up to and with each
}

// newClock starts when the first of the cells begins.
func newClock(l *Lab, cells []Cell) *clock {
	c := &clock{began: time.Now()}
	total := 0.0
	embedded := map[string]bool{}
	for _, cell := range cells {
		s := l.Plan.setting(cell.Table, cell.Row, cell.Column)
		total += s.cost()
		for _, base := range bases(s.Method.Embedder, l.Features.MostPatches) {
			key := digest(s.Network, s.Data, base)
			if episodes, err := l.draw(s); err == nil && !embedded[key] { // an error is said when the cell is measured
				embedded[key] = true
				total += costOfPass * float64(l.Features.Missing(l.network(s.Network), l.Data[s.Data], base, names(episodes)))
			}
		}
		c.done = append(c.done, total)
	}
	return c
}

// left is about how much time remains after a cell.
func (c *clock) left(cell int) time.Duration {
	done, all := c.done[cell], c.done[len(c.done)-1]
	return time.Duration(float64(time.Since(c.began)) * (all - done) / done)
}
