package learn_test

import (
	"fmt"

	"github.com/deepemd/deepemd/trainer/internal/learn"
)

// The defaults are those of the paper.
func ExampleEpisodeDefaults() {
	s := learn.EpisodeDefaults()
	fmt.Printf("%d-way %d-shot, rate %g, %s every %d steps; %v\n", s.Way, s.Shot, s.Rate, s.Schedule, s.HalveEvery, s.Check())
	// Output:
	// 5-way 1-shot, rate 0.0005, halving every 500 steps; <nil>
}
