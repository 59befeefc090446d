package match_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/match"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/internal/require"
)

// Compares the gradient with differences of the score at a fixed flow, T/Nq·Σ x_ij·cos(u_i, v_j).
func TestBackward(t *testing.T) {
	rng := rand.New(rand.NewPCG(41, 42))
	for _, size := range []struct{ nq, ns, c int }{{4, 4, 9}, {5, 3, 16}, {1, 2, 7}} {
		query, support := randomSet(rng, size.nq, size.c), randomSet(rng, size.ns, size.c)
		var m match.Matcher
		q, s := new(match.Prepared), new(match.Prepared)
		require.NoError(t, q.Reset(query))
		require.NoError(t, s.Reset(support))
		found := require.Value(m.MatchPrepared(q, s))(t)
		flow := slices.Clone(found.Flow)
		gradient := make([]float32, size.ns*size.c)
		m.Backward(gradient, q, s, flow, 0.5)
		m.Backward(gradient, q, s, flow, 1.5) // adds up: twice the gradient
		s.Backward(gradient)

		wide := make([]float64, len(support.Data))
		for i, v := range support.Data {
			wide[i] = float64(v)
		}
		held := func() float64 {
			var sum float64
			for i := range size.nq {
				for j := range size.ns {
					sum += flow[i*size.ns+j] * centeredCosine(query.Node(i), wide[j*size.c:][:size.c])
				}
			}
			return method.Temperature / float64(size.nq) * sum
		}
		for k := range wide {
			const h = 1e-4
			was := wide[k]
			wide[k] = was + h
			up := held()
			wide[k] = was - h
			want := (up - held()) / (2 * h)
			wide[k] = was
			if got := float64(gradient[k]) / 2; !near(got, want, 1e-4*(1+math.Abs(want))) {
				t.Errorf("%v: derivative by value %d is %v, differences give %v", size, k, got, want)
			}
		}
	}
}

// centeredCosine returns the cosine of two vectors, each minus its mean.
func centeredCosine(a []float32, b []float64) float64 {
	var ma, mb, ab, aa, bb float64
	for k, v := range a {
		ma, mb = ma+float64(v)/float64(len(a)), mb+b[k]/float64(len(a))
	}
	for k, v := range a {
		x, y := float64(v)-ma, b[k]-mb
		ab, aa, bb = ab+x*y, aa+x*x, bb+y*y
	}
	return ab / math.Sqrt(aa*bb)
}

// A node without direction has gradient zero.
func TestBackwardOfFlatNodes(t *testing.T) {
	p := new(match.Prepared)
	require.NoError(t, p.Reset(&embed.Set{N: 2, C: 3, Data: []float32{1, 1, 1, 1, 2, 3}}))
	gradient := []float32{1, 2, 3, 1, 0, 0}
	p.Backward(gradient)
	if !slices.Equal(gradient[:3], []float32{0, 0, 0}) || gradient[3] == 0 {
		t.Errorf("gradient %v, want none of the first node and some of the second", gradient)
	}
}

func TestRawCosines(t *testing.T) {
	a := &match.Prepared{Raw: true}
	b := &match.Prepared{Raw: true}
	require.NoError(t, a.Reset(&embed.Set{N: 2, C: 2, Data: []float32{3, 4, 1, 0}}))
	require.NoError(t, b.Reset(&embed.Set{N: 1, C: 2, Data: []float32{0, 2}}))
	var c match.Cosines
	got, stride := c.Of(a, b)
	if !near(float64(got[0]), 0.8, 1e-6) || !near(float64(got[stride]), 0, 1e-6) {
		t.Errorf("cosines %v and %v, want 0.8 and 0", got[0], got[stride])
	}
	b.Pack()
	if packed, _ := c.Of(a, b); packed[0] != got[0] {
		t.Errorf("packed: %v", packed[0])
	}
}
