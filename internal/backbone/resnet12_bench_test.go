package backbone_test

import (
	"fmt"
	"testing"

	"github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/kernel"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/resnettest"
)

// BenchmarkForward times the full-width network and reports the GFLOP/s of the
// plain convolutions, whatever algorithm computes them.
func BenchmarkForward(b *testing.B) {
	for _, set := range kernel.Available() {
		for _, size := range []int{84, 32} {
			for _, batch := range []int{1, 16} {
				for _, threads := range []int{1, 2} {
					b.Run(fmt.Sprintf("%s/px=%d/batch=%d/threads=%d", set.Name(), size, batch, threads), func(b *testing.B) {
						net := require.Value(backbone.New(resnettest.Weights(resnettest.Full, size, 1), backbone.Options{Threads: threads, Kernels: set}))(b)
						x := resnettest.Pictures(batch, size, 1)
						require.Value(net.Forward(x))(b)
						for b.Loop() {
							require.Value(net.Forward(x))(b)
						}
						flops := float64(batch) * backbone.FLOPs(resnettest.Full, size, size)
						b.ReportMetric(flops*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
					})
				}
			}
		}
	}
}
