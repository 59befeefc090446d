package nn

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/deepemd/deepemd/internal/kernel"
)

// BenchmarkConv times the second convolution of each block of the full-width
// network for one picture on one thread, by every algorithm that a set of kernels
// has, and reports the GFLOP/s of the plain convolution.
func BenchmarkConv(b *testing.B) {
	names := map[algorithm]string{direct: "direct", winogradF2: "F2", winogradF4: "F4", bfloat16: "bfloat16"}
	for _, set := range kernel.Available() {
		for _, size := range []int{84, 32} {
			side := size
			for _, channels := range []int{64, 160, 320, 640} {
				for _, how := range []algorithm{direct, winogradF2, winogradF4, bfloat16} {
					in := NewMap(1, side, side, channels)
					if how == bfloat16 && !set.HasSplits() {
						continue
					}
					b.Run(fmt.Sprintf("%s/px=%d/map=%d/%s", set.Name(), size, side, names[how]), func(b *testing.B) {
						r := rand.New(rand.NewPCG(1, 1))
						in.Load(random(r, 1, side, side, channels).Data)
						c := &Context{Kernels: set, Threads: 1}
						conv := NewConv(random(r, channels, channels, 3, 3), make([]float32, channels), false)
						p, out := conv.pack(c, in.Channels, how), NewMap(1, side, side, channels)
						for b.Loop() {
							p.Run(c, out, in, conv.bias, false, LeakySlope)
						}
						flops := 2 * 9 * float64(side*side*channels*channels)
						b.ReportMetric(flops*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
					})
				}
				side /= 2
			}
		}
	}
}
