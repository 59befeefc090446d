package evaluate

import (
	"math"

	"github.com/deepemd/deepemd/core/fewshot"
)

// CalibrationBins is the number of equal bins of a [Reliability].
const CalibrationBins = 15

// Reliability is how often queries are right that are as sure: what the expected
// calibration error is computed from, by the top label's probability, the softmax of
// the logits, in equal bins.
type Reliability struct {
	Queries [CalibrationBins]int     `json:"queries"` // of a bin
	Right   [CalibrationBins]int     `json:"right"`   // of these
	Sure    [CalibrationBins]float64 `json:"sure"`    // the sum of their probabilities
}

// Add adds the queries of episodes. logits are those of a [Result]: query i of an
// episode belongs to class i mod way.
func (r *Reliability) Add(logits [][]float32, way int) {
	scores := make([]float64, way)
	for _, episode := range logits {
		for i := 0; (i+1)*way <= len(episode); i++ {
			for c, v := range episode[i*way:][:way] {
				scores[c] = float64(v)
			}
			p := fewshot.Softmax(scores, scores)
			best := fewshot.Best(p)
			bin := min(int(p[best]*CalibrationBins), CalibrationBins-1)
			r.Queries[bin]++
			r.Sure[bin] += p[best]
			if best == i%way {
				r.Right[bin]++
			}
		}
	}
}

// Error is the expected calibration error of the top label (Guo et al., "On
// Calibration of Modern Neural Networks", 2017, equation 3): the mean distance of each
// bin's accuracy from its mean probability, weighted by its queries. 0.05 says that a
// probability is off by 5 points on average. It is 0 without queries.
func (r *Reliability) Error() float64 {
	total, off := 0, 0.0
	for bin, n := range r.Queries {
		total += n
		off += math.Abs(float64(r.Right[bin]) - r.Sure[bin])
	}
	return off / float64(max(total, 1))
}

// CalibrationError is the [Reliability.Error] of the queries of all episodes.
func CalibrationError(logits [][]float32, way int) float64 {
	var r Reliability
	r.Add(logits, way)
	return r.Error()
}
