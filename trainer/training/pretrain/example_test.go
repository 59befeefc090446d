package pretrain_test

import (
	"fmt"

	"github.com/deepemd/deepemd/trainer/training/backbone"
	"github.com/deepemd/deepemd/trainer/training/pretrain"
)

// The model of a run classifies the training classes and tells rotations.
func ExampleNewModel() {
	s := pretrain.Defaults()
	s.Widths = []int{16, 16, 16, 16}
	net, err := s.Plan.Build(s.Seed, backbone.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	model := pretrain.NewModel(&s, net, 64)
	fmt.Println(s.Plan, model.Backbone().Channels())
	// Output: widths [16 16 16 16] 16
}
