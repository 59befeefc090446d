package why

import (
	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/web/internal/kernel"
)

// Lead is what speaks for one class rather than for another: differences of logits,
// whose sum is not negative. What is negative speaks for the other class.
type Lead struct {
	Class, Rival string // ids
	Match, Head  float64
}

// LeadOf compares the class of a match with the other that comes nearest to it or, of both, is
// ahead. It returns nil where no head took part, or there is no other class.
func LeadOf(m *kernel.Match) *Lead {
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
