package training_test

import (
	"fmt"

	"github.com/deepemd/deepemd/trainer/training"
)

// Settings that make no sense are refused by their names.
func ExampleSettings_Check() {
	s := training.Settings{Stages: []training.Stage{{Epochs: 1, Size: 32, Batch: 1}}}
	fmt.Println(s.Check())
	// Output: stage 1: batch of 1, batch normalisation needs at least 2
}
