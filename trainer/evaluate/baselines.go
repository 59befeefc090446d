package evaluate

import (
	"context"
	"errors"
	"slices"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/core/imaging"
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

// MeanSpectra are the plain features of recordings that sound networks are held against:
// of each one's spectrogram the mean over time, a value for each band. Nothing about it is
// learnt.
//
// It returns the first error of reading.
func MeanSpectra(names []string, read Reader) (Features, error) {
	return plainFeatures(names, read, func(m *imaging.Image) []float32 {
		bands := make([]float32, m.Height)
		for y := range bands {
			for x := range m.Width {
				bands[y] += float32(m.Pix[3*(y*m.Width+x)]) / float32(m.Width)
			}
		}
		return bands
	})
}

// Spectrograms are like MeanSpectra without the mean: every value of the spectrogram.
func Spectrograms(names []string, read Reader) (Features, error) {
	return plainFeatures(names, read, func(m *imaging.Image) []float32 {
		values := make([]float32, m.Width*m.Height)
		for i := range values {
			values[i] = float32(m.Pix[3*i])
		}
		return values
	})
}

func plainFeatures(names []string, read Reader, of func(*imaging.Image) []float32) (Features, error) {
	features := make(Features, len(names))
	for _, name := range slices.Compact(slices.Sorted(slices.Values(names))) {
		m, err := read(name)
		if err != nil {
			return nil, err
		}
		values := of(m)
		features[name] = &embed.Set{N: 1, C: len(values), Data: values}
	}
	return features, nil
}

// NearestMean is a classifier of plain features, for baselines: the score of a
// class is minus the squared Euclidean distance to the mean of its examples.
type NearestMean struct {
	means [][]float64
}

var errNoExamples = errors.New("evaluate: a class without examples")

// Fit implements [fewshot.Classifier].
func (n *NearestMean) Fit(classes []fewshot.Class) error {
	n.means = n.means[:0]
	for _, class := range classes {
		if len(class.Support) == 0 {
			return errNoExamples
		}
		mean := make([]float64, len(class.Support[0].Data))
		for _, set := range class.Support {
			for i, v := range set.Data {
				mean[i] += float64(v) / float64(len(class.Support))
			}
		}
		n.means = append(n.means, mean)
	}
	return nil
}

// Traits implements [fewshot.Classifier].
func (n *NearestMean) Traits() fewshot.Traits { return fewshot.Traits{} }

// Scores implements [fewshot.Classifier].
func (n *NearestMean) Scores(dst []float64, query *embed.Set) ([]float64, error) {
	dst = dst[:0]
	for _, mean := range n.means {
		var distance float64
		for i, v := range query.Data {
			distance += (float64(v) - mean[i]) * (float64(v) - mean[i])
		}
		dst = append(dst, -distance)
	}
	return dst, nil
}
