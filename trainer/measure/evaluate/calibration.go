package evaluate

import (
	"math"

	"github.com/deepemd/deepemd/core/fewshot"
)

// CalibrationBins is the number of equal bins of [CalibrationError].
const CalibrationBins = 15

// CalibrationError is the expected calibration error of the top label (Guo et al., "On
// Calibration of Modern Neural Networks", 2017, equation 3), over the queries of all
// episodes: queries are put into equal bins by the probability, the softmax of the
// logits, of the class that they are taken for; the error is the mean distance of each
// bin's accuracy from its mean probability, weighted by its queries. 0.05 says that a
// probability is off by 5 points on average. It is 0 without queries.
//
// logits are those of a [Result]: query i of an episode belongs to class i mod way.
func CalibrationError(logits [][]float32, way int) float64 {
	var queries, right, sure [CalibrationBins]float64
	total := 0.0
	scores := make([]float64, way)
	for _, episode := range logits {
		for i := 0; (i+1)*way <= len(episode); i++ {
			for c, v := range episode[i*way:][:way] {
				scores[c] = float64(v)
			}
			p := fewshot.Softmax(scores, scores)
			best := fewshot.Best(p)
			bin := min(int(p[best]*CalibrationBins), CalibrationBins-1)
			queries[bin]++
			sure[bin] += p[best]
			if best == i%way {
				right[bin]++
			}
			total++
		}
	}
	if total == 0 {
		return 0
	}
	var off float64
	for bin := range queries {
		off += math.Abs(right[bin] - sure[bin])
	}
	return off / total
}
