package nn_test

import (
	"fmt"

	"github.com/deepemd/deepemd/internal/kernel"
	"github.com/deepemd/deepemd/internal/nn"
	"github.com/deepemd/deepemd/internal/tensor"
)

// A 3×3 convolution that adds up a pixel and its neighbours, on one picture of 3×3
// pixels and one channel.
func ExampleConv() {
	filters := tensor.New(kernel.Lanes, 1, 3, 3) // [Cout, Cin, 3, 3], of which the first output counts
	for i := range 9 {
		filters.Data[i] = 1
	}
	conv := nn.NewConv(filters, make([]float32, kernel.Lanes), false)

	in, out := nn.NewInput(1, 3, 3, 1), nn.NewMap(1, 3, 3, kernel.Lanes)
	in.Load([]float32{
		1, 2, 3,
		4, 5, 6,
		7, 8, 9,
	})
	conv.Run(&nn.Context{Kernels: kernel.Best(), Threads: 1}, out, in, false, nn.LeakySlope)
	for y := range 3 {
		fmt.Println(out.Data[out.At(0, y, 0)], out.Data[out.At(0, y, 1)], out.Data[out.At(0, y, 2)])
	}
	// Output:
	// 12 21 16
	// 27 45 33
	// 24 39 28
}
