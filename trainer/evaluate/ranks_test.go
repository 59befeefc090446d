package evaluate_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/internal/require"

	"github.com/deepemd/deepemd/internal/cluster"
	"github.com/deepemd/deepemd/trainer/data"
	"github.com/deepemd/deepemd/trainer/evaluate"
)

// together runs work as every rank of a group inside this process, and returns the errors.
func together(ctx context.Context, size int, work func(ctx context.Context, rank int) error) []error {
	errs := make([]error, size)
	var wait sync.WaitGroup
	for rank, g := range cluster.InProcess(size) {
		wait.Go(func() { errs[rank] = work(cluster.With(ctx, g), rank) })
	}
	wait.Wait()
	return errs
}

// TestRanksExtract: ranks read every picture once between them, and all have all features.
func TestRanksExtract(t *testing.T) {
	var names []string
	for i := range 150 {
		names = append(names, fmt.Sprint(i))
	}
	var alone, shared atomic.Int32
	x := evaluate.Extraction{Encoder: corner{}, Preprocess: plain, Threads: 1}
	want := require.Value(evaluate.Extract(t.Context(), names, numbered(&alone), x))(t)
	for _, err := range together(t.Context(), 4, func(ctx context.Context, rank int) error {
		got, err := evaluate.Extract(ctx, names, numbered(&shared), x)
		if err == nil && !reflect.DeepEqual(got, want) {
			err = fmt.Errorf("rank %d has other features", rank)
		}
		return err
	}) {
		if err != nil {
			t.Error(err)
		}
	}
	if shared.Load() != alone.Load() {
		t.Errorf("%d pictures were read, want %d", shared.Load(), alone.Load())
	}
}

// TestRanksMeetDamage: all ranks know the picture that one of them cannot read.
func TestRanksMeetDamage(t *testing.T) {
	read := func(name string) (*imaging.Image, error) {
		if name == "7" {
			return nil, &data.Damaged{Set: "numbers", Name: name, Err: errors.New("torn")}
		}
		return numbered(new(atomic.Int32))(name)
	}
	for rank, err := range together(t.Context(), 3, func(ctx context.Context, _ int) error {
		_, err := evaluate.Extract(ctx, []string{"1", "2", "3", "7"}, read, evaluate.Extraction{Encoder: corner{}, Preprocess: plain})
		return err
	}) {
		var damaged *data.Damaged
		if !errors.As(err, &damaged) || damaged.Name != "7" {
			t.Errorf("rank %d: %v", rank, err)
		}
	}
}

// TestRanksRun: ranks classify as one process does, to the last digit.
func TestRanksRun(t *testing.T) {
	features, episodes := randomFeatures(5, 6), randomEpisodes(11)
	config := evaluate.Config{Way: 3, Classifier: prototypes, Threads: 2}
	want := require.Value(evaluate.Run(t.Context(), features, episodes, config))(t)
	for _, err := range together(t.Context(), 3, func(ctx context.Context, rank int) error {
		got, err := evaluate.Run(ctx, features, episodes, config)
		if err != nil {
			return err
		}
		if !reflect.DeepEqual(got.Logits, want.Logits) || got.Mean != want.Mean || got.Interval != want.Interval || got.Scoring <= 0 {
			return fmt.Errorf("rank %d: %g ± %g, want %g ± %g", rank, got.Mean, got.Interval, want.Mean, want.Interval)
		}
		return nil
	}) {
		if err != nil {
			t.Error(err)
		}
	}
}
