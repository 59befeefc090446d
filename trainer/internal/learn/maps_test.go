package learn

import (
	"math"
	"slices"
	"testing"

	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/weights"
	inference "github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/networktest"
	"github.com/deepemd/deepemd/internal/require"

	"github.com/deepemd/deepemd/trainer/data"

	"github.com/deepemd/deepemd/internal/augment"
	"github.com/deepemd/deepemd/trainer/internal/backbone"
)

// shown is a batch of stripes with the same pictures in the size that a teacher of maps takes.
func shown(seed uint64, side, teacher, n int) Batch {
	b := stripes(seed, side, n)
	b.Shown = stripes(seed, teacher, n).Images
	return b
}

// taught is a model that learns the maps of a made-up MobileNet.
func taught(t *testing.T, change ...func(*ClassifySettings)) *Classifier {
	t.Helper()
	s := settings()
	s.MapWeight, s.RotationWeight, s.DropBlock, s.Dropout, s.LabelSmoothing, s.Precision = 2, 0, 0, 0, 0, "float32"
	for _, c := range change {
		c(s)
	}
	teacher := require.Value(inference.New(networktest.MobileNet(), inference.Options{Threads: 1}))(t)
	m := NewClassifier(s, built(t, s), 3)
	m.Teach(s, teacher, teacher.Channels())
	return m
}

// The gradients are the slopes of the loss where both maps have one size, and where either is
// the larger.
func TestMapGradients(t *testing.T) {
	for name, sides := range map[string][2]int{"equal": {32, 64}, "the teacher's is larger": {32, 96}, "the student's is larger": {64, 64}} {
		m := taught(t)
		batch := shown(0, sides[0], sides[1], 6)
		for i := 3; i < 6; i++ {
			batch.Labels[i] = -1 // no more than maps to learn from
		}
		outcome := require.Value(m.Gradients(batch, nil))(t)
		if outcome.Cosine == 0 || math.Abs(outcome.Cosine) > 1 {
			t.Errorf("%s: a cosine of %g", name, outcome.Cosine)
		}
		held := make([][]float32, 0)
		for _, p := range m.Params() {
			held = append(held, slices.Clone(p.Grad))
		}
		loss := func() float64 {
			o := require.Value(m.Gradients(batch, nil))(t)
			return o.Loss
		}
		params := m.Params()
		for i, p := range params {
			copy(p.Grad, held[i])
		}
		isTheSlope(t, []*backbone.Param{params[len(params)-1], params[len(params)-2]}, loss, 1e-3)
		for i, p := range params {
			copy(p.Grad, held[i])
		}
		isTheSlope(t, params[len(params)-9:len(params)-6], loss, 1e-3) // of the last block
	}
}

// isTheSlope reports every parameter along whose gradient the loss does not rise by the
// gradient's square times the step, to a twentieth. The loss changes by step times the
// gradient's norm: little enough to be straight, enough for float32.
func isTheSlope(t *testing.T, params []*backbone.Param, loss func() float64, step float64) {
	t.Helper()
	for _, p := range params {
		grad, held, norm := slices.Clone(p.Grad), slices.Clone(p.Value), 0.0
		for _, g := range grad {
			norm += float64(g) * float64(g)
		}
		if norm < 1e-6 {
			t.Errorf("%s: no gradient", p.Name)
			continue
		}
		by := step / math.Sqrt(norm)
		at := func(by float64) float64 {
			for i, g := range grad {
				p.Value[i] = held[i] + float32(by*float64(g))
			}
			if p.Changed != nil {
				p.Changed()
			}
			return loss()
		}
		if slope := (at(by) - at(-by)) / (2 * by); math.Abs(slope/norm-1) > 0.05 {
			t.Errorf("%s: the loss rises by %g along the gradient, whose square is %g", p.Name, slope, norm)
		}
		at(0)
	}
}

// A network that learns maps becomes like its teacher, and takes its heads from a file.
func TestMapsAreLearnt(t *testing.T) {
	m := taught(t, func(s *ClassifySettings) { s.MapWeight = 4 })
	sgd := backbone.NewSGD(m.Params(), 0.9, 0, true, 2)
	var cosines []float64
	for step := range uint64(40) {
		o := require.Value(m.Gradients(shown(step, 32, 64, 12), nil))(t)
		cosines = append(cosines, o.Cosine)
		sgd.Step(0.01, backbone.ClipScale(backbone.GradientNorm(m.Params(), 2), 5))
	}
	if first, last := cosines[0], cosines[len(cosines)-1]; !(last > first+0.2) {
		t.Errorf("the cosine goes from %.3f to %.3f", first, last)
	}
	f, other := m.Backbone().Export(weights.Meta{Name: "test"}), taught(t)
	backbone.Export(f, m.Kept(), nil)
	other.Resume(f)
	if !slices.Equal(other.maps.projection.Weight.Value, m.maps.projection.Weight.Value) || !slices.Equal(other.classes.Weight.Value, m.classes.Weight.Value) {
		t.Error("the heads are not those of the file")
	}
}

// The teacher is shown the crop that the student sees, unlabelled pictures have no label, and
// epochs of some pictures together take each once.
func TestShownAndUnlabelled(t *testing.T) {
	labelled := require.Value(data.Open(folder(t, 2, 8)))(t)
	other := require.Value(data.Open(folder(t, 1, 8)))(t)
	set := require.Value(data.Join([]*data.Set{labelled}, []*data.Set{other}))(t)
	defer set.Close()
	s := settings()
	s.EpochPictures, s.RotationWeight, s.Mean, s.Std = 12, 0, [3]float32{}, [3]float32{1, 1, 1}
	p := require.Value(NewPictures(set, set.Classes(), s, augment.Policy{MinArea: 0.5, Brightness: 0.2, Disturb: 1}))(t)
	p.Shown = &imaging.Preprocess{Std: [3]float32{1, 1, 1}}
	stage := Stage{Epochs: 2, Size: 16, Batch: 6, Teacher: 32}
	labels := map[int]int{}
	for epoch := range 2 {
		next, stop := p.Batches(t.Context(), stage, epoch, 0)
		defer stop()
		for range p.Steps(stage) {
			b := require.Value(next())(t)
			for i, label := range b.Labels {
				labels[label]++
				small, large := b.Images.Row(i), b.Shown.Row(i)
				if d := math.Abs(float64(small[0]-large[0])) + math.Abs(float64(small[1]-large[1])); d > 0.5 {
					t.Errorf("picture %d differs by %g from what the teacher is shown", i, d)
				}
			}
		}
	}
	if labels[-1] != 8 || labels[0] != 8 || labels[1] != 8 {
		t.Errorf("pictures by label: %v", labels)
	}
}
