package evaluate

import (
	"context"

	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/trainer/data"
)

// Baseline is the accuracy without any network.
type Baseline struct {
	Name     string  `json:"name"`
	Accuracy float64 `json:"accuracy"`
	Interval float64 `json:"interval95"` // half its width
}

// SoundBaselines measures how well recordings are told apart without any network: on the
// same episodes, the class whose mean spectrum, and whose mean spectrogram, is the
// nearest. names are all recordings of the episodes; show runs each measurement and
// shows how far it is.
func SoundBaselines(ctx context.Context, names []string, read Reader, episodes []data.Episode, way, threads int,
	show func(what string, work func(Progress) error) error) ([]Baseline, error) {
	var all []Baseline
	for _, plain := range []struct {
		name     string
		features func([]string, Reader) (Features, error)
	}{
		{"nearest mean spectrum", MeanSpectra}, {"nearest mean spectrogram", Spectrograms},
	} {
		features, err := plain.features(names, read)
		if err != nil {
			return nil, err
		}
		var result *Result
		err = show(plain.name+": episodes", func(progress Progress) (err error) {
			result, err = Run(ctx, features, episodes, Config{
				Way: way, Threads: threads, Progress: progress,
				Classifier: func() fewshot.Classifier { return &NearestMean{} },
			})
			return err
		})
		if err != nil {
			return nil, err
		}
		all = append(all, Baseline{plain.name, result.Mean, result.Interval})
	}
	return all, nil
}
