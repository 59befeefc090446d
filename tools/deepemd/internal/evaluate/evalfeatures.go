package evaluate

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/deepemd/deepemd/tools/deepemd/internal/flags"
	"github.com/deepemd/deepemd/tools/deepemd/internal/verb"
	"github.com/deepemd/deepemd/trainer/evaluate"
)

// evalFeatures is eval with features that lie in a file.
func evalFeatures(ctx context.Context, stdout, stderr io.Writer, o evalOptions, classifiers []flags.Chosen, given func(flag string) bool) error {
	for _, flag := range []string{"data", "weights", "mean", "std", "size", "resize", "embedder", "pyramid", "grid", "ratio", "patches", "patch-seed", "disturb"} {
		if given(flag) {
			return fmt.Errorf("--%s does not go with --features, which no picture or network has a part in: leave one of them out", flag)
		}
	}
	stored, set, about, err := evaluate.ReadFeatures(o.features, o.episodes.split)
	if err != nil {
		return err
	}
	defer set.Close()
	list, err := o.episodes.list(set, given)
	if err != nil {
		return err
	}
	if err := o.drawUnknown(set, list, classifiers, given); err != nil {
		return err
	}
	// A list of episodes may come from another copy of the pictures.
	features := evaluate.Features{}
	for _, name := range list.names() {
		picture, err := set.Find(name)
		if err != nil {
			return err
		}
		features[name] = stored[picture.Name]
	}
	if o.unknown {
		return o.evalUnknown(ctx, stdout, stderr, features, nil, list, classifiers[0], filepath.Base(o.features))
	}
	start := time.Now()
	results, methods, err := o.classify(ctx, stderr, features, list, classifiers)
	if err != nil {
		return verb.Interrupted(err)
	}
	outcome, err := o.outcome(list, features, results[0], classifiers[0].Method, methods)
	if err != nil {
		return err
	}
	if outcome.Rivals, err = o.measureRivals(ctx, stderr, features, list, classifiers, results); err != nil {
		return verb.Interrupted(err)
	}
	outcome.Features, outcome.Data = filepath.Base(o.features), about.Data
	outcome.Network, outcome.Size, outcome.Resize, outcome.Embedding = about.Network, about.Size, about.Resize, about.Embedding
	if outcome.Data == "" {
		outcome.Data = outcome.Features
	}
	outcome.Pictures, outcome.MatchS = len(features), time.Since(start).Seconds()
	return outcome.write(stdout, o.json)
}
