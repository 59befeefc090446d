package learn

import "math"

// margin teaches that strangers score below queries. A picture's score is its energy,
// the log of the sum of the exponentials of its logits (Liu et al., "Energy-based
// Out-of-distribution Detection", 2020), and the loss is the mean over all pairs of a
// query and a stranger of
//
//	log(1 + exp(by + energy of the stranger − energy of the query)),
//
// a smooth count of the pairs in the wrong order, which is 1 − AUROC.
type margin struct {
	by     float64 // in logits
	weight float64
}

// add returns the weighted loss of the logits [asked, way], whose first rows are the
// queries and the others strangers, and adds a share of its gradient to theirs. Without
// strangers the loss is 0.
func (m margin) add(gradient, logits []float32, queries, way int, share float64) float64 {
	asked := len(logits) / way
	strangers := asked - queries
	if strangers == 0 {
		return 0
	}
	clear(gradient[queries*way:])
	energies, denergies := make([]float64, asked), make([]float64, asked)
	for i := range energies {
		energies[i] = energy(logits[i*way:][:way])
	}
	loss, each := 0.0, m.weight/float64(queries*strangers)
	for q := range queries {
		for s := queries; s < asked; s++ {
			short := m.by + energies[s] - energies[q]
			loss += each * softplus(short)
			slope := each / (1 + math.Exp(-short))
			denergies[s] += slope
			denergies[q] -= slope
		}
	}
	for i, d := range denergies {
		for c, v := range logits[i*way:][:way] {
			gradient[i*way+c] += float32(share * d * math.Exp(float64(v)-energies[i]))
		}
	}
	return loss
}

// energy is the log of the sum of exponentials.
func energy(logits []float32) float64 {
	top := float64(logits[0])
	for _, v := range logits[1:] {
		top = max(top, float64(v))
	}
	sum := 0.0
	for _, v := range logits {
		sum += math.Exp(float64(v) - top)
	}
	return top + math.Log(sum)
}

// softplus is log(1 + exp(x)), of any x.
func softplus(x float64) float64 { return max(x, 0) + math.Log1p(math.Exp(-math.Abs(x))) }
