package pretrain_test

import (
	"fmt"

	"github.com/deepemd/deepemd/trainer/training/pretrain"
)

// The model of a run classifies the training classes and tells rotations.
func ExampleNewModel() {
	s := pretrain.Defaults()
	s.Widths = []int{16, 16, 16, 16}
	if err := s.Check(); err != nil {
		fmt.Println(err)
		return
	}
	model, err := pretrain.NewModel(&s, 64)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(model.Backbone().Widths())
	// Output: [16 16 16 16]
}
