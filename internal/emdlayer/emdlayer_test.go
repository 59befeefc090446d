package emdlayer

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/match"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/solver"
)

func nodes(r *rand.Rand, n, c int) []float32 {
	v := make([]float32, n*c)
	for i := range v {
		v[i] = float32(r.NormFloat64() + 0.3)
	}
	return v
}

func set(v []float32, n, c int) *embed.Set {
	return &embed.Set{N: n, C: c, Data: v, Regions: make([]embed.Region, n)}
}

// TestAgreesWithInference holds the score with the exact flow to core/match, and
// that with the interior point to both.
func TestAgreesWithInference(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, size := range [][2]int{{25, 25}, {9, 16}, {30, 25}, {1, 1}} {
		n, m, c := size[0], size[1], 40
		q, s := nodes(r, n, c), nodes(r, m, c)
		var matcher match.Matcher
		want := require.Value(matcher.Score(set(q, n, c), set(s, m, c)))(t)
		for _, layer := range []struct {
			solver.Layer
			tol float64
		}{{&solver.ConstantFlow{}, 1e-5}, {&solver.Interior{}, 1e-3}} {
			score := Score{Layer: layer.Layer}
			got := require.Value(score.Forward(q, s, n, m, c))(t)
			if !(math.Abs(got-want) <= layer.tol) {
				t.Errorf("%v, %T: %g, inference says %g", size, layer.Layer, got, want)
			}
		}
	}
}

// TestGradient compares with central differences, for every layer; the layers'
// quadratic or entropic term is large enough for the flow to be smooth.
func TestGradient(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	layers := map[string]func() solver.Layer{
		"L2":       func() solver.Layer { return &solver.Interior{Epsilon: 0.1} },
		"QP":       func() solver.Layer { return &solver.Interior{Form: solver.QP, Epsilon: 0.1} },
		"Sinkhorn": func() solver.Layer { return &solver.Sinkhorn{Strength: 0.2} },
	}
	for name, layer := range layers {
		for _, size := range [][2]int{{4, 4}, {3, 6}} {
			n, m, c := size[0], size[1], 8
			q, s := nodes(r, n, c), nodes(r, m, c)
			score := Score{Layer: layer()}
			require.Value(score.Forward(q, s, n, m, c))(t)
			dq, ds := make([]float32, n*c), make([]float32, m*c)
			require.NoError(t, score.Backward(dq, ds, 0.7))
			probe := Score{Layer: layer()}
			loss := func() float64 {
				l := require.Value(probe.Forward(q, s, n, m, c))(t)
				return 0.7 * l
			}
			for side, v := range map[string]struct{ values, gradient []float32 }{"query": {q, dq}, "support": {s, ds}} {
				for i := range v.values {
					const h = 1e-3 // float32 inputs
					held := v.values[i]
					v.values[i] = held + h
					up, at := loss(), float64(v.values[i])
					v.values[i] = held - h
					down, from := loss(), float64(v.values[i])
					v.values[i] = held
					want := (up - down) / (at - from)
					if !(math.Abs(float64(v.gradient[i])-want) <= 5e-3*(1+math.Abs(want))) {
						t.Errorf("%s %v: gradient of %s %d is %g, differences give %g", name, size, side, i, v.gradient[i], want)
					}
				}
			}
		}
	}
}

// TestConstantFlow has a gradient through the similarities alone: that of Σ s·x with
// x constant.
func TestConstantFlow(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	const n, c = 5, 6
	q, s := nodes(r, n, c), nodes(r, n, c)
	score := Score{Layer: &solver.ConstantFlow{}}
	require.Value(score.Forward(q, s, n, n, c))(t)
	flow := append([]float64(nil), score.flow...)
	dq, ds := make([]float32, n*c), make([]float32, n*c)
	require.NoError(t, score.Backward(dq, ds, 1))
	carried := func() float64 {
		probe := Score{Layer: &solver.ConstantFlow{}}
		require.Value(probe.Forward(q, s, n, n, c))(t)
		return probe.scale() * dot(probe.similarity, flow)
	}
	for i := range q {
		held := q[i]
		q[i] = held + 1e-3
		up := carried()
		q[i] = held - 1e-3
		down := carried()
		q[i] = held
		if want := (up - down) / 2e-3; !(math.Abs(float64(dq[i])-want) <= 5e-3*(1+math.Abs(want))) {
			t.Errorf("gradient of query %d is %g, want %g", i, dq[i], want)
		}
	}
}

func TestShapes(t *testing.T) {
	score := Score{Layer: &solver.ConstantFlow{}}
	for _, bad := range [][3]int{{2, 2, 4}, {0, 2, 3}, {2, 0, 3}} {
		if _, err := score.Forward(make([]float32, 6), make([]float32, 6), bad[0], bad[1], bad[2]); err == nil {
			t.Errorf("%v nodes in 6 values give no error", fmt.Sprint(bad))
		}
	}
	if err := score.Backward(nil, nil, 1); err == nil {
		t.Error("a gradient of no score gives no error")
	}
}
