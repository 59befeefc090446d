package pretrain

import (
	"bytes"
	"context"
	"errors"
	"path/filepath"
	"testing"

	"github.com/deepemd/deepemd/trainer/training"
	"github.com/deepemd/deepemd/trainer/training/runfolder"
)

// architectures are settings of networks that are no ResNet-12, each with what suits it.
var architectures = map[string]func(s *Settings){
	"resnet": func(s *Settings) {
		s.Arch, s.Widths, s.Blocks, s.Grid = "resnet", []int{16, 16, 32, 32}, []int{1, 2, 1, 1}, 1
		s.Stages = []training.Stage{{Epochs: 2, Size: 32, Batch: 12}, {Epochs: 1, Size: 48, Batch: 8}}
	},
	"vit": func(s *Settings) {
		s.Arch, s.Widths, s.Depth, s.Heads, s.Patch, s.Places, s.Registers, s.LayerScale, s.Grid = "vit", []int{32}, 2, 2, 8, 4, 1, 0.1, 3
		s.Stages = []training.Stage{{Epochs: 2, Size: 16, Batch: 12}, {Epochs: 1, Size: 32, Batch: 8}}
		s.Optimizer, s.Rate, s.WeightDecay, s.Clip = training.AdamW, 5e-3, 0.05, 1
	},
}

// TestArchitecturesLearn: other networks learn from random weights, too, and what they
// come to is read by inference.
func TestArchitecturesLearn(t *testing.T) {
	for name, settle := range architectures {
		dir := t.TempDir()
		tr := trainer(t, dir, stripes{classes: 4, steps: 60, spoil: -1}, settle, func(s *Settings) { s.Dropout = 0 })
		if err := tr.Run(context.Background(), false); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		records, err := runfolder.ReadLog(filepath.Join(dir, training.LogFile))
		if err != nil {
			t.Fatal(err)
		}
		accuracy := 0.0
		for _, r := range records {
			if r.Loss > 0 {
				accuracy = r.Accuracy
			}
		}
		if accuracy < 0.7 {
			t.Errorf("%s: the accuracy ends at %g", name, accuracy)
		}
		if f := read(t, filepath.Join(dir, training.LastFile)); f.Meta.Arch != name || f.Meta.Extra["grid"] == "" {
			t.Errorf("%s: the file says %+v", name, f.Meta)
		}
	}
}

// TestArchitecturesResume: a run that was stopped comes to the same weights, to the bit,
// with AdamW's moments in its checkpoint.
func TestArchitecturesResume(t *testing.T) {
	source := stripes{classes: 3, steps: 4, spoil: -1}
	for name, settle := range architectures {
		whole, stopped := t.TempDir(), t.TempDir()
		if err := trainer(t, whole, source, settle).Run(context.Background(), false); err != nil {
			t.Fatal(err)
		}
		for _, stop := range []int{3, 8} {
			ctx, cancel := context.WithCancel(context.Background())
			tr := trainer(t, stopped, source, settle)
			tr.Watch.Step = func(_ runfolder.Record, step, _ int) {
				if step == stop {
					cancel()
				}
			}
			if err := tr.Run(ctx, true); !errors.Is(err, context.Canceled) {
				t.Fatalf("%s, stopped at step %d: %v", name, stop, err)
			}
		}
		if err := trainer(t, stopped, source, settle).Run(context.Background(), true); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(checkpointValues(t, whole), checkpointValues(t, stopped)) {
			t.Errorf("%s: the checkpoints hold other values", name)
		}
	}
}
