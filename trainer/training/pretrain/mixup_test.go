package pretrain

import (
	"bytes"
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/deepemd/deepemd/trainer/training"
	"github.com/deepemd/deepemd/trainer/training/optim"
	"github.com/deepemd/deepemd/trainer/training/runfolder"
)

// Both passes of a batch count: the gradients are the slopes of the sum of their losses, and
// each weight is announced once, with all of its gradient.
func TestMixup(t *testing.T) {
	s := settings()
	s.Mixup, s.DropBlock, s.Dropout, s.Precision = 2, 0, 0, "float32"
	m := NewModel(s, built(t, s), 3)
	next, stop := stripes{3, 1, -1}.Batches(t.Context(), training.Stage{Epochs: 1, Size: 32, Batch: 6}, 0, 0)
	defer stop()
	batch, err := next()
	if err != nil {
		t.Fatal(err)
	}
	batch.Labels[4] = -1
	for seed := range uint64(3) { // other layers and shares
		gradients := func() float64 {
			o, err := m.Gradients(batch, rand.New(rand.NewPCG(seed, 1)))
			if err != nil {
				t.Fatal(err)
			}
			return o.Loss
		}
		announced := map[*optim.Param][]float32{}
		m.Announce(func(finished ...*optim.Param) {
			for _, p := range finished {
				if announced[p] != nil {
					t.Errorf("%s is announced twice", p.Name)
				}
				announced[p] = slices.Clone(p.Grad)
			}
		})
		loss := gradients()
		m.Announce(nil)
		params := m.Params()
		for _, p := range params {
			if !slices.Equal(announced[p], p.Grad) {
				t.Errorf("%s is announced with another gradient than it has", p.Name)
			}
			copy(p.Grad, announced[p])
		}
		m.mixup = nil
		plain := gradients()
		m.mixup = &mixup{parameter: 2, first: map[*optim.Param][]float32{}}
		if loss <= plain {
			t.Errorf("the loss of both passes is %g, of the plain one %g", loss, plain)
		}
		for _, at := range []int{0, 12, 30, len(params) - 4, len(params) - 1} {
			gradients()
			for _, p := range params {
				copy(p.Grad, announced[p])
			}
			isTheSlope(t, params[at:at+1], gradients, 1e-3)
		}
	}
}

// A run with mixup that was stopped continues with the same bits.
func TestMixupResumes(t *testing.T) {
	run := func(dir string, stop int) []byte {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		tr := trainer(t, dir, stripes{3, 4, -1}, func(s *Settings) { s.Mixup = 2 })
		tr.Watch.Step = func(_ runfolder.Record, step, _ int) {
			if step == stop {
				cancel()
			}
		}
		if err := tr.Run(ctx, true); (err != nil) != (stop > 0) {
			t.Fatal(err)
		}
		return checkpointValues(t, dir)
	}
	whole, parted := t.TempDir(), t.TempDir()
	run(parted, 5)
	if !bytes.Equal(run(whole, 0), run(parted, 0)) {
		t.Error("the checkpoint holds other values")
	}
}

// Pictures without a class are no partners.
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
