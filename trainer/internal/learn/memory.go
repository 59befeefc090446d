package learn

import (
	"fmt"
	"math"

	"github.com/deepemd/deepemd/trainer/data"
	"github.com/deepemd/deepemd/trainer/internal/backbone"
)

// CheckNetwork returns an error for pictures of a size that the network cannot take, and for
// a run that this machine has no room for: one whose network takes more memory than there is, by a lower bound, in a step of any stage. atOnce
// is how many pictures pass through the network together in a stage. A run in too little
// memory is not slow, it is killed by the system, without a word.
func (s *Settings) CheckNetwork(plan backbone.Plan, atOnce func(Stage) int) error {
	for i, stage := range s.Stages {
		if err := plan.Fits(stage.Size); err != nil {
			return fmt.Errorf("stage %d: %w", i+1, err)
		}
	}
	return s.fit(plan, atOnce, data.Memory())
}

// fit is CheckNetwork on a machine with so many bytes; 0 if unknown.
func (s *Settings) fit(plan backbone.Plan, atOnce func(Stage) int, have int64) error {
	if have == 0 {
		return nil
	}
	for i, stage := range s.Stages {
		n := atOnce(stage)
		need := plan.Memory(stage.Size, n, s.Precision == backbone.BFloat16)
		if need > float64(have) {
			return fmt.Errorf("stage %d: %v with %d pictures of %d pixels at once take at least %s of memory, this machine has %s: want narrower widths, smaller pictures or fewer at once",
				i+1, plan, n, stage.Size, bytes(need), data.Bytes(have))
		}
	}
	return nil
}

// bytes writes a number of bytes that no integer may hold.
func bytes(n float64) string { return data.Bytes(int64(math.Min(n, 1<<60))) }
