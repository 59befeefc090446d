package evaluate

import (
	"context"
	"fmt"
	"io"

	"github.com/deepemd/deepemd/tools/deepemd/internal/verb"
	"github.com/deepemd/deepemd/trainer/data"
	"github.com/deepemd/deepemd/trainer/evaluate"
)

// soundBaselines measures what can be told of recordings without any network.
func soundBaselines(ctx context.Context, stderr io.Writer, set *data.Set, list *episodeList, threads int) ([]evaluate.Baseline, error) {
	return evaluate.SoundBaselines(ctx, list.names(), set.Image, list.episodes, list.way, threads,
		func(what string, work func(evaluate.Progress) error) error {
			return verb.WithProgress(stderr, what, work)
		})
}

// printBaselines writes them beneath the network's accuracy.
func printBaselines(w io.Writer, baselines []evaluate.Baseline) error {
	for _, b := range baselines {
		if _, err := fmt.Fprintf(w, "%s, no network: %.2f%% ± %.2f%%\n", b.Name, 100*b.Accuracy, 100*b.Interval); err != nil {
			return err
		}
	}
	return nil
}
