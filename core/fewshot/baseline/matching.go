package baseline

import (
	"math"
	"slices"

	"github.com/deepemd/deepemd/core/fewshot"
)

// Matching returns the classifier of a matching network (Vinyals et al., 2016, without full context
// embeddings). The query attends to every example with a weight proportional to
// exp(temperature·cosine) of the mean nodes. A class's score is the logarithm of the mean weight of
// its examples. The mean, unlike the sum, does not favor classes with more examples.
func Matching(temperature float64) fewshot.Classifier {
	return &onMeans{learn: func(_ []fewshot.Class, support [][][]float64) (func(dst, node []float64), error) {
		var each []float64
		return func(dst, node []float64) {
			for i, examples := range support {
				each = each[:0]
				for _, example := range examples {
					each = append(each, temperature*cosine(node, example))
				}
				// The logarithm of the mean exponential.
				top := slices.Max(each)
				var sum float64
				for _, v := range each {
					sum += math.Exp(v - top)
				}
				dst[i] = top + math.Log(sum/float64(len(each)))
			}
		}, nil
	}}
}
