package backbone_test

import (
	"fmt"

	"github.com/deepemd/deepemd/internal/tensor"
	"github.com/deepemd/deepemd/trainer/internal/backbone"
)

// Pictures of 32 pixels become maps of 2×2 positions.
func ExamplePlan() {
	b, err := backbone.Plan{Widths: []int{16, 16, 32, 32}}.Build(1, backbone.Options{Threads: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	features := b.Forward(tensor.New(3, 32, 32, 3), nil)
	fmt.Println(features.N, features.H, features.W, features.C)
	// Output: 3 2 2 32
}
