package learn

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/kernel"
	"github.com/deepemd/deepemd/internal/nn"
	"github.com/deepemd/deepemd/internal/tensor"
	"github.com/deepemd/deepemd/trainer/internal/backbone"
	"github.com/deepemd/deepemd/trainer/internal/device"
)

// maps distills a teacher's feature map. A linear layer maps each position of the student to the
// teacher's channels. The loss is one minus the cosine with the teacher's position, after
// subtracting each channel's mean over the batch, or over the rank's part of it. The larger map is
// average-pooled to the size of the smaller.
type maps struct {
	teacher    embed.Encoder
	projection *backbone.Linear
	weight     float64 // of the loss

	student, dstudent []float32 // [positions, projection.In]
	answers, danswers []float32 // [positions, projection.Out]
	want              []float32 // of the teacher, [positions, channels]
	mean              []float64 // [channels]
	cosines           []float64 // [pictures]
	whole, average    []float32 // of a picture, for averaging
}

// Teach makes the model learn the teacher's maps, with the given number of channels, in addition to
// the classes.
func (m *Classifier) Teach(teacher embed.Encoder, channels int) {
	m.backbone.MeanPool(false)
	r := rand.New(rand.NewPCG(m.settings.Seed, 14))
	m.maps = &maps{teacher: teacher, projection: backbone.NewLinear("projection", m.backbone.Channels(), channels, r), weight: m.settings.MapWeight}
}

// Kept lists the heads if there is a teacher of maps. Files store them, to evaluate projected maps
// and to continue training.
func (m *Classifier) Kept() []*device.Param {
	if m.maps == nil {
		return nil
	}
	return m.heads()
}

// Resume loads the heads that a file stores with the same shape.
func (m *Classifier) Resume(f *weights.File) {
	for _, p := range m.Kept() {
		if t := f.Tensors[p.Name]; t != nil && t.HasShape(p.Shape()...) {
			p.Import(t)
		}
	}
}

// gradients adds the gradient of the loss to the gradient of the features, [N, h, w, C], and sets
// the gradients of the projection. shown holds the first images of the batch in the teacher's input
// size. Loss, gradients and cosine are a rank's share of the whole batch.
func (t *maps) gradients(ctx *nn.Context, gradient []float32, features *nn.Map, shown *tensor.Tensor, share float64) (loss, cosine float64, err error) {
	taught, err := t.teacher.Forward(shown)
	if err != nil {
		return 0, 0, err
	}
	n, channels, side := shown.Shape[0], taught.Shape[3], min(features.H, taught.Shape[1])
	positions, in, out := n*side*side, t.projection.In, t.projection.Out
	for _, held := range []struct {
		values *[]float32
		n      int
	}{
		{&t.student, positions * in}, {&t.dstudent, positions * in}, {&t.answers, positions * out}, {&t.danswers, positions * out},
		{&t.want, positions * channels}, {&t.whole, features.H * features.W * features.C}, {&t.average, side * side * features.C},
	} {
		*held.values = slices.Grow((*held.values)[:0], held.n)[:held.n]
	}
	for i := range n {
		t.read(t.student[i*side*side*in:], features, i, side)
		row := t.want[i*side*side*channels:][:side*side*channels]
		if taught.Shape[1] == side {
			copy(row, taught.Row(i))
		} else {
			embed.PoolMap(row, taught.Row(i), taught.Shape[1], taught.Shape[2], channels, side)
		}
	}
	t.center(channels)
	t.projection.Forward(ctx, t.answers, t.student, positions)
	t.cosines = append(t.cosines[:0], make([]float64, n)...)
	factor := t.weight * share / float64(positions)
	ctx.Each(n, func(i int) {
		for p := i * side * side; p < (i+1)*side*side; p++ {
			t.cosines[i] += cosineGradient(t.danswers[p*out:][:out], t.answers[p*out:][:channels], t.want[p*channels:][:channels], factor)
		}
	})
	for _, c := range t.cosines {
		cosine += c
	}
	cosine /= float64(positions)
	t.projection.Backward(ctx, t.dstudent, t.danswers, t.student, positions)
	for i := range n {
		t.add(gradient[i*features.H*features.W*features.C:], features, t.dstudent[i*side*side*in:], side)
	}
	return t.weight * share * (1 - cosine), share * cosine, nil
}

// read writes a picture's map, averaged to side×side positions, to rows of the projection.
func (t *maps) read(dst []float32, features *nn.Map, picture, side int) {
	c, in := features.C, t.projection.In
	for i := range features.H * features.W {
		copy(t.whole[i*c:][:c], features.Data[features.At(picture, i/features.W, i%features.W):])
	}
	cells := t.whole
	if features.H != side || features.W != side {
		cells = t.average
		embed.PoolMap(cells, t.whole, features.H, features.W, c, side)
	}
	for i := range side * side {
		clear(dst[i*in+copy(dst[i*in:][:c], cells[i*c:][:c]) : (i+1)*in])
	}
}

// add is the backward pass of read: it adds the gradient of the rows to the gradient of the map,
// [h, w, C].
func (t *maps) add(gradient []float32, features *nn.Map, rows []float32, side int) {
	c, in := features.C, t.projection.In
	for i := range side * side {
		copy(t.average[i*c:][:c], rows[i*in:])
	}
	cells := t.average
	if features.H != side || features.W != side {
		backbone.Unaverage(t.whole, t.average, features.H, features.W, c, side)
		cells = t.whole
	}
	kernel.AddTimes(gradient[:features.H*features.W*c], 1, cells)
}

// center subtracts from each channel of the teacher's maps its mean over all positions.
func (t *maps) center(channels int) {
	t.mean = append(t.mean[:0], make([]float64, channels)...)
	for i, v := range t.want {
		t.mean[i%channels] += float64(v)
	}
	positions := float64(len(t.want) / channels)
	for i := range t.want {
		t.want[i] -= float32(t.mean[i%channels] / positions)
	}
}

// cosineGradient returns the cosine of a and b. It writes factor times the gradient of 1 − cosine
// with respect to a to d, and zero to the padding. If a or b is zero, so is the gradient.
func cosineGradient(d, a, b []float32, factor float64) float64 {
	clear(d)
	var aa, bb, ab float64
	for i, v := range a {
		x, y := float64(v), float64(b[i])
		aa, bb, ab = aa+x*x, bb+y*y, ab+x*y
	}
	if aa == 0 || bb == 0 {
		return 0
	}
	cosine := ab / math.Sqrt(aa*bb)
	along, across := float32(factor*cosine/aa), float32(factor/math.Sqrt(aa*bb))
	for i, v := range a {
		d[i] = along*v - across*b[i]
	}
	return cosine
}
