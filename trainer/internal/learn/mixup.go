package learn

import (
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/deepemd/deepemd/trainer/internal/backbone"
)

// mixup holds the state of the blended pass, which precedes the plain one.
type mixup struct {
	parameter float64
	first     map[*backbone.Param][]float32 // the gradients of the first pass
	targets   [][]float32
}

// finished receives the gradients that a pass has finished. It stores the gradients of the
// blended pass, adds them to the gradients of the plain pass, and announces the sums.
func (m *Classifier) finished(params ...*backbone.Param) {
	if m.mixup != nil {
		for _, p := range params {
			if m.blended {
				m.mixup.first[p] = append(m.mixup.first[p][:0], p.Grad...)
				continue
			}
			for i, g := range m.mixup.first[p] { // empty for heads that only the plain pass uses
				p.Grad[i] += g
			}
		}
	}
	if !m.blended && m.done != nil {
		m.done(params...)
	}
}

// gradientsMixed computes and stores the gradients of the blended pass. If a picture has the
// share λ, the target is λ for its class and 1 − λ for its partner's. Pictures without a class
// are not blended. It returns the loss, a rank's share of it.
func (m *Classifier) gradientsMixed(batch Batch, noise *rand.Rand) float64 {
	m.blended = true
	defer func() { m.blended = false }()
	beta := distuv.Beta{Alpha: m.mixup.parameter, Beta: m.mixup.parameter, Src: noise}
	mix := backbone.Mix{At: noise.IntN(backbone.MixLayers), Share: float32(beta.Rand()), Partners: partners(batch.Labels, noise)}
	features := m.backbone.ForwardMixed(batch.Images, mix, noise)
	ctx, n, in, all := m.backbone.Context(), features.N, m.classes.In, features.N*m.classes.Out
	m.pooled, m.dpooled = slices.Grow(m.pooled[:0], n*in)[:n*in], slices.Grow(m.dpooled[:0], n*in)[:n*in]
	backbone.AveragePool(m.pooled, features)
	if m.dropout != nil {
		m.dropout.Forward(m.pooled, noise)
	}
	m.logits, m.dlogits = slices.Grow(m.logits[:0], all)[:all], slices.Grow(m.dlogits[:0], all)[:all]
	m.classes.Forward(ctx, m.logits, m.pooled, n)
	mine, _ := batch.Shares()
	clear(m.dlogits)
	loss := mine * backbone.Distill(m.dlogits, m.logits, m.blendedTargets(batch.Labels, mix), m.classes.Out, 1, mine)
	m.classes.Backward(ctx, m.dpooled, m.dlogits, m.pooled, n)
	m.finished(&m.classes.Weight, &m.classes.Bias)
	if m.dropout != nil {
		m.dropout.Backward(m.dpooled)
	}
	size := n * features.H * features.W * features.C
	m.gradient = slices.Grow(m.gradient[:0], size)[:size]
	backbone.AveragePoolGradient(m.gradient, m.dpooled, n, features.H, features.W, features.C, in)
	m.backbone.Backward(m.gradient)
	return loss
}

// partners draws a permutation of the pictures that have a class; the others keep their place.
func partners(labels []int, noise *rand.Rand) []int {
	of := make([]int, len(labels))
	var labelled []int
	for i, label := range labels {
		if of[i] = i; label >= 0 {
			labelled = append(labelled, i)
		}
	}
	for i, j := range noise.Perm(len(labelled)) {
		of[labelled[i]] = labelled[j]
	}
	return of
}

// blendedTargets returns the smoothed target probabilities of blended pictures, nil for pictures
// without a class.
func (m *Classifier) blendedTargets(labels []int, mix backbone.Mix) [][]float32 {
	m.mixup.targets = slices.Grow(m.mixup.targets[:0], len(labels))[:len(labels)]
	for i, label := range labels {
		if label < 0 {
			m.mixup.targets[i] = nil
			continue
		}
		row := make([]float32, m.count)
		for c := range row {
			row[c] = float32(m.smoothing / float64(m.count))
		}
		row[label] += float32(1-m.smoothing) * mix.Share
		row[labels[mix.Partners[i]]] += float32(1-m.smoothing) * (1 - mix.Share)
		m.mixup.targets[i] = row
	}
	return m.mixup.targets
}
