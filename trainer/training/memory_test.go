package training

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/cluster"
	"github.com/deepemd/deepemd/internal/nn"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/tensor"
	"github.com/deepemd/deepemd/trainer/internal/backbone"
	"github.com/deepemd/deepemd/trainer/internal/device"
	"github.com/deepemd/deepemd/trainer/internal/learn"
)

// remote is a device with its own memory: it is the processor, but the values of the host are there
// only during a pass. Outside it, the host has copies, and gradients that are not a number.
type remote struct {
	device.Device
	params     map[*device.Param]*device.Param // from the host's to the device's
	order      []*device.Param
	weights    []copied // with statistics
	optimizer  []copied // momentum and averages
	sgd        *backbone.SGD
	average    *backbone.Average
	repack     []func()
	stale, add bool
}

type copied struct{ host, own []float32 }

func (r *remote) keep(p *device.Param) {
	own := &device.Param{Value: slices.Clone(p.Value), Grad: make([]float32, len(p.Grad)), Decay: p.Decay, Changed: func() {}}
	r.params[p], r.order = own, append(r.order, p)
	r.weights = append(r.weights, copied{p.Value, own.Value})
	r.repack = append(r.repack, p.Changed)
	p.Changed = func() { r.stale = true }
}

func (r *remote) Conv(weight *device.Param, first bool) device.Conv {
	defer r.keep(weight)
	return r.Device.Conv(weight, first)
}

func (r *remote) Norm(bn *device.BatchNorm) device.Norm {
	r.keep(&bn.Weight)
	r.keep(&bn.Bias)
	r.weights = append(r.weights, copied{bn.Mean, slices.Clone(bn.Mean)}, copied{bn.Variance, slices.Clone(bn.Variance)})
	bn.Changed = func() { r.stale = true }
	return r.Device.Norm(bn)
}

// swap exchanges the host's values and the device's, at the beginning and the end of a pass.
func (r *remote) swap() {
	for _, c := range r.weights {
		for i, v := range c.host {
			c.host[i], c.own[i] = c.own[i], v
		}
	}
	for _, changed := range r.repack {
		changed()
	}
}

func (r *remote) Images(images []float32, n, h, w int) device.Map {
	if r.stale {
		push(r.weights)
	}
	r.stale = false
	r.swap()
	return r.Device.Images(images, n, h, w)
}

func (r *remote) Features(m device.Map) *nn.Map {
	r.swap()
	return r.Device.Features(m)
}

func (r *remote) SetGradient(m device.Map, values []float32) {
	r.swap()
	r.Device.SetGradient(m, values)
}

// WeightGradient ends the backward pass with the convolutions of the images.
func (r *remote) WeightGradient(in device.Map, paths ...device.Path) {
	r.Device.WeightGradient(in, paths...)
	if _, _, _, c := in.Size(); c != 3 {
		return
	}
	for p, own := range r.params {
		for i, g := range p.Grad {
			if r.add {
				g += own.Grad[i]
			}
			own.Grad[i], p.Grad[i] = g, float32(math.NaN())
		}
	}
	r.swap()
}

func (r *remote) Memory() int64 { return 1 << 40 }
func (r *remote) Recover()      {}
func (r *remote) Gradients() error {
	for p, own := range r.params {
		copy(p.Grad, own.Grad)
	}
	return nil
}

func (r *remote) MeanPool(mean, m device.Map) {
	whole := r.Device.Features(m)
	values := make([]float32, whole.N*whole.Channels)
	backbone.AveragePool(values, whole)
	r.Device.SetGradient(mean, unpadded(values, whole))
}

func (r *remote) Spread(dm, dmean device.Map) {
	n, h, w, c := dm.Size()
	values, all := r.Device.Features(dmean), make([]float32, n*h*w*c)
	backbone.AveragePoolGradient(all, values.Tensor().Data, n, h, w, c, c)
	r.Device.SetGradient(dm, all)
}

// unpadded returns a value for each image and channel of a map.
func unpadded(values []float32, m *nn.Map) (all []float32) {
	for i := range m.N {
		all = append(all, values[i*m.Channels:][:m.C]...)
	}
	return all
}

func (r *remote) Accumulate(on bool)         { r.add = on }
func (r *remote) Resident() device.Resident  { return r }
func (r *remote) Holds(p *device.Param) bool { return r.params[p] != nil }
func (r *remote) Name() string               { return "remote" }
func (r *remote) Pull() error                { pull(r.weights); pull(r.optimizer); return nil }
func (r *remote) Push() error                { push(r.weights); push(r.optimizer); return nil }
func (r *remote) Step(u device.Update)       { r.sgd.Step(float64(u.Rate), float64(u.Scale)) }
func (r *remote) Average(keep float32)       { r.average.Decay = float64(keep); r.average.Update() }
func (r *remote) Squares() (sum float64, _ error) {
	norm, err := backbone.GradientNorm(r.own(), nil, 1)
	return norm * norm, err
}

func (r *remote) own() (own []*device.Param) {
	for _, p := range r.order {
		own = append(own, r.params[p])
	}
	return own
}

func (r *remote) Bind(velocity, averages map[*device.Param][]float32) {
	s := settings()
	r.sgd, r.average = backbone.NewSGD(r.own(), s.Momentum, s.WeightDecay, s.Nesterov, 1), backbone.NewAverage(r.own(), 0, 1)
	r.average.Steps = math.MaxInt32 // each call has its decay
	r.optimizer = nil
	for i, p := range r.order {
		r.optimizer = append(r.optimizer, copied{velocity[p], r.sgd.Velocity[i]}, copied{averages[p], r.average.Values[i]})
	}
}

func pull(all []copied) {
	for _, c := range all {
		copy(c.host, c.own)
	}
}

func push(all []copied) {
	for _, c := range all {
		copy(c.own, c.host)
	}
}

// TestOwnMemory: a device with its own memory trains the weights that the processor trains, even in
// a run that is stopped and continued.
func TestOwnMemory(t *testing.T) {
	source := stripes{classes: 3, steps: 4, spoil: -1}
	change := func(s *learn.ClassifySettings) { s.Mixup, s.Clip, s.Precision = 2, 0, device.Float32 }
	whole, dir := t.TempDir(), t.TempDir()
	require.NoError(t, trainer(t, whole, source, change).Run(context.Background(), false))
	own := func() *Trainer {
		tr, s := trainer(t, dir, source, change), settings()
		change(s)
		on := &remote{Device: device.NewFloat32(2), params: map[*device.Param]*device.Param{}}
		net := require.Value(s.Plan.Build(s.Seed, backbone.Options{Threads: 2, Device: on}))(t)
		tr.Learner = learn.NewClassifier(s, net, source.classes)
		return tr
	}
	ctx, cancel := context.WithCancel(context.Background())
	tr := own()
	tr.Watch.Step = func(_ Record, step, _ int) {
		if step == 6 {
			cancel()
		}
	}
	if err := tr.Run(ctx, false); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	require.NoError(t, own().Run(context.Background(), true))
	for _, name := range []string{BestFile, LastFile} {
		want, got := require.Value(os.ReadFile(filepath.Join(whole, name)))(t), require.Value(os.ReadFile(filepath.Join(dir, name)))(t)
		if !bytes.Equal(got, want) {
			t.Errorf("%s differs", name)
		}
	}
	sameRuns(t, "resumed", whole, dir)

	tr = own()
	tr.Dir, tr.Source = t.TempDir(), stripes{classes: 3, steps: 4, spoil: 2}
	if err := tr.Run(context.Background(), false); err == nil || !strings.Contains(err.Error(), "step 2") || !strings.Contains(err.Error(), "encoder.layer1") {
		t.Errorf("a picture that is not a number gives %v, want an error with step and layer", err)
	}
	tr = own()
	tr.Group = cluster.InProcess(2)[0]
	if err := tr.Run(context.Background(), false); err == nil || !strings.Contains(err.Error(), "one process, not in 2") {
		t.Errorf("two ranks give %v", err)
	}
}

// TestMapsOfOwnMemory: for a teacher of maps, a device with its own memory returns whole maps, and not
// their means.
func TestMapsOfOwnMemory(t *testing.T) {
	s := settings()
	on := &remote{Device: device.NewFloat32(2), params: map[*device.Param]*device.Param{}}
	net := require.Value(s.Plan.Build(s.Seed, backbone.Options{Threads: 2, Device: on}))(t)
	model, batch := learn.NewClassifier(s, net, 3), tensor.New(2, 32, 32, 3)
	if m := net.Forward(batch); m.H != 1 || m.W != 1 {
		t.Errorf("without a teacher: maps of %d×%d, want their mean", m.H, m.W)
	}
	model.Teach(nil, 16)
	if m := net.Forward(batch); m.H != 2 || m.W != 2 {
		t.Errorf("with a teacher of maps: maps of %d×%d, want 2×2", m.H, m.W)
	}
}
