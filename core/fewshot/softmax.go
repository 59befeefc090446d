package fewshot

import (
	"cmp"
	"math"
	"slices"
)

// Softmax writes the probabilities of scores, exp(s_i)/Σ exp(s_j), into dst, which
// grows if it is too short, and returns it. dst may be scores itself. Scores must
// be finite; equal scores get equal probabilities.
func Softmax(dst, scores []float64) []float64 {
	dst = slices.Grow(dst[:0], len(scores))[:len(scores)]
	if len(scores) == 0 {
		return dst
	}
	top := slices.Max(scores)
	var sum float64
	for i, s := range scores {
		dst[i] = math.Exp(s - top)
		sum += dst[i]
	}
	for i := range dst {
		dst[i] /= sum
	}
	return dst
}

// Best returns the index of the highest score, the first of equal ones; -1 without
// scores.
func Best(scores []float64) int {
	best := -1
	for i, s := range scores {
		if best < 0 || s > scores[best] {
			best = i
		}
	}
	return best
}

// Ranking returns the indices of scores, best first; equal scores keep the
// order of their classes.
func Ranking(scores []float64) []int {
	order := make([]int, len(scores))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	return order
}
