// Package growth is the feature that shows how the accuracy grows with the examples.
package growth

import (
	"math"
	"slices"

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
	*kernel.Report
	growth   *answer.Curve
	progress kernel.Progress
	alike    bool // the examples are so alike that there are too few
}

// New returns the growth of a kernel's examples.
func New(k *kernel.Kernel) *Growth {
	g := &Growth{}
	g.Report = kernel.NewReport(k, 0, g.find, func() { g.growth, g.alike = nil, false })
	return g
}

// State returns the curve and the progress of the next.
func (g *Growth) State() State {
	few := g.tooFew()
	g.Lock()
	defer g.Unlock()
	state := State{Shown: g.Shown(), Growth: g.growth, Busy: g.Busy(), Progress: g.progress, TooFew: few || g.alike}
	if state.TooFew {
		state.Growth = nil
	}
	return state
}

// tooFew reports whether fewer than two classes have examples, or all have fewer than three.
func (g *Growth) tooFew() bool {
	classes := g.K.Classes.Answering()
	return len(classes) < 2 || !slices.ContainsFunc(classes, func(c kernel.Class) bool { return len(c.Examples) >= 3 })
}

// find measures the curve. An intermediate curve is visible until there is a complete one.
func (g *Growth) find(engine kernel.Engine, stop <-chan struct{}) {
	g.Update(func() { g.progress, g.alike = kernel.Progress{}, false })
	if g.tooFew() {
		return
	}
	found, err := engine.Growth(func(found answer.Curve) {
		g.Update(func() {
			select {
			case <-stop:
				return
			default:
			}
			g.progress = kernel.Progress{Done: found.Done, All: found.Total}
			if len(found.Points) > 0 && (g.growth == nil || g.growth.Done < g.growth.Total) {
				g.growth = &found
			}
		})
	}, stop)
	g.Update(func() {
		switch {
		case err == nil && len(found.Points) > 0:
			g.growth = &found
		case kernel.CodeOf(err) == kernel.CodeEmpty:
			g.growth, g.alike = nil, true
		}
	})
	if code := kernel.CodeOf(err); err != nil && code != kernel.CodeStopped && code != kernel.CodeEmpty {
		g.K.Notices.Trouble(err)
	}
}

// OfHundred converts a fraction to a percentage.
func OfHundred(share float64) int { return int(math.Round(100 * share)) }
