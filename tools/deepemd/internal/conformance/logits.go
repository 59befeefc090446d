package conformance

import (
	"context"
	"fmt"

	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/trainer/evaluate"
)

// way is the number of classes of the reference's episodes.
const way = 5

// compareLogits compares the scores of every query of the reference's 1-shot
// episodes, from image files on.
func (r *reference) compareLogits(ctx context.Context, s setting, opt Options, report func(Check)) error {
	want, err := r.array("logits_" + s.name)
	if err != nil {
		return err
	}
	episodes := r.list.Episodes
	if len(episodes) == 0 {
		return fmt.Errorf("%s: no 1-shot episodes", r.path(r.lists+".json"))
	}
	if s.episodes > 0 {
		episodes = episodes[:min(s.episodes, len(episodes))]
	}
	episodes, want = opt.bound(episodes, want)
	features, err := r.features(ctx, s, episodes, opt)
	if err != nil {
		return err
	}
	result, err := evaluate.Run(ctx, features, episodes, evaluate.Config{
		Way:        way,
		Classifier: func() fewshot.Classifier { return new(fewshot.Prototype) },
		Threads:    opt.Threads,
	})
	if err != nil {
		return err
	}
	var got []float32
	for _, logits := range result.Logits {
		got = append(got, logits...)
	}
	check := compare(r.name+": logits "+s.name, Absolute, 2e-3, got, want)
	if len(got) == len(want) {
		check.Queries, check.Agreement = agreement(got, want, way)
	}
	report(check)
	return nil
}
