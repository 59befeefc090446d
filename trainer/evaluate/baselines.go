package evaluate

import (
	"context"
	"slices"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/fewshot/baseline"
	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/trainer/data"
)

// Baseline is an accuracy that needs no network.
type Baseline struct {
	Name     string  `json:"name"`
	Accuracy float64 `json:"accuracy"`
	Interval float64 `json:"interval95"` // half its width
}

// soundBaselines are features of a recording's spectrogram that need no network.
var soundBaselines = []struct {
	name     string
	features func(*imaging.Image) []float32
}{
	{"nearest mean spectrum", meanSpectrum}, {"nearest mean spectrogram", spectrogram},
}

// SoundBaselines measures how well recordings are told apart without a network. On the given
// episodes, a recording belongs to the class whose mean spectrum, or mean spectrogram, is nearest.
// names are all recordings of the episodes.
//
// It returns the first error of reading or classifying.
func SoundBaselines(ctx context.Context, names []string, read Reader, episodes []data.Episode, way, threads int,
	show Show) ([]Baseline, error) {
	var all []Baseline
	for _, plain := range soundBaselines {
		features := make(Features, len(names))
		for _, name := range slices.Compact(slices.Sorted(slices.Values(names))) {
			picture, err := read(name)
			if err != nil {
				return nil, err
			}
			values := plain.features(picture)
			features[name] = &embed.Set{N: 1, C: len(values), Data: values}
		}
		result, err := Run(ctx, features, episodes, Config{
			Way: way, Threads: threads, Progress: show.Of(plain.name + ": episodes"), Classifier: baseline.Euclidean,
		})
		if err != nil {
			return nil, err
		}
		all = append(all, Baseline{plain.name, result.Mean, result.Interval})
	}
	return all, nil
}

// meanSpectrum returns the mean over time of each frequency band.
func meanSpectrum(m *imaging.Image) []float32 {
	bands := make([]float32, m.Height)
	for i, v := range spectrogram(m) {
		bands[i/m.Width] += v / float32(m.Width)
	}
	return bands
}

// spectrogram returns one channel of the gray image, [Height·Width].
func spectrogram(m *imaging.Image) []float32 {
	values := make([]float32, m.Width*m.Height)
	for i := range values {
		values[i] = float32(m.Pix[3*i])
	}
	return values
}
