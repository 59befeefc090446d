package conformance

import (
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/trainer/data"
	"github.com/deepemd/deepemd/trainer/evaluate"
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

// compareSFC compares the scores of the queries of the reference's 5-shot episodes after its
// layer has learned, from image files on, at the rate of the authors' training script and at
// that of their evaluation; and the answers at our own rate, which depends on the features,
// with the latter's.
func (r *reference) compareSFC(ctx context.Context, opt Options, report func(Check)) error {
	const name = "logits_sfc_fcn_84_5shot"
	slow, err := r.array(name)
	if err != nil {
		return err
	}
	fast, err := readArray(r.path(r.fast+".npz"), "logits_sfc100_fcn_84_5shot")
	if err != nil {
		return err
	}
	if len(r.list.FiveShot) == 0 || len(r.list.SFC.Order) != len(r.list.FiveShot) {
		return fmt.Errorf("%s: %d orders for %d 5-shot episodes", r.path(r.lists+".json"), len(r.list.SFC.Order), len(r.list.FiveShot))
	}
	for _, c := range []struct {
		rate      float64
		want      []float32
		tolerance float64
	}{
		{r.list.SFC.Rate, slow, 5e-3},
		{method.SFCRate, fast, 2e-2}, // it amplifies rounding
	} {
		got, want, err := r.learned(ctx, opt, c.rate, c.want)
		if err != nil {
			return err
		}
		check := compare(fmt.Sprintf("%s: %s, rate %g", r.name, strings.ReplaceAll(name, "_", " "), c.rate), Absolute, c.tolerance, got, want)
		check.Least = 0.995
		if len(got) == len(want) {
			check.Queries, check.Agreement = agreement(got, want, way)
		}
		report(check)
	}
	got, want, err := r.learned(ctx, opt, 0, fast)
	if err != nil {
		return err
	}
	check := Check{What: r.name + ": right answers of each 5-shot episode with SFC at its own rate", Measure: Absolute, Tolerance: 1}
	each := len(want) / max(len(r.list.FiveShot), 1)
	if opt.Episodes > 0 {
		each = len(want) / min(opt.Episodes, len(r.list.FiveShot))
	}
	for from := 0; from < len(want) && len(got) == len(want); from += each {
		check.Compared++
		check.Worst = max(check.Worst, math.Abs(float64(right(got[from:from+each])-right(want[from:from+each]))))
	}
	report(check)
	return nil
}

// right is how many queries, which go round the classes, have their class's logit as the
// highest.
func right(logits []float32) (n int) {
	for i := range len(logits) / way {
		if highest(logits[i*way:][:way]) == i%way {
			n++
		}
	}
	return n
}

// learned returns the logits of the queries after the layer has learned at a rate, 0 for its
// own, and those of the reference that the options leave.
func (r *reference) learned(ctx context.Context, opt Options, rate float64, logits []float32) (got, want []float32, err error) {
	episodes, want := opt.bound(r.list.FiveShot, logits)
	features, err := r.features(ctx, r.pieces, episodes, opt)
	if err != nil {
		return nil, nil, err
	}
	for i, episode := range episodes { // one at a time: each has its own order
		d := r.list.SFC.descent(i, len(episode.Support))
		d.Rate = rate
		result, err := evaluate.Run(ctx, features, []data.Episode{episode}, evaluate.Config{
			Way:        way,
			Classifier: func() fewshot.Classifier { return &fewshot.SFC{Descent: d} },
			Threads:    1,
		})
		if err != nil {
			return nil, nil, err
		}
		got = append(got, result.Logits[0]...)
	}
	return got, want, nil
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
