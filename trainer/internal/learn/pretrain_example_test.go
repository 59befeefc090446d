package learn_test

import (
	"fmt"

	"github.com/deepemd/deepemd/trainer/internal/backbone"
	"github.com/deepemd/deepemd/trainer/internal/learn"
)

// The model of a run classifies the training classes and tells rotations.
func ExampleNewClassifier() {
	s := learn.ClassifyDefaults()
	s.Widths = []int{16, 16, 16, 16}
	net, err := s.Plan.Build(s.Seed, backbone.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	model := learn.NewClassifier(&s, net, 64)
	fmt.Println(s.Plan, model.Backbone().Channels())
	// Output: widths [16 16 16 16] 16
}
