//go:build !arm64 && (!goexperiment.simd || !amd64)

package kernel

func vectorScan(dst []int32, rows []byte, query []int16) { genericScan(dst, rows, query) }
