package evaluate

import (
	"cmp"
	"math"
	"slices"
)

// AUROC is the area under the receiver operating characteristic of scores that
// should be higher for positives: the share of pairs of a positive and a negative
// in which the positive's is the higher, ties counting half (Mann and Whitney's U
// over the number of pairs). It is NaN where one of the kinds is missing.
func AUROC(positives, negatives []float64) float64 {
	type scored struct {
		score    float64
		positive bool
	}
	all := make([]scored, 0, len(positives)+len(negatives))
	for _, s := range positives {
		all = append(all, scored{s, true})
	}
	for _, s := range negatives {
		all = append(all, scored{s, false})
	}
	slices.SortFunc(all, func(a, b scored) int { return cmp.Compare(a.score, b.score) })
	var ranks float64 // of the positives, from 1, the mean one among equals
	for at := 0; at < len(all); {
		end, found := at, 0
		for ; end < len(all) && all[end].score == all[at].score; end++ {
			if all[end].positive {
				found++
			}
		}
		ranks += float64(found) * float64(at+1+end) / 2
		at = end
	}
	p, n := float64(len(positives)), float64(len(negatives))
	if p == 0 || n == 0 {
		return math.NaN()
	}
	return (ranks - p*(p+1)/2) / (p * n)
}

// FalsePositives is the share of negatives whose score reaches the highest
// threshold that lets at least the given share of positives pass: with 0.95, the
// field's FPR95. It is NaN where one of the kinds is missing.
func FalsePositives(positives, negatives []float64, pass float64) float64 {
	if len(positives) == 0 || len(negatives) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(positives))
	needed := int(math.Ceil(pass * float64(len(sorted))))
	threshold := sorted[len(sorted)-max(needed, 1)]
	return Share(negatives, threshold)
}

// Share is the share of scores that reach a threshold.
func Share(scores []float64, threshold float64) float64 {
	reached := 0
	for _, s := range scores {
		if s >= threshold {
			reached++
		}
	}
	return float64(reached) / float64(max(len(scores), 1))
}
