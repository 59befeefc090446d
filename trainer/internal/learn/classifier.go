package learn

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/kernel"
	"github.com/deepemd/deepemd/internal/nn"
	"github.com/deepemd/deepemd/trainer/internal/backbone"
	"github.com/deepemd/deepemd/trainer/internal/device"
)

// Rotations is the number of quarter-turns that the auxiliary task distinguishes.
const Rotations = 4

// Classifier is a backbone with classification heads.
type Classifier struct {
	settings *ClassifySettings
	classes  *backbone.Linear
	rotation *backbone.Linear // nil without the auxiliary task
	count    int
	maps     *maps // nil without a teacher of maps

	pooled, dpooled, dsecond []float32
	logits, dlogits          []float32
	gradient                 []float32

	passes        // the blended pass, which comes first, and the plain one
	blendedTarget [][]float32
}

// NewClassifier returns a classifier of count classes, whose heads have random weights.
func NewClassifier(s *ClassifySettings, b *backbone.Network, count int) *Classifier {
	r := rand.New(rand.NewPCG(s.Seed, 13))
	features := b.Channels()
	m := &Classifier{settings: s, backbone: b, classes: backbone.NewLinear("fc", features, count, r), count: count}
	if s.RotationWeight > 0 {
		m.rotation = backbone.NewLinear("rotation", features, Rotations, r)
	}
	b.OnGradients(m.finished)
	b.MeanPool(true)
	return m
}

// Params lists all weights, with the heads' last.
func (m *Classifier) Params() []*device.Param { return append(m.backbone.Params(), m.heads()...) }

func (m *Classifier) heads() []*device.Param {
	params := []*device.Param{&m.classes.Weight, &m.classes.Bias}
	if m.rotation != nil {
		params = append(params, &m.rotation.Weight, &m.rotation.Bias)
	}
	if m.maps != nil {
		params = append(params, &m.maps.projection.Weight, &m.maps.projection.Bias)
	}
	return params
}

// classify computes the class logits from the mean features.
func (m *Classifier) classify(features *nn.Map) {
	pooled, all := features.N*m.classes.In, features.N*m.classes.Out
	m.pooled, m.dpooled = slices.Grow(m.pooled[:0], pooled)[:pooled], slices.Grow(m.dpooled[:0], pooled)[:pooled]
	backbone.AveragePool(m.pooled, features)
	m.logits, m.dlogits = slices.Grow(m.logits[:0], all)[:all], slices.Grow(m.dlogits[:0], all)[:all]
	m.classes.Forward(m.backbone.Context(), m.logits, m.pooled, features.N)
}

// unpool sets the gradient of the features from the gradient of their means.
func (m *Classifier) unpool(features *nn.Map) {
	size := features.N * features.H * features.W * features.C
	m.gradient = slices.Grow(m.gradient[:0], size)[:size]
	backbone.AveragePoolGradient(m.gradient, m.dpooled, features.N, features.H, features.W, features.C, m.classes.In)
}

// Gradients implements [Learner].
func (m *Classifier) Gradients(batch Batch, noise *rand.Rand) (Outcome, error) {
	mixed := 0.0
	if m.several = m.settings.Mixup > 0; m.several {
		mixed = m.gradientsMixed(batch, noise)
	}
	features := m.backbone.Forward(batch.Images)
	s, ctx, n, in := m.settings, m.backbone.Context(), features.N, m.classes.In
	m.classify(features)
	var o Outcome
	var correct int
	mine, turned := batch.Shares()
	labels := 1.0
	if batch.Targets != nil {
		labels -= s.TeacherWeight
	}
	o.Loss, correct = backbone.CrossEntropy(m.dlogits, m.logits, batch.Labels, m.count, m.classes.Out, s.LabelSmoothing, labels*mine)
	if batch.Targets != nil {
		o.Loss = labels*o.Loss + s.TeacherWeight*backbone.Distill(m.dlogits, m.logits, batch.Targets, m.classes.Out, s.TeacherTemperature, s.TeacherWeight*mine)
	}
	o.Loss = mine*o.Loss + mixed
	o.Accuracy = mine * float64(correct) / float64(max(backbone.Counted(batch.Labels), 1))
	m.classes.Backward(ctx, m.dpooled, m.dlogits, m.pooled, n)

	if m.rotation != nil {
		logits, dlogits := m.logits[:n*m.rotation.Out], m.dlogits[:n*m.rotation.Out]
		m.rotation.Forward(ctx, logits, m.pooled, n)
		loss, correct := backbone.CrossEntropy(dlogits, logits, batch.Rotations, Rotations, m.rotation.Out, 0, s.RotationWeight*turned)
		o.Loss += s.RotationWeight * turned * loss
		o.Rotation = turned * float64(correct) / float64(max(backbone.Counted(batch.Rotations), 1))
		m.dsecond = slices.Grow(m.dsecond[:0], n*in)[:n*in]
		m.rotation.Backward(ctx, m.dsecond, dlogits, m.pooled, n)
		kernel.AddTimes(m.dpooled, 1, m.dsecond)
	}

	m.unpool(features)
	if m.maps != nil && batch.Shown != nil {
		loss, cosine, err := m.maps.gradients(ctx, m.gradient, features, batch.Shown, part(batch.Shown.Shape[0], batch.Whole.Shown))
		if err != nil {
			return o, err
		}
		o.Loss, o.Cosine = o.Loss+loss, cosine
	}
	m.finished(m.heads()...)
	m.backward(m.gradient)
	return o, nil
}

// ClassifySettings are the settings of pre-training, except the data.
type ClassifySettings struct {
	Settings
	backbone.Plan

	LabelSmoothing float64 `toml:"label_smoothing"`
	// RotationWeight is the weight of the auxiliary task in the loss; 0 disables it.
	RotationWeight float64 `toml:"rotation_weight"`
	// TurnedClasses makes rotated images train their class too, as in Mangla et al., "Charting the
	// Right Manifold" (2020), and Rajasegaran et al., "Self-supervised Knowledge Distillation for
	// Few-shot Learning" (2020). Without the auxiliary task this is rotation as augmentation (Table 4).
	TurnedClasses bool `toml:"turned_classes"`
	// TurnedShare is the number of rotated images for each upright one: by default a quarter, where the
	// reference's authors rotate every image. 1 is for networks that overfit and fast machines.
	TurnedShare float64 `toml:"turned_share"`

	// Mixup is the parameter of the Beta distribution of blending weights; 0 disables blending.
	// Each batch then passes through the network twice, plain and with blended images or blended
	// maps after one of the first blocks, and both losses count (Bendou et al., "EASY: Ensemble
	// Augmented-Shot Y-shaped Learning", 2022, with 2).
	Mixup float64 `toml:"mixup"`

	// TeacherWeight is the share of a teacher in the loss of classes, and TeacherTemperature
	// softens the teacher's and the student's probabilities, as in Tian et al., "Rethinking
	// Few-Shot Image Classification" (2020).
	TeacherWeight      float64 `toml:"teacher_weight"`
	TeacherTemperature float64 `toml:"teacher_temperature"`

	// MapWeight is the weight of the loss of a teacher's maps, relative to the loss of the classes.
	// With 0, a teacher trains class probabilities instead.
	MapWeight float64 `toml:"map_weight"`

	// EpochPictures is the number of images in an epoch; 0 is all. Consecutive epochs take different
	// images, so that all occur equally often on average. A further run (--init) begins with the same
	// images, unless its seed differs.
	EpochPictures int `toml:"epoch_pictures"`

	Mean [3]float32 `toml:"mean"`
	Std  [3]float32 `toml:"std"`
}

// ClassifyDefaults returns the settings of the reference's pre-training (SGD 0.1, momentum 0.9,
// Nesterov, weight decay 5e-4), with the one-cycle schedule and rotations.
func ClassifyDefaults() ClassifySettings {
	return ClassifySettings{
		Name: "resnet12", Stages: []Stage{{Epochs: 20, Size: 32, Batch: 64}},
		Rate: 0.1, Schedule: "one-cycle", Momentum: 0.9, Nesterov: true, WeightDecay: 5e-4, Clip: 5, Average: 0.999,
		ValidateEvery: 1, ValidationEpisodes: 300, Precision: device.Auto, Device: device.Auto, Seed: 1,
		Statistics: Synchronized, Gradients: device.Float32,
		Widths:         []int{64, 160, 320, 640},
		RotationWeight: 0.5, TurnedShare: 0.25,
		TeacherWeight: 0.5, TeacherTemperature: 4,
		Mean: [3]float32{0.5071, 0.4866, 0.4409}, Std: [3]float32{0.2009, 0.1984, 0.2023},
	}
}

// leastMixup is far above the parameters whose draws are not numbers: 23% of them at 0.001.
const leastMixup = 0.05

// Check returns an error that names the first invalid setting.
func (s *ClassifySettings) Check() error {
	if s.Mixup > 0 && s.Mixup < leastMixup {
		return fmt.Errorf("mixup is %g, want it from %g, or 0 for no mixup", s.Mixup, leastMixup)
	}
	return cmp.Or(s.Plan.Check(), weights.CheckNormalization(s.Mean, s.Std), CheckRanges([]Range{
		{Name: "label_smoothing", Value: s.LabelSmoothing, To: 0.99}, {Name: "rotation_weight", Value: s.RotationWeight, To: 100}, {Name: "turned_share", Value: s.TurnedShare, To: 1},
		{Name: "mixup", Value: s.Mixup, To: 100}, {Name: "teacher_weight", Value: s.TeacherWeight, To: 1}, {Name: "teacher_temperature", Value: s.TeacherTemperature, From: 0.01, To: 100},
		{Name: "map_weight", Value: s.MapWeight, To: 1e4}, {Name: "epoch_pictures", Value: float64(s.EpochPictures), To: 1e9},
	}), s.Settings.Check(), s.checkStages(Stage.checkBatch))
}

// gradientsMixed computes and stores the gradients of the blended pass. An image with the weight λ
// has the target λ for its class and 1 − λ for its partner's. Images without a class are not
// blended. It returns the loss, a rank's share.
func (m *Classifier) gradientsMixed(batch Batch, noise *rand.Rand) float64 {
	m.several, m.more = false, true
	defer func() { m.several, m.more = true, false }()
	beta := distuv.Beta{Alpha: m.settings.Mixup, Beta: m.settings.Mixup, Src: noise}
	mix := &backbone.Mix{At: noise.IntN(backbone.MixLayers), Share: float32(beta.Rand()), Partners: partners(batch.Labels, noise)}
	features := m.backbone.ForwardMixed(batch.Images, mix)
	m.classify(features)
	mine, _ := batch.Shares()
	clear(m.dlogits)
	loss := mine * backbone.Distill(m.dlogits, m.logits, m.blendedTargets(batch.Labels, mix), m.classes.Out, 1, mine)
	m.classes.Backward(m.backbone.Context(), m.dpooled, m.dlogits, m.pooled, features.N)
	m.finished(&m.classes.Weight, &m.classes.Bias)
	m.unpool(features)
	m.backward(m.gradient)
	return loss
}

// partners draws a permutation of the images with a class; other images keep their place.
func partners(labels []int, noise *rand.Rand) []int {
	of := make([]int, len(labels))
	var labeled []int
	for i, label := range labels {
		if of[i] = i; label >= 0 {
			labeled = append(labeled, i)
		}
	}
	for i, j := range noise.Perm(len(labeled)) {
		of[labeled[i]] = labeled[j]
	}
	return of
}

// blendedTargets returns the smoothed target probabilities of blended images, or nil for an image
// without a class.
func (m *Classifier) blendedTargets(labels []int, mix *backbone.Mix) [][]float32 {
	smoothing := m.settings.LabelSmoothing
	m.blendedTarget = slices.Grow(m.blendedTarget[:0], len(labels))[:len(labels)]
	for i, label := range labels {
		if label < 0 {
			m.blendedTarget[i] = nil
			continue
		}
		row := make([]float32, m.count)
		for c := range row {
			row[c] = float32(smoothing / float64(m.count))
		}
		row[label] += float32(1-smoothing) * mix.Share
		row[labels[mix.Partners[i]]] += float32(1-smoothing) * (1 - mix.Share)
		m.blendedTarget[i] = row
	}
	return m.blendedTarget
}
