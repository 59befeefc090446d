package learn

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/augment"
	inference "github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/mediatest"
	"github.com/deepemd/deepemd/internal/networktest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/tensor"
	"github.com/deepemd/deepemd/trainer/data"
	"github.com/deepemd/deepemd/trainer/internal/backbone"
	"github.com/deepemd/deepemd/trainer/internal/device"
	"github.com/deepemd/deepemd/trainer/internal/layertest"
)

// stripes returns a batch of images whose class, one of three, is the direction of their stripes.
func stripes(seed uint64, side, n int) Batch {
	r := rand.New(rand.NewPCG(0, seed))
	b := Batch{Images: tensor.New(n, side, side, 3), Labels: make([]int, n), Rotations: make([]int, n)}
	for k := range n {
		b.Labels[k], b.Rotations[k] = r.IntN(3), r.IntN(Rotations)
		angle := math.Pi * float64(b.Labels[k]) / 3
		for i := range side * side {
			v := math.Sin(float64(i%side)*math.Cos(angle)+float64(i/side)*math.Sin(angle)) + 0.3*r.NormFloat64()
			for c := range 3 {
				b.Images.Row(k)[3*i+c] = float32(v)
			}
		}
	}
	return b
}

func settings() *ClassifySettings {
	s := ClassifyDefaults()
	s.Widths = []int{16, 16, 16, 32}
	s.Stages = []Stage{{Epochs: 2, Size: 16, Batch: 12}, {Epochs: 1, Size: 32, Batch: 8}}
	s.LabelSmoothing, s.WarmUp, s.Threads = 0.05, 3, 2
	return &s
}

// built returns the backbone of settings.
func built(t *testing.T, s *ClassifySettings) *backbone.Network {
	t.Helper()
	d := require.Value(device.Processor(s.Precision, s.Threads))(t)
	return require.Value(s.Plan.Build(s.Seed, backbone.Options{Threads: s.Threads, Device: d}))(t)
}

func TestSettingsAreChecked(t *testing.T) {
	good := ClassifyDefaults()
	require.NoError(t, good.Check())
	for name, spoil := range map[string]func(s *ClassifySettings){
		"widths": func(s *ClassifySettings) { s.Widths = []int{1, 2} }, "stages": func(s *ClassifySettings) { s.Stages = nil },
		"pixels": func(s *ClassifySettings) { s.Stages[0].Size = 8 }, "batch": func(s *ClassifySettings) { s.Stages[0].Batch = 1 },
		"rate": func(s *ClassifySettings) { s.Rate = math.NaN() }, "schedule": func(s *ClassifySettings) { s.Schedule = "none" },
		"std": func(s *ClassifySettings) { s.Std[1] = 0 }, "label_smoothing": func(s *ClassifySettings) { s.LabelSmoothing = 1 },
		"mixup": func(s *ClassifySettings) { s.Mixup = 0.001 },
	} {
		s := ClassifyDefaults()
		spoil(&s)
		if err := s.Check(); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("bad %s: %v", name, err)
		}
	}
}

// Both passes of a batch count: the gradients are the slopes of the sum of their losses, and
// each weight is announced once, with all of its gradient.
func TestMixup(t *testing.T) {
	s := settings()
	s.Mixup, s.Precision = 2, "float32"
	m := NewClassifier(s, built(t, s), 3)
	batch := stripes(0, 32, 6)
	batch.Labels[4] = -1
	for seed := range uint64(3) { // other layers and shares
		gradients := func() float64 {
			o := require.Value(m.Gradients(batch, rand.New(rand.NewPCG(seed, 1))))(t)
			return o.Loss
		}
		announced := map[*device.Param][]float32{}
		m.OnGradients(func(finished ...*device.Param) {
			for _, p := range finished {
				if announced[p] != nil {
					t.Errorf("%s is announced twice", p.Name)
				}
				announced[p] = slices.Clone(p.Grad)
			}
		})
		loss := gradients()
		m.OnGradients(nil)
		params := m.Params()
		for _, p := range params {
			if !slices.Equal(announced[p], p.Grad) {
				t.Errorf("%s is announced with another gradient than it has", p.Name)
			}
			copy(p.Grad, announced[p])
		}
		m.settings.Mixup = 0
		plain := gradients()
		m.settings.Mixup = 2
		if loss <= plain {
			t.Errorf("the loss of both passes is %g, of the plain one %g", loss, plain)
		}
		for _, at := range []int{0, 12, 30, len(params) - 4, len(params) - 1} {
			gradients()
			for _, p := range params {
				copy(p.Grad, announced[p])
			}
			p := params[at]
			layertest.Slope(t, p.Name, p.Value, p.Grad, p.Changed, gradients, 1e-3)
		}
	}
}

// The gradients are the slopes of a loss of labels, rotations and a teacher's probabilities. The
// accuracies count the images with a label, and those with a rotation.
func TestTargets(t *testing.T) {
	s := settings()
	s.TeacherWeight, s.TeacherTemperature, s.Precision = 0.8, 2, "float32"
	m := NewClassifier(s, built(t, s), 3)
	batch := stripes(0, 32, 6)
	batch.Labels, batch.Rotations[0] = []int{0, 1, 2, 0, -1, -1}, -1
	batch.Targets = [][]float32{{0.1, 0.2, 0.7}, {0.8, 0.1, 0.1}, {0.3, 0.4, 0.3}, {0, 0, 1}, nil, nil}
	loss := func() float64 { return require.Value(m.Gradients(batch, nil))(t).Loss }
	loss()
	params := m.Params()
	for _, p := range params[len(params)-6:] {
		layertest.Slope(t, p.Name, p.Value, p.Grad, p.Changed, loss, 1e-3)
	}
	outcome := require.Value(m.Gradients(batch, nil))(t)
	for _, c := range []struct {
		head           *backbone.Linear
		values         int
		labels         []int
		counted, share float64
	}{{m.classes, 3, batch.Labels, 4, outcome.Accuracy}, {m.rotation, Rotations, batch.Rotations, 5, outcome.Rotation}} {
		logits, right := make([]float32, len(batch.Labels)*c.head.Out), 0.0
		c.head.Forward(m.Backbone().Context(), logits, m.pooled, len(batch.Labels))
		for i, label := range c.labels {
			if row := logits[i*c.head.Out:][:c.values]; label >= 0 && row[label] == slices.Max(row) {
				right++
			}
		}
		if right == 0 || c.share != right/c.counted {
			t.Errorf("%s: an accuracy of %g, want %g of %g", c.head.Weight.Name, c.share, right, c.counted)
		}
	}
}

// Images without a class have no partners.
func TestPartners(t *testing.T) {
	labels := []int{3, -1, 0, 1, -1, 2, 2, 0}
	changed := false
	for seed := range uint64(5) {
		of := partners(labels, rand.New(rand.NewPCG(seed, 2)))
		seen := make([]bool, len(labels))
		for i, p := range of {
			if seen[p] || (labels[i] < 0 || labels[p] < 0) && p != i {
				t.Errorf("partners %v of pictures of classes %v", of, labels)
			}
			seen[p] = true
			changed = changed || p != i
		}
	}
	if !changed {
		t.Error("every picture is its own partner")
	}
}

// shown returns a batch of stripes with the same images in the size that a teacher of maps takes.
func shown(seed uint64, side, teacher, n int) Batch {
	b := stripes(seed, side, n)
	b.Shown = stripes(seed, teacher, n).Images
	return b
}

// taught returns a model that learns the maps of a made-up MobileNet.
func taught(t *testing.T, change ...func(*ClassifySettings)) *Classifier {
	t.Helper()
	s := settings()
	s.MapWeight, s.RotationWeight, s.LabelSmoothing, s.Precision = 2, 0, 0, "float32"
	for _, c := range change {
		c(s)
	}
	teacher := require.Value(inference.New(networktest.MobileNet(), inference.Options{Threads: 1}))(t)
	m := NewClassifier(s, built(t, s), 3)
	m.Teach(teacher, teacher.Channels())
	return m
}

// The gradients are the slopes of the loss where both maps have one size, and where either is
// the larger.
func TestMapGradients(t *testing.T) {
	for name, sides := range map[string][2]int{"equal": {32, 64}, "the teacher's is larger": {32, 96}, "the student's is larger": {64, 64}} {
		// The maps' part of the gradients is as large as that of the classes.
		m := taught(t, func(s *ClassifySettings) { s.MapWeight = 40 })
		batch := shown(0, sides[0], sides[1], 6)
		batch.Whole.Shown = 12 // another rank has the other half
		for i := 3; i < 6; i++ {
			batch.Labels[i] = -1 // no more than maps to learn from
		}
		outcome := require.Value(m.Gradients(batch, nil))(t)
		if outcome.Cosine == 0 || !(math.Abs(outcome.Cosine) <= 1) {
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
		for _, p := range params[len(params)-2:] {
			layertest.Slope(t, p.Name, p.Value, p.Grad, p.Changed, loss, 1e-3)
		}
		for i, p := range params {
			copy(p.Grad, held[i])
		}
		for _, p := range params[len(params)-9 : len(params)-6] {
			layertest.Slope(t, p.Name, p.Value, p.Grad, p.Changed, loss, 1e-3)
		}
	}
}

// The teacher's maps are compared after each channel's mean is subtracted.
func TestCenter(t *testing.T) {
	m := &maps{want: []float32{1, 10, 2, 20, 6, 60}}
	m.center(2)
	if want := []float32{-2, -20, -1, -10, 3, 30}; !slices.Equal(m.want, want) {
		t.Errorf("centered maps %v, want %v", m.want, want)
	}
}

// A network that learns maps becomes like its teacher, and takes its heads from a file.
func TestMapsAreLearned(t *testing.T) {
	m := taught(t, func(s *ClassifySettings) { s.MapWeight = 4 })
	sgd := backbone.NewSGD(m.Params(), 0.9, 0, true, 2)
	var cosines []float64
	for step := range uint64(40) {
		o := require.Value(m.Gradients(shown(step, 32, 64, 12), nil))(t)
		cosines = append(cosines, o.Cosine)
		sgd.Step(0.01, backbone.ClipScale(require.Value(backbone.GradientNorm(m.Params(), nil, 2))(t), 5))
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

// The teacher is shown the crop that the student sees, unlabeled images have no label, and
// epochs of some images together take each once.
func TestShownAndUnlabeled(t *testing.T) {
	labeled := require.Value(data.OpenSplit(mediatest.Folder(t, 2, 8), ""))(t)
	other := require.Value(data.OpenSplit(mediatest.Folder(t, 1, 8), ""))(t)
	set := require.Value(data.Join([]*data.Set{labeled}, []*data.Set{other}))(t)
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

func TestRateSchedule(t *testing.T) {
	for name, c := range map[string]struct {
		s    Settings
		want []float64 // of the first steps of eight
	}{
		"halving":        {Settings{Schedule: "halving", HalveEvery: 2}, []float64{1, 1, 0.5, 0.5, 0.25}},
		"with a warm-up": {Settings{Schedule: "flat", WarmUp: 4}, []float64{0.25, 0.5, 0.75, 1, 1}},
	} {
		schedule := require.Value(c.s.RateSchedule())(t)
		for step, want := range c.want {
			if got := schedule(step, 8); got != want {
				t.Errorf("%s: step %d has a rate of %g, want %g", name, step, got, want)
			}
		}
	}
}

func TestMemory(t *testing.T) {
	s := Settings{Stages: []Stage{{Epochs: 1, Size: 32, Batch: 64}, {Epochs: 1, Size: 84, Batch: 64}}, Precision: device.Float32}
	widths, batch := backbone.Plan{Widths: []int{64, 160, 320, 640}}, func(s Stage) int { return s.Batch }
	for have, want := range map[int64]string{
		0: "", 16 << 30: "",
		2 << 30:   "stage 2: widths [64 160 320 640] with 64 images of 84 pixels at once take at least 2.3 GB of memory, this machine has 2.1 GB: use narrower widths",
		100 << 20: "stage 1: ",
	} {
		err := s.fit(widths, batch, have, "this machine")
		if (err == nil) != (want == "") || err != nil && !strings.HasPrefix(err.Error(), want) {
			t.Errorf("in %d MB: %v, want %q", have>>20, err, want)
		}
	}
	s.Precision = device.BFloat16
	if err := s.fit(widths, batch, 2<<30, "this machine"); err != nil {
		t.Errorf("in bfloat16, in 2 GB: %v", err)
	}
	if err := s.fit(backbone.Plan{Widths: []int{9e18, 9e18, 9e18, 9e18}}, func(Stage) int { return 9e18 }, 1<<62, "this machine"); err == nil || !strings.Contains(err.Error(), "more than 1000 TB") {
		t.Errorf("of 9e18 by 9e18: %v", err)
	}
}
