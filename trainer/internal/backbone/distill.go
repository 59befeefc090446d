package backbone

import "math"

// Distill is the mean over n rows of the divergence of softmax(logits/temperature)
// from each row's targets, probabilities of all classes, times the square of the
// temperature, which keeps its gradients as large as those of [CrossEntropy] (Hinton
// et al., "Distilling the Knowledge in a Neural Network", 2015). It adds the loss'
// gradient, times weight, to the first columns of gradient; logits and gradient have
// rows of stride values. A row without targets is left out.
func Distill(gradient, logits []float32, targets [][]float32, stride int, temperature, weight float64) (loss float64) {
	counted := 0
	for _, target := range targets {
		if target != nil {
			counted++
		}
	}
	var p []float64
	for i, target := range targets {
		if target == nil {
			continue
		}
		row, g := logits[i*stride:][:len(target)], gradient[i*stride:][:len(target)]
		top := row[0]
		for _, v := range row {
			top = max(top, v)
		}
		p = p[:0]
		sum := 0.0
		for _, v := range row {
			p = append(p, math.Exp(float64(v-top)/temperature))
			sum += p[len(p)-1]
		}
		logSum := math.Log(sum)
		for j, q := range target {
			q := float64(q)
			if q > 0 {
				loss += q * (math.Log(q) - float64(row[j]-top)/temperature + logSum)
			}
			g[j] += float32(weight * temperature * (p[j]/sum - q) / float64(counted))
		}
	}
	return loss * temperature * temperature / float64(max(counted, 1))
}
