package learn

import (
	"math/rand/v2"
	"slices"

	"github.com/deepemd/deepemd/trainer/internal/backbone"
)

// Rotations is the number of quarter-turns that the auxiliary task tells apart.
const Rotations = 4

// Model is a backbone with the heads that teach it.
type Classifier struct {
	backbone *backbone.Network

	classes  *backbone.Linear
	rotation *backbone.Linear // nil for no auxiliary task
	dropout  *backbone.Dropout
	count    int
	maps     *maps // nil for no teacher of maps

	smoothing, rotationWeight         float64
	teacherWeight, teacherTemperature float64

	pooled, dpooled, dsecond []float32
	logits, dlogits          []float32
	gradient                 []float32

	mixup   *mixup                            // nil for none
	blended bool                              // the present pass is of blended pictures
	done    func(finished ...*backbone.Param) // with their gradients; nil for nobody to tell
}

// NewModel returns a model of count classes: heads of random weights on a backbone.
func NewClassifier(s *ClassifySettings, b *backbone.Network, count int) *Classifier {
	r := rand.New(rand.NewPCG(s.Seed, 13))
	features := b.Channels()
	m := &Classifier{
		backbone: b, classes: backbone.NewLinear("fc", features, count, r), count: count,
		smoothing: s.LabelSmoothing, rotationWeight: s.RotationWeight,
		teacherWeight: s.TeacherWeight, teacherTemperature: s.TeacherTemperature,
	}
	if s.RotationWeight > 0 {
		m.rotation = backbone.NewLinear("rotation", features, Rotations, r)
	}
	if s.Mixup > 0 {
		m.mixup = &mixup{parameter: s.Mixup, first: map[*backbone.Param][]float32{}}
	}
	b.Announce(m.finished)
	if s.Dropout > 0 {
		m.dropout = &backbone.Dropout{Rate: s.Dropout}
	}
	return m
}

// Backbone is the network that learns.
func (m *Classifier) Backbone() *backbone.Network { return m.backbone }

// Params lists all weights, those of the heads last.
func (m *Classifier) Params() []*backbone.Param {
	return append(m.backbone.Params(), m.heads()...)
}

// heads lists the weights of the heads.
func (m *Classifier) heads() []*backbone.Param {
	params := []*backbone.Param{&m.classes.Weight, &m.classes.Bias}
	if m.rotation != nil {
		params = append(params, &m.rotation.Weight, &m.rotation.Bias)
	}
	if m.maps != nil {
		params = append(params, &m.maps.projection.Weight, &m.maps.projection.Bias)
	}
	return params
}

// Announce implements [training.Learner].
func (m *Classifier) Announce(done func(finished ...*backbone.Param)) {
	m.done = done
}

// Gradients implements [training.Learner].
func (m *Classifier) Gradients(batch Batch, noise *rand.Rand) (Outcome, error) {
	mixed := 0.0
	if m.mixup != nil {
		mixed = m.gradientsMixed(batch, noise)
	}
	features := m.backbone.Forward(batch.Images, noise)
	ctx, n, in := m.backbone.Context(), features.N, m.classes.In
	m.pooled, m.dpooled = slices.Grow(m.pooled[:0], n*in)[:n*in], slices.Grow(m.dpooled[:0], n*in)[:n*in]
	backbone.AveragePool(m.pooled, features)
	if m.dropout != nil {
		m.dropout.Forward(m.pooled, noise)
	}

	var o Outcome
	var correct int
	all := n * m.classes.Out
	m.logits, m.dlogits = slices.Grow(m.logits[:0], all)[:all], slices.Grow(m.dlogits[:0], all)[:all]
	m.classes.Forward(ctx, m.logits, m.pooled, n)
	mine, turned := batch.Shares()
	labels := 1.0 // the share of the labels in the loss
	if batch.Targets != nil {
		labels -= m.teacherWeight
	}
	o.Loss, correct = backbone.CrossEntropy(m.dlogits, m.logits, batch.Labels, m.count, m.classes.Out, m.smoothing, labels*mine)
	if batch.Targets != nil {
		o.Loss = labels*o.Loss + m.teacherWeight*backbone.Distill(m.dlogits, m.logits, batch.Targets, m.classes.Out, m.teacherTemperature, m.teacherWeight*mine)
	}
	o.Loss = mine*o.Loss + mixed
	o.Accuracy = mine * float64(correct) / float64(max(Counted(batch.Labels), 1))
	m.classes.Backward(ctx, m.dpooled, m.dlogits, m.pooled, n)

	if m.rotation != nil && batch.Rotations != nil {
		logits, dlogits := m.logits[:n*m.rotation.Out], m.dlogits[:n*m.rotation.Out]
		m.rotation.Forward(ctx, logits, m.pooled, n)
		loss, correct := backbone.CrossEntropy(dlogits, logits, batch.Rotations, Rotations, m.rotation.Out, 0, m.rotationWeight*turned)
		o.Loss += m.rotationWeight * turned * loss
		o.Rotation = turned * float64(correct) / float64(max(Counted(batch.Rotations), 1))
		m.dsecond = slices.Grow(m.dsecond[:0], n*in)[:n*in]
		m.rotation.Backward(ctx, m.dsecond, dlogits, m.pooled, n)
		for i, g := range m.dsecond {
			m.dpooled[i] += g
		}
	}

	if m.dropout != nil {
		m.dropout.Backward(m.dpooled)
	}
	size := n * features.H * features.W * features.C
	m.gradient = slices.Grow(m.gradient[:0], size)[:size]
	backbone.AveragePoolGradient(m.gradient, m.dpooled, n, features.H, features.W, features.C, in)
	if m.maps != nil && batch.Shown != nil {
		loss, cosine, err := m.maps.gradients(ctx, m.gradient, features, batch.Shown, batch.ShareShown())
		if err != nil {
			return o, err
		}
		o.Loss, o.Cosine = o.Loss+loss, cosine
	}
	m.finished(m.heads()...)
	m.backbone.Backward(m.gradient)
	return o, nil
}
