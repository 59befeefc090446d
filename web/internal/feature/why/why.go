// Package why is the feature that explains answers: the match between parts of the picture and of
// an example, and the location of the evidence in the picture.
package why

import (
	"context"
	"time"

	"github.com/deepemd/deepemd/web/internal/kernel"
)

// Interval is the time between explanations of camera frames: the eye cannot follow more than ten a
// second.
const Interval = 100 * time.Millisecond

// Part is a region of a match.
type Part struct {
	OfExample bool // of the example, not of the picture
	Node      int
}

// Pair is a region of the picture and one of the example.
type Pair struct{ From, To int }

// Comparison is a frozen picture, compared with one class.
type Comparison struct {
	ClassID string // the requested class; Match belongs to another one until it is computed
	Match   *kernel.Match
	Pair    Pair // the pointed-at pair
}

// compared returns a comparison of the match, with the strongest pair.
func compared(m *kernel.Match) *Comparison {
	c := &Comparison{ClassID: m.ClassID, Match: m}
	if links := m.Links(0); len(links) > 0 {
		c.Pair = Pair{links[0].From, links[0].To}
	}
	return c
}

// State is the explanation on the page.
type State struct {
	Shown      bool
	Heat       bool          // brightness shows weights
	Match      *kernel.Match // the latest, or nil
	Part       *Part         // the pointed-at part, which freezes Match; or nil
	Comparison *Comparison   // nil unless the dialog is open
}

// Why explains the latest answer.
type Why struct {
	kernel.Part
	seen kernel.Revisions

	// Where locates the evidence in the picture.
	Where *Where

	state     State
	explained time.Time // time of the latest request
}

// follow drops the explanation when the picture changes.
func (w *Why) follow() {
	if w.News(&w.seen).Shown > 0 {
		w.Update(func() { w.state.Match, w.state.Part, w.explained = nil, nil, time.Time{} })
		w.Where.Update(w.Where.reset)
	}
}

// New returns the explanations of a kernel's answers.
func New(k *kernel.Kernel) *Why {
	w := &Why{K: k, Where: &Where{K: k}}
	k.Follow(w.follow)
	k.Live.Explainer = w
	return w
}

// Due implements [kernel.Explainer].
func (w *Why) Due() bool {
	w.Lock()
	defer w.Unlock()
	return w.wanted() && due(&w.explained, Interval) || w.Where.on && due(&w.Where.asked, w.Where.interval())
}

// due reports whether an interval has passed since the latest explanation, and begins the next one then.
func due(latest *time.Time, interval time.Duration) bool {
	now := time.Now()
	if now.Sub(*latest) < interval {
		return false
	}
	*latest = now
	return true
}

// Wanted implements [kernel.Explainer].
func (w *Why) Wanted() bool { return w.State().Shown || w.Where.On() }

// Took implements [kernel.Explainer].
func (w *Why) Took(d time.Duration, explained bool) { w.Where.recordDuration(d, explained) }

// Explained implements [kernel.Explainer].
func (w *Why) Explained(ctx context.Context, match *kernel.Match, still bool) {
	if still {
		w.PointAt(nil)
	}
	w.publish(ctx, match)
	w.Where.publish(ctx, match)
}

// State returns the explanation on the page.
func (w *Why) State() State {
	state := kernel.Get(&w.Part, &w.state)
	if state.Match != nil && !w.K.Classes.Considers(state.Match.Answer) {
		state.Match, state.Part = nil, nil
	}
	return state
}

// Show shows explanations, or hides them, which stops the requests.
func (w *Why) Show(on bool) {
	w.Update(func() {
		w.state.Shown = on
		w.state.Match, w.state.Part = nil, nil
	})
	if on {
		w.K.Live.Reclassify()
	}
}

// ShowHeat shows the weight of regions as brightness, or not.
func (w *Why) ShowHeat(on bool) { w.Update(func() { w.state.Heat = on }) }

// PointAt points at a region of the latest match, which is frozen until nothing (nil) is pointed
// at.
func (w *Why) PointAt(region *Part) {
	w.Update(func() {
		if w.state.Match == nil {
			region = nil
		}
		w.state.Part = region
	})
}

// OpenComparison opens a comparison of the latest match.
func (w *Why) OpenComparison() {
	w.Update(func() {
		if m := w.state.Match; m != nil {
			w.state.Comparison, w.state.Part = compared(m), nil
		}
	})
}

// CloseComparison closes the comparison.
func (w *Why) CloseComparison() { w.Update(func() { w.state.Comparison = nil }) }

// PickPair points at a pair of the comparison.
func (w *Why) PickPair(pair Pair) {
	w.change(func(c *Comparison) bool {
		changed := c.Pair != pair
		c.Pair = pair
		return changed
	})
}

// CompareWith compares the frozen picture with another class.
func (w *Why) CompareWith(classID string) {
	var from *kernel.Match
	asked := w.change(func(c *Comparison) bool {
		changed := c.ClassID != classID
		c.ClassID, from = classID, c.Match
		return changed
	})
	if !asked {
		return
	}
	go func() {
		_, match, err := w.K.Engine.Drain().Explain(from.Seen, false, classID)
		if err != nil {
			w.K.Notices.Trouble(err)
		}
		w.change(func(c *Comparison) bool {
			switch {
			case c.ClassID != classID || c.Match != from: // the user has chosen another class, or opened another comparison
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

// change replaces the comparison by a changed copy, unless change returns false. Copies that were
// returned before do not change. It reports whether there is a comparison.
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

// wanted reports whether the user wants the next match. The lock is held.
func (w *Why) wanted() bool { return w.state.Shown && w.state.Part == nil && w.state.Comparison == nil }

// publish shows the explanation of an answer, unless the match is nil, the context is done, or the
// example was removed.
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
