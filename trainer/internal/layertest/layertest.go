// Package layertest checks layers and their gradients. The truth is the definition of a layer in
// float64, and its central differences: a gradient agrees when the layer's float32 result does.
package layertest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/deepemd/deepemd/internal/kernel"
	"github.com/deepemd/deepemd/internal/nn"
	"github.com/deepemd/deepemd/internal/tensor"
)

// Field is a batch of maps in float64, [N, H, W, C].
type Field struct {
	N, H, W, C int
	V          []float64
}

// NewField returns a field of zeros.
func NewField(n, h, w, c int) Field { return Field{n, h, w, c, make([]float64, n*h*w*c)} }

// Random returns a field of normally distributed values.
func Random(r *rand.Rand, n, h, w, c int) Field {
	f := NewField(n, h, w, c)
	for i := range f.V {
		f.V[i] = r.NormFloat64()
	}
	return f
}

// At returns a value, or zero outside the maps.
func (f Field) At(n, y, x, c int) float64 {
	if y < 0 || x < 0 || y >= f.H || x >= f.W {
		return 0
	}
	return f.V[((n*f.H+y)*f.W+x)*f.C+c]
}

// Fill copies the field to a map of the same shape.
func (f Field) Fill(m *nn.Map) *nn.Map {
	values := make([]float32, len(f.V))
	for i, v := range f.V {
		values[i] = float32(v)
	}
	m.Load(values)
	return m
}

// Map returns the field as a map.
func (f Field) Map() *nn.Map { return f.Fill(nn.NewMap(f.N, f.H, f.W, f.C)) }

// difference returns the derivative of loss by v[i], by central differences.
func difference(v []float64, i int, loss func() float64) float64 {
	const step = 1e-5
	held := v[i]
	v[i] = held + step
	up := loss()
	v[i] = held - step
	down := loss()
	v[i] = held
	return (up - down) / (2 * step)
}

// Check compares got with differences at up to 40 places.
func Check(t *testing.T, what string, r *rand.Rand, v, got []float64, loss func() float64) {
	t.Helper()
	scale := 0.0
	for _, g := range got {
		scale = max(scale, math.Abs(g))
	}
	for range min(40, len(v)) {
		i := r.IntN(len(v))
		if want := difference(v, i, loss); math.Abs(got[i]-want) > 1e-4*(scale+1) {
			t.Fatalf("%s: gradient of element %d is %g, differences give %g", what, i, got[i], want)
		}
	}
}

// Slope checks the gradient of float32 values: a step along it must change the loss by the gradient's
// square times the step, to a twentieth. changed is called when the values have changed. The step changes the loss by
// step times the gradient's norm: small enough for it to be linear, large enough for float32.
func Slope(t *testing.T, name string, values, gradient []float32, changed func(), loss func() float64, step float64) {
	t.Helper()
	gradient, held, norm := slices.Clone(gradient), slices.Clone(values), 0.0 // loss may replace the gradient
	for _, g := range gradient {
		norm += float64(g) * float64(g)
	}
	if norm < 1e-6 {
		t.Errorf("%s: no gradient", name)
		return
	}
	by := step / math.Sqrt(norm)
	at := func(by float64) float64 {
		for i, g := range gradient {
			values[i] = held[i] + float32(by*float64(g))
		}
		changed()
		return loss()
	}
	if slope := (at(by) - at(-by)) / (2 * by); math.Abs(slope/norm-1) > 0.05 {
		t.Errorf("%s: the loss rises by %g along the gradient, whose square is %g", name, slope, norm)
	}
	at(0)
}

// Floats returns the values of a tensor in float64.
func Floats(t *tensor.Tensor) []float64 {
	out := make([]float64, len(t.Data))
	for i, v := range t.Data {
		out[i] = float64(v)
	}
	return out
}

// EachContext runs a test for every set of kernels and several threads.
func EachContext(t *testing.T, test func(t *testing.T, ctx *nn.Context)) {
	for _, set := range kernel.Available() {
		for _, threads := range []int{1, 3} {
			t.Run(fmt.Sprintf("%s-%d", set.Name(), threads), func(t *testing.T) {
				test(t, &nn.Context{Kernels: set, Threads: threads})
			})
		}
	}
}
