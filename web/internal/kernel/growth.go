package kernel

import "math"

// Growth says how recognition grew with the examples, as deepemd.js found it.
type Growth struct {
	Done, Total int // draws of examples
	Points      []GrowthPoint
	Classes     []GrowthClass
}

// GrowthPoint is how many examples are recognised by so many others of each class.
type GrowthPoint struct {
	Examples int     // of each class; in the last point all others
	Right    float64 // share of the examples
	Spread   float64 // its standard deviation between draws
}

// GrowthClass is how many examples of a class are recognised: of each point, how many and
// of how many.
type GrowthClass struct {
	ID           string
	Right, Asked []int
}

// Share is the share of a class's examples that are recognised in a point; ok is false
// where none were asked about.
func (c GrowthClass) Share(point int) (share float64, ok bool) {
	if point >= len(c.Asked) || c.Asked[point] == 0 {
		return 0, false
	}
	return float64(c.Right[point]) / float64(c.Asked[point]), true
}

// GrowthHint advises whoever gives examples: of a class, with its
// shares by half of the examples, and by all.
type GrowthHint struct {
	Verdict   GrowthVerdict
	ClassID   string
	Half, All float64
}

// GrowthVerdict is a kind of hint.
type GrowthVerdict int

// The verdicts.
const (
	GrowthHelps GrowthVerdict = iota // the class gained most from the latter half of its examples
	GrowthFlat                       // it is the one mistaken most of those that did not gain
	GrowthWell                       // every class is recognised well
)

const (
	// well is the share from which on a class is recognised well.
	well = 0.95
	// helped is by how much a share must have risen to have been helped.
	helped = 0.05
)

// Hints say which class more examples help most, and which is the hardest of those that
// they do not help; none before all is found.
func (g *Growth) Hints() (hints []GrowthHint) {
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
	var gaining, flat *GrowthHint
	for _, c := range g.Classes {
		now, ok := c.Share(last)
		before, known := c.Share(middle)
		switch gain := now - before; {
		case !ok || !known || now >= well:
		case gain >= helped-1e-9:
			if gaining == nil || gain > gaining.All-gaining.Half {
				gaining = &GrowthHint{GrowthHelps, c.ID, before, now}
			}
		case flat == nil || now < flat.All:
			flat = &GrowthHint{GrowthFlat, c.ID, before, now}
		}
	}
	for _, hint := range []*GrowthHint{gaining, flat} {
		if hint != nil {
			hints = append(hints, *hint)
		}
	}
	if len(hints) == 0 {
		hints = append(hints, GrowthHint{Verdict: GrowthWell})
	}
	return hints
}

// GrowthState says what the page shows of how recognition grew.
type GrowthState struct {
	Shown    bool
	Growth   *Growth // of the latest examples that it is known of, or the beginning of the first; nil for none
	Busy     bool    // a newer one is on its way
	Progress Progress
	TooFew   bool // there is nothing to find out yet
}

// Growths finds out how recognition grew, while a person wants to see it.
type Growths struct {
	Part
	seen Revisions
	task Task

	shown    bool
	growth   *Growth
	progress Progress
	stop     chan struct{} // closed to end what is under way
}

func newGrowths(s *Kernel) *Growths {
	g := &Growths{Part: Part{K: s}}
	g.task = NewTask(&g.Part, RestPause, 0, g.find)
	return g
}

// State returns what is shown.
func (g *Growths) State() GrowthState {
	few := g.tooFew()
	g.Lock()
	defer g.Unlock()
	state := GrowthState{Shown: g.shown, Growth: g.growth, Busy: g.task.Working(), Progress: g.progress, TooFew: few}
	if few {
		state.Growth = nil
	}
	return state
}

// tooFew reports whether there are fewer than two classes with examples, or none with
// three.
func (g *Growths) tooFew() bool {
	classes, most := 0, 0
	for _, c := range g.K.Classes.List() {
		if n := len(c.Examples); n > 0 && !c.Disabled {
			classes, most = classes+1, max(most, n)
		}
	}
	return classes < 2 || most < 3
}

// Show shows how recognition grew, or hides it: then nothing is found out either.
func (g *Growths) Show(on bool) {
	g.Update(func() {
		if g.shown = on; !on {
			g.halt()
		}
	})
	if on {
		g.examine()
	}
}

// follow drops what is known of another project, and finds out again after other changes.
func (g *Growths) follow() {
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

// halt ends what is under way. The lock is held.
func (g *Growths) halt() {
	if g.stop != nil {
		close(g.stop)
		g.stop = nil
	}
}

// examine finds out again, once the examples have come to rest, if it is shown.
func (g *Growths) examine() {
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

// find finds out how recognition grew with the examples of now.
func (g *Growths) find(engine Engine) {
	few, stop, wanted := g.tooFew(), make(chan struct{}), false
	g.Update(func() {
		g.progress = Progress{}
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
		case CodeOf(err) == CodeEmpty:
			g.growth = nil
		}
	})
	if err != nil && CodeOf(err) != CodeStopped && CodeOf(err) != CodeEmpty {
		g.K.Notices.Trouble(err)
	}
}

// tell takes over what is found so far: until something is known whole, that is shown.
func (g *Growths) tell(stop chan struct{}) func(Growth) {
	return func(found Growth) {
		g.Update(func() {
			if g.stop != stop {
				return
			}
			g.progress = Progress{found.Done, found.Total}
			if len(found.Points) > 0 && (g.growth == nil || g.growth.Done < g.growth.Total) {
				g.growth = &found
			}
		})
	}
}

// OfHundred is a share as so many of a hundred.
func OfHundred(share float64) int { return int(math.Round(100 * share)) }
