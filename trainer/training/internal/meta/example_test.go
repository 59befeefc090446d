package meta_test

import (
	"fmt"

	"github.com/deepemd/deepemd/trainer/training/internal/meta"
)

// The defaults are those of the paper.
func ExampleDefaults() {
	s := meta.Defaults()
	fmt.Printf("%d-way %d-shot, rate %g, %s every %d steps; %v\n", s.Way, s.Shot, s.Rate, s.Schedule, s.HalveEvery, s.Check())
	// Output:
	// 5-way 1-shot, rate 0.0005, halving every 500 steps; <nil>
}
