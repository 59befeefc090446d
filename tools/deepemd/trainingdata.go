package main

import (
	"context"
	"fmt"
	"io"

	"deepemd/core/embed"
	"deepemd/core/fewshot"
	"deepemd/core/imaging"
	"deepemd/core/resnet"
	"deepemd/core/weights"
	"deepemd/trainer/data"
	"deepemd/trainer/evaluate"
	"deepemd/trainer/loop"
)

// pictureSource is the part of a recipe's settings that says what to learn from.
type pictureSource struct {
	Data  string `toml:"data"`
	Split string `toml:"split"` // empty for the one that comes with the data, if any
}

// decodedLimit is how many bytes of decoded pictures are kept in memory.
const decodedLimit = 4 << 30

// trainingClasses opens the data and returns the classes to train on, and how a
// network is validated on those of the split that are for it. What was found of
// the data is told on stderr.
func trainingClasses(stderr io.Writer, source pictureSource, s *loop.Settings) (set *data.Set, classes []string, validate loop.Validate, err error) {
	if set, err = data.OpenSplit(source.Data, source.Split); err != nil {
		return nil, nil, nil, err
	}
	defer func() {
		if err != nil {
			set.Close()
		}
	}()
	set.KeepDecoded(decodedLimit)
	validate = func(context.Context, *weights.File) (float64, float64, error) { return 0, 0, nil }
	split := set.Split()
	if split == nil {
		fmt.Fprintf(stderr, "%s: %s; no split: all %d classes train, and no network is validated\n", set.Name(), set.Form(), len(set.Classes()))
		return set, set.Classes(), validate, nil
	}
	fmt.Fprintf(stderr, "%s: %s; %v\n", set.Name(), set.Form(), split)
	if classes, err = split.Subset("train"); err != nil {
		return nil, nil, nil, err
	}
	if len(split.Val) == 0 {
		fmt.Fprintln(stderr, "no validation classes: no network is validated")
		return set, classes, validate, nil
	}
	validate, err = validation(set, split.Val, s)
	return set, classes, validate, err
}

// validation measures by 5-way 1-shot episodes with DeepEMD-FCN, the same ones
// every time.
func validation(set *data.Set, classes []string, s *loop.Settings) (loop.Validate, error) {
	const way, shot, query = 5, 1, 15
	sampler, err := data.NewSampler(set, classes, way, shot, query, s.Seed)
	if err != nil {
		return nil, err
	}
	var episodes []data.Episode
	var names []string
	for i := range s.ValidationEpisodes {
		e := sampler.Episode(i)
		episodes = append(episodes, e)
		names = append(append(names, e.Support...), e.Query...)
	}
	return func(ctx context.Context, f *weights.File) (float64, float64, error) {
		net, err := resnet.New(f, resnet.Options{Threads: s.Threads})
		if err != nil {
			return 0, 0, err
		}
		features, err := evaluate.Extract(ctx, names, set.Image, evaluate.Extraction{
			Encoder: net, FCN: embed.FCN{}, Threads: s.Threads,
			Preprocess: imaging.Preprocess{Size: f.Meta.InputSize, Mean: f.Meta.Mean, Std: f.Meta.Std},
		})
		if err != nil {
			return 0, 0, err
		}
		result, err := evaluate.Run(ctx, features, episodes, evaluate.Config{
			Way: way, Threads: s.Threads,
			Classifier: func() fewshot.Classifier { return &fewshot.Prototype{} },
		})
		if err != nil {
			return 0, 0, err
		}
		return result.Mean, result.Interval, nil
	}, nil
}
