package learn

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/trainer/internal/backbone"
)

// Both passes of a batch count: the gradients are the slopes of the sum of their losses, and
// each weight is announced once, with all of its gradient.
func TestMixup(t *testing.T) {
	s := settings()
	s.Mixup, s.DropBlock, s.Dropout, s.Precision = 2, 0, 0, "float32"
	m := NewClassifier(s, built(t, s), 3)
	batch := stripes(0, 32, 6)
	batch.Labels[4] = -1
	for seed := range uint64(3) { // other layers and shares
		gradients := func() float64 {
			o := require.Value(m.Gradients(batch, rand.New(rand.NewPCG(seed, 1))))(t)
			return o.Loss
		}
		announced := map[*backbone.Param][]float32{}
		m.Announce(func(finished ...*backbone.Param) {
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
		m.mixup = &mixup{parameter: 2, first: map[*backbone.Param][]float32{}}
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
