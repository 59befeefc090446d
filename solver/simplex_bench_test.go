package solver_test

import (
	"fmt"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/solvertest"
	"github.com/deepemd/deepemd/solver"
)

func BenchmarkSimplex(b *testing.B) {
	for _, n := range []int{9, 16, 25, 49, 100} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			problems := solvertest.Cosines(n, 50, 1)
			var s solver.Simplex
			pivots, i := 0, 0
			for b.Loop() {
				sol := require.Value(s.Solve(problems[i%len(problems)]))(b)
				pivots += sol.Pivots
				i++
			}
			b.ReportMetric(float64(i)/b.Elapsed().Seconds(), "problems/s")
			b.ReportMetric(float64(pivots)/float64(i), "pivots/problem")
		})
	}
}
