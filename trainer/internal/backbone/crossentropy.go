package backbone

import "math"

// CrossEntropy is the mean over n rows of the cross-entropy of softmax(logits)
// with labels of which the share smoothing is spread evenly over all classes. It
// writes the loss' gradient, times weight, to the first classes columns of
// gradient and zero to the rest; logits and gradient have rows of stride values.
// A label below zero leaves its row out. It also counts the rows whose largest
// logit is the label's.
func CrossEntropy(gradient, logits []float32, labels []int, classes, stride int, smoothing, weight float64) (loss float64, correct int) {
	counted := 0
	for _, label := range labels {
		if label >= 0 {
			counted++
		}
	}
	p := make([]float64, classes)
	for i, label := range labels {
		row, g := logits[i*stride:][:classes], gradient[i*stride:][:stride]
		clear(g)
		if label < 0 {
			continue
		}
		best := 0
		for j, v := range row {
			if v > row[best] {
				best = j
			}
		}
		if best == label {
			correct++
		}
		sum := 0.0
		for j, v := range row {
			p[j] = math.Exp(float64(v - row[best]))
			sum += p[j]
		}
		logSum, spread := math.Log(sum), smoothing/float64(classes)
		for j, v := range row {
			target := spread
			if j == label {
				target += 1 - smoothing
			}
			loss -= target * (float64(v-row[best]) - logSum)
			g[j] = float32(weight * (p[j]/sum - target) / float64(counted))
		}
	}
	return loss / float64(max(counted, 1)), correct
}
