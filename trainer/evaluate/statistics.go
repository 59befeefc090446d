package evaluate

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/core/match"
	"github.com/deepemd/deepemd/core/openset"
)

// quantile is the normal distribution's quantile for a 95% confidence interval, rounded like in the
// field.
const quantile = 1.96

// Interval returns the mean of values and half the width of its 95% confidence interval as reported
// in the field, 1.96·std/√n with the population's standard deviation. Both are 0 if there are no
// values.
func Interval(values []float64) (mean, half float64) {
	if len(values) == 0 {
		return 0, 0
	}
	n := normal(values)
	return n.Mean, quantile * n.Deviation / math.Sqrt(float64(len(values)))
}

// Difference returns the mean difference between the values of a and b, pair by pair, and half the
// width of its 95% interval. It ignores the values of the longer one that have no pair.
func Difference(a, b []float64) (mean, half float64) {
	n := min(len(a), len(b))
	return Interval(floats.SubTo(make([]float64, n), a[:n], b[:n]))
}

func normal(values []float64) (d openset.Normal) {
	n := float64(len(values))
	for _, v := range values {
		d.Mean += v / n
	}
	var variance float64
	for _, v := range values {
		variance += (v - d.Mean) * (v - d.Mean) / n
	}
	d.Deviation = math.Sqrt(variance)
	return d
}

// AUROC returns the area under the receiver operating characteristic: the share of pairs of a positive
// and a negative in which the positive's score is higher; ties count half (Mann and Whitney's U
// divided by the number of pairs). NaN is the lowest score. The result is NaN without positives or
// without negatives.
func AUROC(positives, negatives []float64) float64 {
	type scored struct {
		score    float64
		positive bool
	}
	all := make([]scored, 0, len(positives)+len(negatives))
	for _, s := range positives {
		all = append(all, scored{s, true})
	}
	for _, s := range negatives {
		all = append(all, scored{s, false})
	}
	slices.SortFunc(all, func(a, b scored) int { return cmp.Compare(a.score, b.score) })
	var ranks float64 // the sum of the positives' ranks, which begin at 1; equal scores share their mean rank
	for at := 0; at < len(all); {
		end, found := at, 0
		for ; end < len(all) && cmp.Compare(all[end].score, all[at].score) == 0; end++ {
			if all[end].positive {
				found++
			}
		}
		ranks += float64(found) * float64(at+1+end) / 2
		at = end
	}
	p, n := float64(len(positives)), float64(len(negatives))
	if p == 0 || n == 0 {
		return math.NaN()
	}
	return (ranks - p*(p+1)/2) / (p * n)
}

// FalsePositives returns the share of negatives that reach the highest threshold that accepts at least
// the given share of positives: with 0.95, the field's FPR95. It is NaN without positives or
// without negatives.
func FalsePositives(positives, negatives []float64, pass float64) float64 {
	if len(positives) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(positives))
	needed := int(math.Ceil(pass * float64(len(sorted))))
	threshold := sorted[len(sorted)-max(needed, 1)]
	return answer.Above(negatives, threshold)
}

// CalibrationBins is the number of equal bins of [CalibrationError].
const CalibrationBins = 15

// CalibrationError returns the expected calibration error of the top label (Guo et al., "On
// Calibration of Modern Neural Networks", 2017, equation 3): the mean distance between the accuracy
// and the mean probability of the queries in a bin, weighted by their number. Probabilities are the
// softmax of the logits. A result of 0.05 means that they are off by 5 points on average. logits has
// the layout of [Result.Logits], where query i of an episode belongs to class i mod way. Without
// queries the error is 0.
func CalibrationError(logits [][]float32, way int) float64 {
	var excess [CalibrationBins]float64 // correct queries minus the sum of their probabilities
	queries := 0
	scores := make([]float64, way)
	for _, episode := range logits {
		for i := 0; (i+1)*way <= len(episode); i++ {
			for c, v := range episode[i*way:][:way] {
				scores[c] = float64(v)
			}
			p := fewshot.Softmax(scores, scores)
			best := fewshot.Best(p)
			bin := min(int(p[best]*CalibrationBins), CalibrationBins-1)
			queries++
			excess[bin] -= p[best]
			if best == i%way {
				excess[bin]++
			}
		}
	}
	off := 0.0
	for _, e := range excess {
		off += math.Abs(e)
	}
	return off / float64(max(queries, 1))
}

// Agreement returns the share of queries for which two results of the same episodes predict the same
// class.
func Agreement(a, b *Result) float64 {
	same, queries := 0, 0
	for i := range a.Logits {
		for at := 0; at < len(a.Logits[i]); at += a.Way {
			first, second := a.Logits[i][at:at+a.Way], b.Logits[i][at:at+a.Way]
			if slices.Index(first, slices.Max(first)) == slices.Index(second, slices.Max(second)) {
				same++
			}
			queries++
		}
	}
	return float64(same) / float64(queries)
}

// Clusters counts the nodes of images after a weighting has merged them.
type Clusters struct {
	Mean  float64 `json:"mean"`
	Least int     `json:"least"`
	Most  int     `json:"most"`
}

// CountClusters counts the nodes after merging. It returns nil if the weighting does not merge
// nodes.
func CountClusters(features Features, weighting match.Weighting) (*Clusters, error) {
	grouping, ok := weighting.(match.Grouping)
	if !ok || len(features) == 0 {
		return nil, nil
	}
	var c Clusters
	sum := 0
	for name, set := range features {
		merged, _, err := grouping.Merge(set)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		sum += merged.N
		c.Most = max(c.Most, merged.N)
		if c.Least == 0 || merged.N < c.Least {
			c.Least = merged.N
		}
	}
	c.Mean = float64(sum) / float64(len(features))
	return &c, nil
}

// String returns the numbers of clusters of an image: the mean, the least and the most.
func (c *Clusters) String() string {
	return fmt.Sprintf("%.1f clusters an image (%d to %d)", c.Mean, c.Least, c.Most)
}
