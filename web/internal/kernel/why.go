package kernel

import (
	"context"
	"time"

	"github.com/deepemd/deepemd/core/answer"
)

// WhyInterval is the time from one explanation of what the camera shows to the
// next: ten a second are as many as an eye can follow.
const WhyInterval = 100 * time.Millisecond

// Match explains how similar a picture is to a class: it shows how the picture matches
// the most similar example of the class.
type Match struct {
	*answer.Explanation
	// Answer says what the picture was taken for.
	Answer Answer
	// Seen and Example are the pixels of both, as the network saw them.
	Seen, Example Source
}

// Alike is how alike the two pictures are, 0 to 1: the similarity of what was
// matched, averaged by its weight.
func (m *Match) Alike() float64 { return max(0, m.Score/m.Temperature) }

// MatchPart is one of the regions of a match.
type MatchPart struct {
	OfExample bool // of the example, not of the picture
	Node      int
}

// Pair is a region of the picture and one of the example.
type Pair struct{ From, To int }

// Comparison is one picture that is looked at more closely, with the class that it is
// compared with.
type Comparison struct {
	ClassID string // that is asked about; Match is another's until it is known
	Match   *Match
	Pair    Pair // that is pointed at
}

// compared returns a comparison of the match, with the pair that exchanges most.
func (m *Match) compared() *Comparison {
	c := &Comparison{ClassID: m.ClassID, Match: m}
	if links := m.Links(0); len(links) > 0 {
		c.Pair = Pair{links[0].From, links[0].To}
	}
	return c
}

// WhyState says what the page shows of the reasons.
type WhyState struct {
	Shown      bool
	Heat       bool        // weights are shown as light and dark
	Match      *Match      // the latest, nil while there is none
	Part       *MatchPart  // of Match that is pointed at, which holds it still; or nil
	Comparison *Comparison // nil unless the person looks more closely
}

// Why holds the reason for the latest answer.
type Why struct {
	Part
	seen Revisions

	state     WhyState
	explained time.Time // when an explanation was asked for last
}

// follow drops the reason for what is shown no more.
func (w *Why) follow() {
	if w.News(&w.seen).Shown > 0 {
		w.forget()
	}
}

// State returns what is shown of the reasons.
func (w *Why) State() WhyState {
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
func (w *Why) PointAt(region *MatchPart) {
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
			w.state.Comparison, w.state.Part = m.compared(), nil
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
	var seen Source
	asked := w.change(func(c *Comparison) bool {
		changed := c.ClassID != classID
		c.ClassID, seen = classID, c.Match.Seen
		return changed
	})
	if !asked {
		return
	}
	go func() {
		_, match, err := w.K.Engine.Settled().Explain(seen, false, classID)
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
				*c = *match.compared()
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
	if !w.wanted() || now.Sub(w.explained) < WhyInterval {
		return false
	}
	w.explained = now
	return true
}

// publish shows the reason of an answer, unless there is none, it came too late, or the
// example has gone.
func (w *Why) publish(ctx context.Context, match *Match) {
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

// Lead is what speaks for one class rather than for another: differences of logits,
// whose sum is not negative. What is negative speaks for the other class.
type Lead struct {
	Class, Rival string // ids
	Match, Head  float64
}

// Lead compares the class of the match with the other that comes nearest to it or, of
// both, is ahead. It returns nil where no head took part, or there is no other class.
func (m *Match) Lead() *Lead {
	var own, rival *answer.Shares
	sum := func(s *answer.Shares) float64 { return s.Match + s.Head }
	for i := range m.Head {
		switch s := &m.Head[i]; {
		case s.ClassID == m.ClassID:
			own = s
		case rival == nil || sum(s) > sum(rival):
			rival = s
		}
	}
	if own == nil || rival == nil {
		return nil
	}
	if sum(own) < sum(rival) {
		own, rival = rival, own
	}
	return &Lead{own.ClassID, rival.ClassID, own.Match - rival.Match, own.Head - rival.Head}
}
