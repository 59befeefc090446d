package fewshot

import (
	"cmp"
	"math"
	"slices"
)

// Softmax returns the probabilities of finite scores, exp(s_i)/Σ exp(s_j). Equal scores have
// equal probabilities. Softmax reuses the memory of dst, which may be scores itself.
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

// Best returns the index of the highest score, the first one in a tie, or -1 without scores.
func Best(scores []float64) int {
	best := -1
	for i, s := range scores {
		if best < 0 || s > scores[best] {
			best = i
		}
	}
	return best
}

// Ranking returns the indices of scores, the highest score first. Equal scores keep their
// order.
func Ranking(scores []float64) []int {
	order := make([]int, len(scores))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	return order
}
