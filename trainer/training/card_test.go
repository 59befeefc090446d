package training

import (
	"context"
	"errors"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/trainer/internal/backbone"
	"github.com/deepemd/deepemd/trainer/internal/cuda"
	"github.com/deepemd/deepemd/trainer/internal/device"
	"github.com/deepemd/deepemd/trainer/internal/learn"
)

// onCard returns a trainer like trainer, on a card. It skips the test without one.
func onCard(t *testing.T, dir string, source stripes, change ...func(s *learn.ClassifySettings)) *Trainer {
	t.Helper()
	tr, s := trainer(t, dir, source, change...), settings()
	for _, c := range change {
		c(s)
	}
	card, err := cuda.Open(0, s.Precision != device.Float32)
	if err != nil {
		t.Skipf("no card to test on: %v", err)
	}
	t.Cleanup(func() { _ = card.Close() })
	net := require.Value(s.Plan.Build(s.Seed, backbone.Options{Threads: 2, Device: card}))(t)
	tr.Learner = learn.NewClassifier(s, net, source.classes)
	return tr
}

// losses returns the logged losses of a run.
func losses(t *testing.T, dir string) (all []float64) {
	t.Helper()
	for _, r := range require.Value(readRecords(filepath.Join(dir, LogFile)))(t) {
		if r.Loss > 0 {
			all = append(all, r.Loss)
		}
	}
	return all
}

// TestCardLearnsTheSame compares 200 steps on a card and on the processor from the same start: the
// losses at the end differ less than those of the processor with other random weights. A run that
// begins on one continues on the other.
func TestCardLearnsTheSame(t *testing.T) {
	source := stripes{classes: 6, steps: 200, spoil: -1}
	change := func(s *learn.ClassifySettings) {
		s.Stages, s.Precision = []learn.Stage{{Epochs: 1, Size: 32, Batch: 16}}, device.Float32
	}
	final := func(tr *Trainer, resume bool) float64 {
		require.NoError(t, tr.Run(context.Background(), resume))
		sum, last := 0.0, losses(t, tr.Dir)
		last = last[len(last)-4:]
		for _, l := range last {
			sum += l / 4
		}
		return sum
	}
	card := final(onCard(t, t.TempDir(), source, change), false)
	processor := final(trainer(t, t.TempDir(), source, change), false)
	spread := 0.0
	for seed := uint64(2); seed < 5; seed++ {
		other := final(trainer(t, t.TempDir(), source, change, func(s *learn.ClassifySettings) { s.Seed = seed }), false)
		spread = max(spread, math.Abs(other-processor))
	}
	t.Logf("the loss ends at %.4f on the card, %.4f on the processor, and differs by %.4f with other weights", card, processor, spread)
	if !(math.Abs(card-processor) <= spread) {
		t.Errorf("the loss ends at %.4f on the card and %.4f on the processor, want less than %.4f between them", card, processor, spread)
	}
	for _, c := range []struct {
		name         string
		first, other func(*testing.T, string, stripes, ...func(*learn.ClassifySettings)) *Trainer
	}{{"from the card", onCard, trainer}, {"from the processor", trainer, onCard}} {
		dir := t.TempDir()
		ctx, stop := context.WithCancel(context.Background())
		tr := c.first(t, dir, source, change)
		tr.Watch.Step = func(_ Record, step, _ int) {
			if step == 100 {
				stop()
			}
		}
		if err := tr.Run(ctx, false); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		if loss := final(c.other(t, dir, source, change), true); !(math.Abs(loss-processor) <= spread) {
			t.Errorf("%s: the loss ends at %.4f, want %.4f with less than %.4f between them", c.name, loss, processor, spread)
		}
	}
}

// TestCardIsFull: the error for a batch that does not fit names one that does.
func TestCardIsFull(t *testing.T) {
	tr := onCard(t, t.TempDir(), stripes{classes: 3, steps: 1, spoil: -1}, func(s *learn.ClassifySettings) {
		s.Stages = []learn.Stage{{Epochs: 1, Size: 16, Batch: 4}}
	})
	memory := tr.resident().Memory()
	batch := int(memory / (16 * 16 * 16 * 8 * 2)) // the first block's maps alone
	if batch > 1<<20 {
		t.Skipf("%d images fit into the card", batch)
	}
	tr.Settings.Stages[0].Batch = batch
	if err := tr.Run(context.Background(), false); err == nil || !strings.Contains(err.Error(), "images of 16 pixels at once do not fit") {
		t.Errorf("%d images: %v", batch, err)
	}
}
