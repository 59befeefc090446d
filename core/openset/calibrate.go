package openset

import (
	"math"
	"slices"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/method"
)

// Calibration converts the scores of an image against all classes into one familiarity
// score u, which is high if the image belongs to any class:
//
//	u = max over c of (score_c − Level_c)
//
// Level_c is the usual score of images of class c against class c, so that a class that
// resembles everything does not attract unknown images.
type Calibration struct {
	// Level, [classes], in logits at the usual temperature.
	Level []float64
	// Familiarity contains the scores u of the left-out examples, and the balanced threshold.
	answer.Familiarity
	// Prior is the prior, scaled to the similarity of the classes. Its Unknown is for their number.
	Prior Prior

	counts []float64 // the classes' numbers of examples, or of runs if there are several
	slope  float64   // of the log odds that an image belongs to a class, over u
}

// Calibrate estimates the score distributions of known and unknown images from left-out examples. A
// class with one example has no left-out score, and gets the prior's level. If the classes resemble each
// other more or less than the prior's, the prior is scaled to them. The examples of a run count as one,
// unless the class has only this run. The parts of a class weigh the same, see [fewshot.Separate].
func Calibrate(l *LeftOut, prior Prior) *Calibration {
	classes := len(l.Runs)
	examples, counts := make([]float64, classes), make([]float64, classes)
	own, all := make([]float64, classes), make([]float64, classes)
	weights := l.weights()
	var others, pairs float64
	for i, c := range l.Class {
		examples[c]++
		for o, s := range l.Scores[i] {
			if o != c {
				others, pairs = others+weights[i]*s, pairs+weights[i]
			}
		}
	}
	for c, runs := range l.Runs {
		if counts[c] = float64(len(runs)); len(runs) == 1 {
			counts[c] = examples[c]
		}
	}
	var doublings float64 // mean of log2(examples) of the classes
	for _, k := range counts {
		doublings += growth(max(k, 1)) / float64(classes)
	}
	if pairs > 0 {
		prior = prior.scaled(others/pairs, doublings)
	}
	r := &Calibration{Level: make([]float64, classes), Prior: prior.among(classes), counts: counts}
	for i, c := range l.Class {
		if counts[c] > 1 {
			own[c], all[c] = own[c]+weights[i]*r.corrected(l, i), all[c]+weights[i]
		}
	}
	for c := range r.Level {
		k := max(counts[c], 1)
		level := prior.Own + prior.OwnGrowth*growth(k)
		if k > 1 {
			level = (k*own[c]/all[c] + prior.ClassWeight*level) / (k + prior.ClassWeight)
		}
		r.Level[c] = level
	}
	var known, unknown sample
	var apart sample  // the scores against other classes, over their levels
	var varied sample // Known without classes of one run, whose left-out examples resemble the others
	for i, c := range l.Class {
		if counts[c] > 1 {
			known.add(r.Own(l, i), weights[i])
			if len(l.Runs[c]) > 1 {
				varied.add(r.Own(l, i), weights[i])
			}
		}
		if classes > 1 {
			unknown.add(r.score(l.Scores[i], c), weights[i])
		}
		for o, s := range l.Scores[i] {
			if o != c {
				apart.add(s-r.Level[o], weights[i])
			}
		}
	}
	// An example without its class is compared with one class fewer than an unknown image, so its
	// highest score is lower.
	if len(apart.values) > 0 {
		missing := apart.normal().Deviation * (highest(classes) - highest(classes-1))
		for i := range unknown.values {
			unknown.values[i] += missing
		}
	}
	r.Known, r.Unknown = known.values, unknown.values
	r.Balanced, r.Reach = prior.Threshold+prior.ThresholdGrowth*doublings, prior.Reach
	between := prior.Known.Mean - prior.Unknown.Mean
	variance := (prior.Known.variance() + prior.Unknown.variance()) / 2
	if len(r.Known) > 0 && len(r.Unknown) > 0 {
		n := 0.
		for _, k := range counts {
			if k > 1 {
				n += k
			}
		}
		blend := func(usual, found float64) float64 {
			return (n*found + prior.ThresholdWeight*usual) / (n + prior.ThresholdWeight)
		}
		in, out := known.normal(), unknown.normal()
		r.Balanced = blend(r.Balanced, (in.Mean+out.Mean)/2)
		between = blend(between, in.Mean-out.Mean)
		variance = blend(variance, (in.variance()+out.variance())/2)
	}
	r.slope = max(0, between/variance)
	r.settle(&known, &varied)
	return r
}

// rejectedShare limits the default strictness: it may reject one in rejectedShare left-out examples.
const rejectedShare = 9

// settle moves the balanced threshold until the default strictness suits the left-out examples. With
// two classes it first raises the threshold, by the left-out examples of classes with several runs: if
// the classes differ much, an example without its class resembles the other one less than most unknown
// images do. Then it lowers the threshold until the default strictness rejects at most one in
// rejectedShare left-out examples.
func (r *Calibration) settle(known, varied *sample) {
	if len(r.Known) == 0 {
		return
	}
	threshold := r.Threshold(method.Default().Strangers.Strictness)
	low := known.above(1./rejectedShare) - 1e-9 // except rounding
	high := threshold
	if r.Prior.Depth > 0 && len(r.Level) == 2 && len(varied.values) > 0 {
		high = max(high, varied.normal().Mean-r.Prior.Depth)
	}
	r.Balanced += min(high, low) - threshold
	r.Relaxed = low < threshold
}

// corrected returns the score of a left-out example against its class, corrected for the missing
// example.
func (r *Calibration) corrected(l *LeftOut, i int) float64 {
	c := l.Class[i]
	return l.Scores[i][c] + r.Prior.OwnGrowth*growth(r.counts[c]/(r.counts[c]-1))
}

// Own returns u for left-out example i, with the score of its class corrected for the
// missing example. For the only example of a class, this score is the class's level.
func (r *Calibration) Own(l *LeftOut, i int) float64 {
	scores := slices.Clone(l.Scores[i])
	if c := l.Class[i]; r.counts[c] > 1 {
		scores[c] = r.corrected(l, i)
	} else {
		scores[c] = r.Level[c]
	}
	return r.Score(scores)
}

// Score returns u for the scores of an image against all classes, in the order of the classes.
func (r *Calibration) Score(scores []float64) float64 { return r.score(scores, -1) }

// score returns u, computed without one class if without is not −1.
func (r *Calibration) score(scores []float64, without int) float64 {
	top := math.Inf(-1)
	for c, s := range scores {
		if c != without {
			top = max(top, s-r.Level[c])
		}
	}
	return top
}

// Belongs returns the probability that an image with familiarity u belongs to a class: one half at the
// threshold, and elsewhere as for two normal distributions, of known and of unknown images, with one
// variance.
func (r *Calibration) Belongs(u, threshold float64) float64 {
	return 1 / (1 + math.Exp(-r.slope*(u-threshold)))
}

// Rates returns the shares of unknown images that a threshold accepts and of known images
// that it rejects, measured on the left-out examples. Without left-out examples the rates
// come from the prior, and estimated is true.
func (r *Calibration) Rates(threshold float64) (accepted, rejected float64, estimated bool) {
	accepted, rejected = r.Prior.Unknown.Above(threshold), 1-r.Prior.Known.Above(threshold)
	estimated = len(r.Known) == 0 || len(r.Unknown) == 0
	if len(r.Unknown) > 0 {
		accepted = answer.Above(r.Unknown, threshold)
	}
	if len(r.Known) > 0 {
		rejected = 1 - answer.Above(r.Known, threshold)
	}
	return accepted, rejected, estimated
}

func mean(values []float64) float64 {
	var sum float64
	for _, v := range values {
		sum += v
	}
	return sum / float64(len(values))
}

// highest returns the approximate mean of the highest of n values from a standard normal distribution
// (Blom, "Statistical Estimates and Transformed Beta-Variables", 1958).
func highest(n int) float64 {
	return math.Sqrt2 * math.Erfinv(2*(float64(n)-0.375)/(float64(n)+0.25)-1)
}
