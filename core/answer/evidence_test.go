package answer_test

import (
	"math"
	"testing"

	"github.com/deepemd/deepemd/core/match"
)

func TestEvidenceAddsUpToTheScore(t *testing.T) {
	for name, m := range map[string]*match.Matcher{"default": {}, "equal": {Weighting: match.Equal{}}, "temperature": {Temperature: 3}} {
		e := explained(t, m, random(1, 3), random(2, 2))
		evidence := e.Evidence()
		var sum float64
		for i, v := range evidence {
			sum += v
			var links float64
			for _, l := range e.Sends(i, 0) {
				links += l.Score
			}
			if !(math.Abs(v-links) <= 1e-9) {
				t.Errorf("%s: node %d has evidence %v, its links score %v", name, i, v, links)
			}
		}
		if len(evidence) != e.From.N() || !(math.Abs(sum-e.Score) <= 1e-9) {
			t.Errorf("%s: evidence of %d nodes adds up to %v, the score is %v", name, len(evidence), sum, e.Score)
		}
	}
}
