package learn

import (
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/deepemd/deepemd/internal/nn"
	"github.com/deepemd/deepemd/trainer/internal/backbone"
)

// Rotations is the number of quarter-turns that the auxiliary task tells apart.
const Rotations = 4

// Model is a backbone with the heads that teach it.
type Classifier struct {
	backbone *backbone.Network

	classes  *backbone.Linear
	rotation *backbone.Linear // nil for no auxiliary task
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

// Announce implements [Learner].
func (m *Classifier) Announce(done func(finished ...*backbone.Param)) {
	m.done = done
}

// classify computes the logits of the classes from the features' means.
func (m *Classifier) classify(features *nn.Map) {
	pooled, all := features.N*m.classes.In, features.N*m.classes.Out
	m.pooled, m.dpooled = slices.Grow(m.pooled[:0], pooled)[:pooled], slices.Grow(m.dpooled[:0], pooled)[:pooled]
	backbone.AveragePool(m.pooled, features)
	m.logits, m.dlogits = slices.Grow(m.logits[:0], all)[:all], slices.Grow(m.dlogits[:0], all)[:all]
	m.classes.Forward(m.backbone.Context(), m.logits, m.pooled, features.N)
}

// unpool sets the gradient of the features from that of their means.
func (m *Classifier) unpool(features *nn.Map) {
	size := features.N * features.H * features.W * features.C
	m.gradient = slices.Grow(m.gradient[:0], size)[:size]
	backbone.AveragePoolGradient(m.gradient, m.dpooled, features.N, features.H, features.W, features.C, m.classes.In)
}

// Gradients implements [Learner].
func (m *Classifier) Gradients(batch Batch, noise *rand.Rand) (Outcome, error) {
	mixed := 0.0
	if m.mixup != nil {
		mixed = m.gradientsMixed(batch, noise)
	}
	features := m.backbone.Forward(batch.Images)
	ctx, n, in := m.backbone.Context(), features.N, m.classes.In
	m.classify(features)
	var o Outcome
	var correct int
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

	m.unpool(features)
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

// Settings are all that a run depends on, but for the data themselves.
type ClassifySettings struct {
	Settings
	backbone.Plan

	LabelSmoothing float64 `toml:"label_smoothing"`
	// RotationWeight is the share of the auxiliary task in the loss; 0 leaves it out.
	RotationWeight float64 `toml:"rotation_weight"`
	// TurnedClasses has turned pictures teach their class too, not rotation alone, as
	// in Mangla et al., "Charting the Right Manifold" (2020), and Rajasegaran et al.,
	// "Self-supervised Knowledge Distillation for Few-shot Learning" (2020).
	TurnedClasses bool `toml:"turned_classes"`

	// Mixup is the parameter of the Beta distribution from which shares of blended pictures
	// are drawn; 0 blends none. Each batch then passes through the network twice, plain and
	// blended in the pictures or behind one of the first blocks, and both losses count (Bendou
	// et al., "EASY: Ensemble Augmented-Shot Y-shaped Learning", 2022, who have 2).
	Mixup float64 `toml:"mixup"`

	// TeacherWeight is the share of the teacher in the loss of classes, where there is
	// one, and TeacherTemperature what softens what it says and the answers to it, as in
	// Tian et al., "Rethinking Few-Shot Image Classification" (2020).
	TeacherWeight      float64 `toml:"teacher_weight"`
	TeacherTemperature float64 `toml:"teacher_temperature"`

	// MapWeight is the weight of the loss of a teacher's maps; the loss of the classes has weight
	// 1. With 0 a teacher teaches similarities of classes instead.
	MapWeight float64 `toml:"map_weight"`

	// EpochPictures is the number of pictures of an epoch. Over several epochs all pictures come
	// up equally often. 0 stands for all pictures.
	EpochPictures int `toml:"epoch_pictures"`

	Mean [3]float32 `toml:"mean"`
	Std  [3]float32 `toml:"std"`
}

// Defaults are the settings of the reference's pre-training (design: SGD 0.1,
// momentum 0.9, Nesterov, weight decay 5e-4), with one cycle and rotation.
func ClassifyDefaults() ClassifySettings {
	return ClassifySettings{
		Settings: Settings{
			Name: "resnet12", Stages: []Stage{{Epochs: 20, Size: 32, Batch: 64}},
			Rate: 0.1, Schedule: "one-cycle", Momentum: 0.9, Nesterov: true, WeightDecay: 5e-4, Clip: 5, Average: 0.999,
			ValidateEvery: 1, ValidationEpisodes: 300, Precision: backbone.Auto, Seed: 1,
			Statistics: Synchronised, Gradients: backbone.Float32,
		},
		Plan:           backbone.Plan{Widths: []int{64, 160, 320, 640}},
		RotationWeight: 0.5,
		TeacherWeight:  0.5, TeacherTemperature: 4,
		Mean: [3]float32{0.5071, 0.4866, 0.4409}, Std: [3]float32{0.2009, 0.1984, 0.2023},
	}
}

// Check returns an error that names the first setting that makes no sense.
func (s *ClassifySettings) Check() error {
	if err := s.Plan.Check(); err != nil {
		return err
	}
	if err := CheckNormalisation(s.Mean, s.Std); err != nil {
		return err
	}
	if err := CheckRanges([]Range{
		{Name: "label_smoothing", Value: s.LabelSmoothing, To: 0.99}, {Name: "rotation_weight", Value: s.RotationWeight, To: 100},
		{Name: "mixup", Value: s.Mixup, To: 100}, {Name: "teacher_weight", Value: s.TeacherWeight, To: 1}, {Name: "teacher_temperature", Value: s.TeacherTemperature, From: 0.01, To: 100},
		{Name: "map_weight", Value: s.MapWeight, To: 1e4}, {Name: "epoch_pictures", Value: float64(s.EpochPictures), To: 1e9},
	}); err != nil {
		return err
	}
	return s.Settings.Check()
}

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
	features := m.backbone.ForwardMixed(batch.Images, mix)
	m.classify(features)
	mine, _ := batch.Shares()
	clear(m.dlogits)
	loss := mine * backbone.Distill(m.dlogits, m.logits, m.blendedTargets(batch.Labels, mix), m.classes.Out, 1, mine)
	m.classes.Backward(m.backbone.Context(), m.dpooled, m.dlogits, m.pooled, features.N)
	m.finished(&m.classes.Weight, &m.classes.Bias)
	m.unpool(features)
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
