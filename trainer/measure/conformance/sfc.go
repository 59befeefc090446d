package conformance

import (
	"context"
	"fmt"

	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/trainer/data"
	"github.com/deepemd/deepemd/trainer/measure/evaluate"
)

// learning is how the reference's structured fully connected layer learned.
type learning struct {
	Rate      float64 `json:"lr"`
	Momentum  float64
	Dampening float64
	Batch     int
	Passes    int       `json:"epochs"`
	Order     [][][]int // of the support, by episode and pass
}

// compareSFC compares the scores of the queries of the reference's 5-shot
// episodes after its layer has learned, from image files on.
func (r *reference) compareSFC(ctx context.Context, opt Options, report func(Check)) error {
	want, err := r.array("logits_sfc_fcn_84_5shot")
	if err != nil {
		return err
	}
	episodes := r.list.FiveShot
	if len(episodes) == 0 || len(r.list.SFC.Order) != len(episodes) {
		return fmt.Errorf("%s: %d orders for %d 5-shot episodes", r.path(r.lists+".json"), len(r.list.SFC.Order), len(episodes))
	}
	episodes, want = opt.bound(episodes, want)
	features, err := r.features(ctx, r.pieces, episodes, opt)
	if err != nil {
		return err
	}
	var got []float32
	for i, episode := range episodes { // one at a time: each has its own order
		result, err := evaluate.Run(ctx, features, []data.Episode{episode}, evaluate.Config{
			Way:        way,
			Classifier: func() fewshot.Classifier { return &fewshot.SFC{Descent: r.list.SFC.descent(i, len(episode.Support))} },
			Threads:    1,
		})
		if err != nil {
			return err
		}
		got = append(got, result.Logits[0]...)
	}
	check := compare(r.name+": logits sfc_fcn_84_5shot", Absolute, 5e-3, got, want)
	check.Least = 0.995
	if len(got) == len(want) {
		check.Queries, check.Agreement = agreement(got, want, way)
	}
	report(check)
	return nil
}

// descent is how the layer learned in an episode of so many support pictures. The
// reference counts them shot by shot, fewshot class by class.
func (l *learning) descent(episode, support int) fewshot.Descent {
	d := fewshot.Descent{Rate: l.Rate, Momentum: l.Momentum, Dampening: l.Dampening, Batch: l.Batch, Passes: l.Passes}
	for _, order := range l.Order[episode] {
		var own []int
		for _, at := range order {
			own = append(own, at%way*(support/way)+at/way)
		}
		d.Order = append(d.Order, own)
	}
	return d
}
