package learn

import (
	"fmt"

	"github.com/deepemd/deepemd/trainer/internal/backbone"
)

// checkSharing returns an error for the first setting of runs of several processes that makes
// no sense. Settings from before there were any are those of float32, synchronised.
func (s *Settings) checkSharing() error {
	if s.Statistics == "" {
		s.Statistics = Synchronised
	}
	if s.Gradients == "" {
		s.Gradients = backbone.Float32
	}
	switch {
	case s.Statistics != Synchronised && s.Statistics != EachRank:
		return fmt.Errorf("statistics is %q: use %q or %q", s.Statistics, Synchronised, EachRank)
	case s.Gradients != backbone.Float32 && s.Gradients != backbone.BFloat16:
		return fmt.Errorf("gradients is %q: use %q or %q", s.Gradients, backbone.Float32, backbone.BFloat16)
	case s.LocalSGD > 0 && s.Statistics == Synchronised:
		return fmt.Errorf("local_sgd is %d: ranks that take steps of their own have statistics of their own: set statistics = %q, too", s.LocalSGD, EachRank)
	case s.LocalSGD > 0 && s.Gradients == backbone.BFloat16:
		return fmt.Errorf("local_sgd is %d: no gradients are sent: set gradients = %q", s.LocalSGD, backbone.Float32)
	}
	return nil
}

// CheckRanks returns an error for a stage whose batches, of so many pictures each, are too
// small to be shared by so many ranks.
func (s *Settings) CheckRanks(ranks int) error {
	if ranks == 1 {
		return nil
	}
	least := 1
	if s.Statistics == EachRank && !s.FreezeStatistics {
		least = 2
	}
	for i, stage := range s.Stages {
		if stage.Batch/ranks < least {
			return fmt.Errorf("stage %d: a batch of %d pictures among %d ranks, want at least %d for each: a larger batch, or fewer ranks", i+1, stage.Batch, ranks, least)
		}
	}
	return nil
}
