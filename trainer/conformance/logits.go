package conformance

import (
	"context"

	"deepemd/core/embed"
	"deepemd/core/fewshot"
	"deepemd/core/imaging"
	"deepemd/trainer/evaluate"
)

// way is the number of classes of the reference's episodes.
const way = 5

// logits compares the scores of every query of the reference's 1-shot episodes
// from image files on.
func (r *reference) logits(ctx context.Context, setting string, fcn embed.FCN, pre imaging.Preprocess, opt Options) ([]Check, error) {
	want, err := r.array("logits_" + setting)
	if err != nil {
		return nil, err
	}
	episodes := r.list.Episodes
	each := len(want) / len(episodes)
	if opt.Episodes > 0 {
		episodes = episodes[:min(opt.Episodes, len(episodes))]
	}
	var names []string
	for _, e := range episodes {
		names = append(append(names, e.Support...), e.Query...)
	}
	features, err := evaluate.Extract(ctx, names, r.data.Image, evaluate.Extraction{
		Encoder: r.net, FCN: fcn, Preprocess: pre, Threads: opt.Threads,
	})
	if err != nil {
		return nil, err
	}
	result, err := evaluate.Run(ctx, features, episodes, evaluate.Config{
		Way:        way,
		Classifier: func() fewshot.Classifier { return new(fewshot.Prototype) },
		Threads:    opt.Threads,
	})
	if err != nil {
		return nil, err
	}
	var got []float32
	for _, logits := range result.Logits {
		got = append(got, logits...)
	}
	want = want[:len(episodes)*each]
	check := compare(r.name+": logits "+setting, Absolute, 2e-3, got, want)
	if len(got) == len(want) {
		check.Queries, check.Agreement = agreement(got, want, way)
	}
	return []Check{check}, nil
}
