package view

import (
	"math"
	"slices"

	"github.com/deepemd/deepemd/web/internal/session"
)

// How many bars are shown where there is little room, as on a phone, and where there is
// more.
const (
	fewBars  = 5
	moreBars = 12
)

// leaders returns the ids of the n classes that an answer takes for most probable. Those
// that led before stay until another one shows more percent, so that bars do not flicker in
// and out while nothing is to be seen of their difference; the most probable class always
// leads.
func leaders(before []string, classes []session.Class, answer session.Answer, n int) []string {
	if len(classes) <= n {
		n = len(classes)
	}
	best := answer.Best()
	rank := func(c session.Class) float64 {
		p, _ := answer.Of(c.ID)
		r := math.Round(100 * p)
		if slices.Contains(before, c.ID) {
			r += .5
		}
		if c.ID == best {
			r += 100
		}
		return r
	}
	ranked := slices.Clone(classes)
	slices.SortStableFunc(ranked, func(a, b session.Class) int {
		switch x, y := rank(a), rank(b); {
		case x > y:
			return -1
		case x < y:
			return 1
		}
		return 0
	})
	ids := make([]string, n)
	for i, c := range ranked[:n] {
		ids[i] = c.ID
	}
	return ids
}

func listed(ids []string, c session.Class) bool { return slices.Contains(ids, c.ID) }
