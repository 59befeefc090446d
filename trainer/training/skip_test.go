package training

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/augment"
	"github.com/deepemd/deepemd/internal/cluster"
	"github.com/deepemd/deepemd/internal/mediatest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/trainer/data"
	"github.com/deepemd/deepemd/trainer/internal/learn"
)

// damage makes images unreadable, and returns a function that repairs them.
func damage(t *testing.T, dir string, names ...string) (mend func()) {
	t.Helper()
	held := map[string][]byte{}
	for _, name := range names {
		path := filepath.Join(dir, filepath.FromSlash(name))
		raw := require.Value(os.ReadFile(path))(t)
		held[path] = raw
		require.NoError(t, os.WriteFile(path, raw[:len(raw)/2], 0o644))
	}
	return func() {
		for path, raw := range held {
			require.NoError(t, os.WriteFile(path, raw, 0o644))
		}
	}
}

// TestDamagedPicturesArePassedOver trains on a folder with damaged pictures: each
// is logged once, and a run that was stopped ends with the weights of one that was
// not, even where the pictures were mended in between.
func TestDamagedPicturesArePassedOver(t *testing.T) {
	images := mediatest.Folder(t, 3, 10)
	mend := damage(t, images, "class0/3.png", "class2/9.png")
	train := func(dir string, stop int) ([]string, error) {
		s := settings()
		s.Stages = []learn.Stage{{Epochs: 3, Size: 16, Batch: 10}}
		set, err := data.OpenSplit(images, "")
		require.NoError(t, err)
		defer set.Close()
		source, err := learn.NewPictures(set, set.Classes(), s, augment.Policy{})
		require.NoError(t, err)
		tr := trainer(t, dir, stripes{classes: 3})
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		var notes []string
		tr.Settings, tr.Source, tr.Pictures = &s.Settings, source, set
		tr.Watch.Note = func(text string) { notes = append(notes, text) }
		tr.Watch.Step = func(_ Record, step, _ int) {
			if step == stop {
				cancel()
			}
		}
		err = tr.Run(ctx, true)
		var skipped []string
		for _, r := range tr.Skipped() {
			skipped = append(skipped, r.Skipped)
			if r.Reason == "" {
				t.Errorf("%s was skipped for no reason", r.Skipped)
			}
		}
		for _, note := range notes {
			if !strings.Contains(note, "passed over") {
				t.Errorf("a note: %s", note)
			}
		}
		return skipped, err
	}

	whole, stopped := t.TempDir(), t.TempDir()
	skipped, err := train(whole, -1)
	if err != nil || strings.Join(skipped, " ") != "class0/3.png class2/9.png" {
		t.Fatalf("passed over were %v, %v", skipped, err)
	}
	if _, err := train(stopped, 4); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	mend()
	skipped, err = train(stopped, -1)
	if err != nil || len(skipped) != 2 {
		t.Fatalf("continued, passed over were %v, %v", skipped, err)
	}
	sameRuns(t, "stopped", whole, stopped)
	records, err := readRecords(filepath.Join(stopped, LogFile))
	require.NoError(t, err)
	times := map[string]int{}
	for _, r := range records {
		if r.Skipped != "" {
			times[r.Skipped]++
		}
	}
	if len(times) != 2 || times["class0/3.png"] != 1 || times["class2/9.png"] != 1 {
		t.Errorf("the log tells of %v", times)
	}
}

// A damaged image of the validation ends an epoch with an error on all ranks, and the epoch is saved.
func TestDamagedValidation(t *testing.T) {
	source := stripes{classes: 3, steps: 5, spoil: -1}
	for _, ranks := range []int{1, 2} {
		whole, dir := t.TempDir(), t.TempDir()
		// run trains with all ranks, and returns the errors and the first step.
		run := func(dir string, validate Validate, resume bool) (errs []error, first int) {
			errs = make([]error, ranks)
			var all sync.WaitGroup
			for rank, g := range cluster.InProcess(ranks) {
				tr := trainer(t, dir, source)
				tr.Group, tr.Validate = g, validate
				if rank == 0 {
					tr.Watch.Step = func(_ Record, step, _ int) { first = min(cmp.Or(first, step), step) }
				}
				all.Go(func() { errs[rank] = tr.Run(t.Context(), resume) })
			}
			all.Wait()
			return errs, first
		}
		errs, _ := run(whole, nil, false)
		require.NoError(t, errors.Join(errs...))
		errs, _ = run(dir, func(context.Context, *weights.File) (float64, float64, error) {
			return 0, 0, &data.Damaged{Set: "pictures", Name: "owl/1.png", Err: errors.New("cut off")}
		}, false)
		for rank, err := range errs {
			if !errors.As(err, new(*data.Damaged)) {
				t.Fatalf("rank %d of %d: %v", rank, ranks, err)
			}
		}
		errs, first := run(dir, nil, true)
		require.NoError(t, errors.Join(errs...))
		if first != 6 {
			t.Errorf("%d ranks: the run went on at step %d, want 6", ranks, first)
		}
		sameRuns(t, "resumed", whole, dir)
	}
}

// TestPlaceThatNoRunIsAt rejects intact checkpoints with an impossible position, for example from a
// run with another number of batches.
func TestPlaceThatNoRunIsAt(t *testing.T) {
	dir, source := t.TempDir(), stripes{classes: 3, steps: 2, spoil: -1}
	require.NoError(t, trainer(t, dir, source).Run(context.Background(), false))
	path := filepath.Join(dir, CheckpointFile)
	whole := require.Value(os.ReadFile(path))(t)
	for _, number := range []string{`"step":-5`, `"step":9000000000000000000`, `"step":5`, `"epochs":-1`, `"epochs":9000000000000000000`, `"milliseconds":-1`, `"best":-9`} {
		name, _, _ := strings.Cut(number, ":")
		changed := regexp.MustCompile(name+`:\d+`).ReplaceAll(bytes.Clone(whole[:len(whole)-4]), []byte(number))
		require.NoError(t, os.WriteFile(path, binary.LittleEndian.AppendUint32(changed, crc32.ChecksumIEEE(changed)), 0o644))
		if err := trainer(t, dir, source).Run(context.Background(), true); err == nil || !strings.Contains(err.Error(), "different settings") {
			t.Errorf("a checkpoint with %s gives %v", number, err)
		}
	}
	require.NoError(t, os.WriteFile(path, whole, 0o644))
	if err := trainer(t, dir, stripes{classes: 3, steps: 4, spoil: -1}).Run(context.Background(), true); err == nil || !strings.Contains(err.Error(), "different settings") {
		t.Errorf("a checkpoint of a run with half the batches gives %v", err)
	}
	if err := trainer(t, dir, source).Run(context.Background(), true); err != nil {
		t.Errorf("the whole one gives %v", err)
	}
}
