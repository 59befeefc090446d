package session

// Share is what speaks for a class when a picture is classified, in logits: its match,
// and the head that was learned from all examples.
type Share struct {
	ClassID     string
	Match, Head float64
}

func (s Share) sum() float64 { return s.Match + s.Head }

// Lead is what speaks for one class rather than for another: differences of logits,
// whose sum is not negative. What is negative speaks for the other class.
type Lead struct {
	Class, Rival string // ids
	Match, Head  float64
}

// Lead compares the class of the match with the other that comes nearest to it or, of
// both, is ahead. It returns nil where no head took part, or there is no other class.
func (m *Match) Lead() *Lead {
	var own, rival *Share
	for i := range m.Shares {
		switch s := &m.Shares[i]; {
		case s.ClassID == m.ClassID:
			own = s
		case rival == nil || s.sum() > rival.sum():
			rival = s
		}
	}
	if own == nil || rival == nil {
		return nil
	}
	if own.sum() < rival.sum() {
		own, rival = rival, own
	}
	return &Lead{own.ClassID, rival.ClassID, own.Match - rival.Match, own.Head - rival.Head}
}
