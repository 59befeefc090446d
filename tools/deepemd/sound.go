package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/spf13/pflag"

	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/core/hearing"
	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/network/resnet12sound"
	"github.com/deepemd/deepemd/core/sound"
	"github.com/deepemd/deepemd/trainer/data"
	"github.com/deepemd/deepemd/trainer/measure/evaluate"
)

// defaultSoundWeights is the project's own network for spectrograms, in its checkout.
const defaultSoundWeights = "core/network/resnet12sound/" + resnet12sound.File

// registerSound adds the flag that says that recordings are meant.
func (f *networkFlags) registerSound(flags *pflag.FlagSet) {
	flags.BoolVar(&f.sound, "sound", false, "recordings (MP3, WAV) instead of pictures, by the network for sound: "+defaultSoundWeights)
}

// allRecordings reports whether all files are recordings.
func allRecordings(paths []string) bool {
	for _, path := range paths {
		raw, err := os.ReadFile(path)
		if err != nil || !sound.Sniff(raw) {
			return false
		}
	}
	return true
}

// read reads and decodes a picture, or with --sound a recording.
//
// It returns an error for the other of the two, too: the network would know nothing of it.
func (e *encoder) read(path string) (*imaging.Image, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, readable(err)
	}
	var picture *imaging.Image
	switch {
	case e.sound:
		picture, err = hearing.Picture(raw)
	case sound.Sniff(raw):
		return nil, fmt.Errorf("%s is a recording: add --sound to compare recordings", path)
	default:
		picture, err = imaging.Decode(raw)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return picture, nil
}

// baseline is what can be told without any network.
type baseline struct {
	Name     string  `json:"name"`
	Accuracy float64 `json:"accuracy"`
	Interval float64 `json:"interval95"`
}

// soundBaselines measures what can be told of recordings without any network: on the same
// episodes, the class whose mean spectrum, and whose mean spectrogram, is the nearest.
func soundBaselines(ctx context.Context, stderr io.Writer, set *data.Set, list *episodeList, threads int) ([]baseline, error) {
	var all []baseline
	for _, plain := range []struct {
		name     string
		features func([]string, evaluate.Reader) (evaluate.Features, error)
	}{
		{"nearest mean spectrum", evaluate.MeanSpectra}, {"nearest mean spectrogram", evaluate.Spectrograms},
	} {
		features, err := plain.features(list.names(), set.Image)
		if err != nil {
			return nil, err
		}
		var result *evaluate.Result
		err = withProgress(stderr, plain.name+": episodes", func(progress evaluate.Progress) (err error) {
			result, err = evaluate.Run(ctx, features, list.episodes, evaluate.Config{
				Way: list.way, Threads: threads, Progress: progress,
				Classifier: func() fewshot.Classifier { return &evaluate.NearestMean{} },
			})
			return err
		})
		if err != nil {
			return nil, err
		}
		all = append(all, baseline{plain.name, result.Mean, result.Interval})
	}
	return all, nil
}

// printBaselines writes them beneath the network's accuracy.
func printBaselines(w io.Writer, baselines []baseline) error {
	for _, b := range baselines {
		if _, err := fmt.Fprintf(w, "%s, no network: %.2f%% ± %.2f%%\n", b.Name, 100*b.Accuracy, 100*b.Interval); err != nil {
			return err
		}
	}
	return nil
}
