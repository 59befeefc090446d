package why

import (
	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/web/internal/kernel"
)

// Lead compares the evidence for two classes: differences of logits, whose sum is at least 0.
// Negative ones are evidence for the rival.
type Lead struct {
	Class, Rival string // ids
	Match, Head  float64
}

// LeadOf compares the class of a match with its closest competitor, or with a class of higher
// score. It returns nil without a learned head, or without another class.
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
