// Package growth is the feature that shows how the accuracy grows with the examples.
package growth

import (
	"math"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/web/internal/kernel"
)

// Hint is advice about a class, with its accuracy for half of the examples and for all.
type Hint struct {
	Verdict   Verdict
	ClassID   string
	Half, All float64
}

// Verdict is a kind of hint.
type Verdict int

// The verdicts.
const (
	Helps Verdict = iota // the class gained most from the second half of its examples
	Flat                 // the least accurate class that did not gain
	Well                 // every class is accurate
)

const (
	// well is the accuracy from which a class needs no more examples.
	well = 0.95
	// helped is the minimum gain in accuracy.
	helped = 0.05
)

// hints returns the class that gains most from more examples, and the least accurate class that
// does not gain; nil for an incomplete curve.
func hints(g *answer.Curve) (found []Hint) {
	last := len(g.Points) - 1
	if last < 1 || g.Done < g.Total {
		return nil
	}
	middle := 0
	for i, p := range g.Points[:last] {
		if 2*p.Examples <= g.Points[last].Examples {
			middle = i
		}
	}
	var gaining, flat *Hint
	for _, c := range g.Classes {
		now, ok := c.Share(last)
		before, known := c.Share(middle)
		switch gain := now - before; {
		case !ok || !known || now >= well:
		case gain >= helped-1e-9:
			if gaining == nil || gain > gaining.All-gaining.Half {
				gaining = &Hint{Helps, c.ID, before, now}
			}
		case flat == nil || now < flat.All:
			flat = &Hint{Flat, c.ID, before, now}
		}
	}
	for _, hint := range []*Hint{gaining, flat} {
		if hint != nil {
			found = append(found, *hint)
		}
	}
	if len(found) == 0 {
		found = append(found, Hint{Verdict: Well})
	}
	return found
}

// State is the curve on the page, and the progress of the next.
type State struct {
	Shown    bool
	Growth   *answer.Curve // the latest complete curve, or the beginning of the first; or nil
	Busy     bool          // a new curve is being measured
	Progress kernel.Progress
	TooFew   bool // too few examples for a curve
}

// Growth measures the curve while the user wants to see it.
type Growth struct {
	kernel.Part
	seen kernel.Revisions
	task kernel.Task

	shown    bool
	growth   *answer.Curve
	progress kernel.Progress
	stop     chan struct{} // closed to stop the measurement
}

// New returns the growth of a kernel's examples.
func New(k *kernel.Kernel) *Growth {
	g := &Growth{Part: kernel.Part{K: k}}
	g.task = kernel.NewTask(&g.Part, kernel.RestPause, 0, g.find)
	k.Follow(g.follow)
	return g
}

// State returns the curve and the progress of the next.
func (g *Growth) State() State {
	few := g.tooFew()
	g.Lock()
	defer g.Unlock()
	state := State{Shown: g.shown, Growth: g.growth, Busy: g.task.Working(), Progress: g.progress, TooFew: few}
	if few {
		state.Growth = nil
	}
	return state
}

// tooFew reports whether fewer than two classes have examples, or all have fewer than three.
func (g *Growth) tooFew() bool {
	classes, most := 0, 0
	for _, c := range g.K.Classes.List() {
		if n := len(c.Examples); n > 0 && !c.Disabled {
			classes, most = classes+1, max(most, n)
		}
	}
	return classes < 2 || most < 3
}

// Show shows the curve, or hides it, which stops the measurement.
func (g *Growth) Show(on bool) {
	g.Update(func() {
		if g.shown = on; !on {
			g.halt()
		}
	})
	if on {
		g.examine()
	}
}

// follow drops the curve of another project, and measures again after other changes.
func (g *Growth) follow() {
	news := g.News(&g.seen)
	if news.Project > 0 {
		g.Update(func() {
			g.growth = nil
			g.halt()
		})
	}
	if news.Project+news.Examples+news.Method > 0 {
		g.examine()
	}
}

// halt stops the measurement. The lock is held.
func (g *Growth) halt() {
	if g.stop != nil {
		close(g.stop)
		g.stop = nil
	}
}

// examine requests a measurement if the curve is visible.
func (g *Growth) examine() {
	ready := g.K.Engine.Get() != nil
	wanted := false
	g.Update(func() {
		if wanted = g.shown && ready; wanted {
			g.halt()
		}
	})
	if wanted {
		g.task.Ask()
	}
}

// find measures the curve.
func (g *Growth) find(engine kernel.Engine) {
	few, stop, wanted := g.tooFew(), make(chan struct{}), false
	g.Update(func() {
		g.progress = kernel.Progress{}
		if wanted = g.shown && !few; wanted {
			g.stop = stop
		}
	})
	if !wanted {
		return
	}
	found, err := engine.Growth(g.tell(stop), stop)
	g.Update(func() {
		if g.stop == stop {
			g.stop = nil
		}
		switch {
		case err == nil && len(found.Points) > 0:
			g.growth = &found
		case kernel.CodeOf(err) == kernel.CodeEmpty:
			g.growth = nil
		}
	})
	if err != nil && kernel.CodeOf(err) != kernel.CodeStopped && kernel.CodeOf(err) != kernel.CodeEmpty {
		g.K.Notices.Trouble(err)
	}
}

// tell records an intermediate curve, which is visible until there is a complete one.
func (g *Growth) tell(stop chan struct{}) func(answer.Curve) {
	return func(found answer.Curve) {
		g.Update(func() {
			if g.stop != stop {
				return
			}
			g.progress = kernel.Progress{Done: found.Done, All: found.Total}
			if len(found.Points) > 0 && (g.growth == nil || g.growth.Done < g.growth.Total) {
				g.growth = &found
			}
		})
	}
}

// OfHundred converts a fraction to a percentage.
func OfHundred(share float64) int { return int(math.Round(100 * share)) }
