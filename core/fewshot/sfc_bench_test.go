package fewshot_test

import (
	"math/rand/v2"
	"testing"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/internal/require"
)

// BenchmarkSFC measures a typical training: 100 passes, five classes, five examples per class,
// and sets of 25×320.
func BenchmarkSFC(b *testing.B) {
	classes := fiveByFive()
	for b.Loop() {
		var s fewshot.SFC
		require.NoError(b, s.Fit(classes))
	}
}

// fiveByFive returns five classes with five images each: the nodes of the class with noise.
func fiveByFive() []fewshot.Class {
	const n, c = 25, 320
	rng := rand.New(rand.NewPCG(1, 2))
	common := make([]float64, c)
	for i := range common {
		common[i] = max(0, rng.NormFloat64())
	}
	classes := make([]fewshot.Class, 5)
	for i := range classes {
		own := make([]float64, n*c)
		for k := range own {
			own[k] = common[k%c] + 0.4*rng.NormFloat64()
		}
		for range 5 {
			set := &embed.Set{N: n, C: c, Data: make([]float32, n*c)}
			for k := range set.Data {
				set.Data[k] = float32(max(0.01*rng.Float64(), own[k]+0.5*rng.NormFloat64()))
			}
			classes[i].Support = append(classes[i].Support, set)
		}
	}
	return classes
}
