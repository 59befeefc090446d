package baseline

import "github.com/deepemd/deepemd/core/fewshot"

// Cosine returns the classifier of image-level prototypes: it represents a class by the mean of its
// examples' mean nodes, and scores by the temperature times the cosine with an image's mean node.
func Cosine(temperature float64) fewshot.Classifier {
	return prototypes(func(node, prototype []float64) float64 { return temperature * cosine(node, prototype) })
}

// Euclidean returns the classifier of prototypical networks (Snell et al., 2017). It is Cosine with
// the negative squared distance instead of the cosine.
func Euclidean() fewshot.Classifier {
	return prototypes(func(node, prototype []float64) (score float64) {
		for i, v := range node {
			score -= (v - prototype[i]) * (v - prototype[i])
		}
		return score
	})
}

// prototypes returns a classifier by the similarity to the mean of each class.
func prototypes(similarity func(node, prototype []float64) float64) fewshot.Classifier {
	return &onMeans{learn: func(_ []fewshot.Class, support [][][]float64) (func(dst, node []float64), error) {
		means := make([][]float64, len(support))
		for i, nodes := range support {
			means[i] = centroid(nodes)
		}
		return func(dst, node []float64) {
			for i, mean := range means {
				dst[i] = similarity(node, mean)
			}
		}, nil
	}}
}
