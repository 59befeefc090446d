//go:build !goexperiment.simd || !(amd64 || arm64)

package solver

// sweep is the generic one where there are no vectors for it.
func sweep(list []candidate, cost, v, u []int64, row, m int32) int {
	return sweepGeneric(list, cost, v, u, row, m)
}
