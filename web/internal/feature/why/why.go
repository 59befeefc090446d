// Package why is the feature that shows why an answer is what it is: which part of the picture
// matches which part of an example, and where in the picture the evidence lies.
package why

import (
	"context"
	"time"

	"github.com/deepemd/deepemd/web/internal/kernel"
)

// Interval is the time from one explanation of what the camera shows to the
// next: ten a second are as many as an eye can follow.
const Interval = 100 * time.Millisecond

// Part is one of the regions of a match.
type Part struct {
	OfExample bool // of the example, not of the picture
	Node      int
}

// Pair is a region of the picture and one of the example.
type Pair struct{ From, To int }

// Comparison is one picture that is looked at more closely, with the class that it is
// compared with.
type Comparison struct {
	ClassID string // that is asked about; Match is another's until it is known
	Match   *kernel.Match
	Pair    Pair // that is pointed at
}

// compared returns a comparison of the match, with the pair that exchanges most.
func compared(m *kernel.Match) *Comparison {
	c := &Comparison{ClassID: m.ClassID, Match: m}
	if links := m.Links(0); len(links) > 0 {
		c.Pair = Pair{links[0].From, links[0].To}
	}
	return c
}

// State says what the page shows of the reasons.
type State struct {
	Shown      bool
	Heat       bool          // weights are shown as light and dark
	Match      *kernel.Match // the latest, nil while there is none
	Part       *Part         // of Match that is pointed at, which holds it still; or nil
	Comparison *Comparison   // nil unless the person looks more closely
}

// Why holds the reason for the latest answer.
type Why struct {
	kernel.Part
	seen kernel.Revisions

	// Where is where in the picture the evidence lies.
	Where *Where

	state     State
	explained time.Time // when an explanation was asked for last
}

// follow drops the reason for what is shown no more.
func (w *Why) follow() {
	if w.News(&w.seen).Shown > 0 {
		w.forget()
	}
}

// New returns the reasons for a kernel's answers.
func New(k *kernel.Kernel) *Why {
	w := &Why{Part: kernel.Part{K: k}, Where: newWhere(k)}
	k.Follow(w.follow)
	k.Follow(w.Where.follow)
	k.Live.ExplainTo(w)
	return w
}

// Due implements [kernel.Explainer].
func (w *Why) Due() bool { return w.due() || w.Where.due() }

// Wanted implements [kernel.Explainer].
func (w *Why) Wanted() bool { return w.State().Shown || w.Where.On() }

// Took implements [kernel.Explainer].
func (w *Why) Took(d time.Duration, explained bool) { w.Where.took(d, explained) }

// Explained implements [kernel.Explainer].
func (w *Why) Explained(ctx context.Context, match *kernel.Match, still bool) {
	if still {
		w.PointAt(nil)
	}
	w.publish(ctx, match)
	w.Where.publish(ctx, match)
}

// State returns what is shown of the reasons.
func (w *Why) State() State {
	w.Lock()
	state := w.state
	w.Unlock()
	if state.Match != nil && !w.K.Classes.Considers(state.Match.Answer) {
		state.Match, state.Part = nil, nil
	}
	return state
}

// Show shows the reasons, or hides them: then they are not asked for either.
func (w *Why) Show(on bool) {
	w.Update(func() {
		w.state.Shown = on
		w.state.Match, w.state.Part = nil, nil
	})
	if on {
		w.K.Live.Reclassify()
	}
}

// ShowHeat shows how much each region counts as light and dark, or does not.
func (w *Why) ShowHeat(on bool) { w.Update(func() { w.state.Heat = on }) }

// PointAt points at a region of the latest match, which is held still until nothing is
// pointed at: nil.
func (w *Why) PointAt(region *Part) {
	w.Update(func() {
		if w.state.Match == nil {
			region = nil
		}
		w.state.Part = region
	})
}

// OpenComparison opens the latest match to be looked at more closely.
func (w *Why) OpenComparison() {
	w.Update(func() {
		if m := w.state.Match; m != nil {
			w.state.Comparison, w.state.Part = compared(m), nil
		}
	})
}

// CloseComparison closes what OpenComparison opened.
func (w *Why) CloseComparison() { w.Update(func() { w.state.Comparison = nil }) }

// PickPair points at a pair of the match that is looked at more closely.
func (w *Why) PickPair(pair Pair) {
	w.change(func(c *Comparison) bool {
		changed := c.Pair != pair
		c.Pair = pair
		return changed
	})
}

// CompareWith compares the picture that is looked at more closely with another class:
// why is it not that?
func (w *Why) CompareWith(classID string) {
	var seen kernel.Source
	asked := w.change(func(c *Comparison) bool {
		changed := c.ClassID != classID
		c.ClassID, seen = classID, c.Match.Seen
		return changed
	})
	if !asked {
		return
	}
	go func() {
		_, match, err := w.K.Engine.Drain().Explain(seen, false, classID)
		if err != nil {
			w.K.Notices.Trouble(err)
		}
		w.change(func(c *Comparison) bool {
			switch {
			case c.ClassID != classID: // The person has moved on.
				return false
			case err != nil || match == nil:
				c.ClassID = c.Match.ClassID
			default:
				match.Answer = c.Match.Answer
				*c = *compared(match)
			}
			return true
		})
	}()
}

// change puts a changed copy in the place of the comparison, as those that were handed
// out stay as they are. It reports whether there is one, and change says that it
// changed.
func (w *Why) change(change func(*Comparison) bool) (changed bool) {
	w.Update(func() {
		if w.state.Comparison == nil {
			return
		}
		next := *w.state.Comparison
		if changed = change(&next); changed {
			w.state.Comparison = &next
		}
	})
	return changed
}

// wanted reports whether the person would see another match now. The lock is held.
func (w *Why) wanted() bool { return w.state.Shown && w.state.Part == nil && w.state.Comparison == nil }

// due reports whether the next frame is to be explained, and counts on it.
func (w *Why) due() bool {
	w.Lock()
	defer w.Unlock()
	now := time.Now()
	if !w.wanted() || now.Sub(w.explained) < Interval {
		return false
	}
	w.explained = now
	return true
}

// publish shows the reason of an answer, unless there is none, it came too late, or the
// example has gone.
func (w *Why) publish(ctx context.Context, match *kernel.Match) {
	if match == nil {
		return
	}
	if owner, ok := w.K.Classes.OwnerOf(match.ExampleID); !ok || owner.ID != match.ClassID {
		return
	}
	w.Update(func() {
		if ctx.Err() == nil && w.wanted() {
			w.state.Match = match
		}
	})
}

// forget drops the latest reason: what it was about is shown no more.
func (w *Why) forget() {
	w.Update(func() { w.state.Match, w.state.Part, w.explained = nil, nil, time.Time{} })
}
