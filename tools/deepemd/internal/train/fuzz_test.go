package train

import (
	"bytes"
	"errors"
	"reflect"
	"testing"

	"github.com/BurntSushi/toml"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/bombs"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/trainer"

	"github.com/deepemd/deepemd/trainer/training"
)

// FuzzSettings reads settings of any text. What their check approves of is within
// bounds, and is the same when it is written and read again, as a run that goes on does.
func FuzzSettings(f *testing.F) {
	for _, kind := range []string{trainer.Pretrain, trainer.Meta} {
		for _, name := range trainer.Recipes(kind) {
			raw := require.Value(trainer.ReadRecipe(kind, name))(f)
			f.Add(raw)
		}
	}
	for _, text := range []string{
		"", "widths = [1000000, 64, 64, 64]", "widths = []", "stages = []", "stages = [{epochs=9000000000000000000, size=32, batch=64}]",
		"stages = [{epochs=1, size=100000, batch=-3}]", "rate = nan", "std = [nan, 1.0, 1.0]", "rate = inf", "seed = -1", "way = 9000000000000000000",
		"query = 1000\nway = 1000\nstages = [{epochs=1, size=32, batch=64}]", "embedder = \"grid\"\ngrid = [100000]", "embedder = \"sampling\"\npatches = 9000000000000000000",
		"pyramid = [-1]", "speed = 3", "stages = 3", "augment.pad = 2.0", "name = \"\\u0000\"", "stages = [{epochs=1, size=32, batch=64}]\nstages = []", "[[stages]]\nepochs = 1",
		"grid = 9000000000000000000", "grid = -1",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		first, again := training.NewPretrain(), training.NewPretrain()
		var err error
		// A line of TOML goes through some trees.
		bombs.Budget(t, 8<<20, 1<<14, len(raw), func() {
			if err = decodeSettings("fuzz", raw, first); err == nil {
				err = errors.Join(first.Check(), first.Augment.Check())
			}
		})
		if err == nil {
			for _, w := range first.Widths {
				if len(first.Widths) != backbone.Blocks || w < 1 || w > weights.MaxWidth {
					t.Errorf("widths %v are approved of", first.Widths)
				}
			}
			for _, s := range first.Stages {
				checkStage(t, s.Epochs, s.Size, s.Batch)
			}
			writeAgain(t, first, again)
		}
		meta, metaAgain := training.NewMeta(), training.NewMeta()
		bombs.Budget(t, 8<<20, 1<<14, len(raw), func() {
			if err = decodeSettings("fuzz", raw, meta); err == nil {
				err = errors.Join(meta.Check(), meta.Augment.Check())
			}
		})
		if err == nil {
			if n := meta.TogetherInputs(); n < 1 || n > 1000*2000*1024 {
				t.Errorf("%d inputs are approved of", n)
			}
			for _, s := range meta.Stages {
				checkStage(t, s.Epochs, s.Size, s.Batch)
			}
			writeAgain(t, meta, metaAgain)
		}
	})
}

// checkStage fails for a stage that no machine could take.
func checkStage(t *testing.T, epochs, size, batch int) {
	if epochs < 1 || epochs > 1e6 || size < backbone.MinSize || size > weights.MaxInputSize || batch < 2 || batch > 1<<16 {
		t.Errorf("%d epochs of batches of %d pictures of %d pixels are approved of", epochs, batch, size)
	}
}

// writeAgain writes settings and reads them over the defaults, again.
func writeAgain(t *testing.T, settings, again any) {
	var out bytes.Buffer
	if err := toml.NewEncoder(&out).Encode(settings); err != nil {
		t.Fatalf("%+v cannot be written: %v", settings, err)
	}
	if err := decodeSettings("again", out.Bytes(), again); err != nil {
		t.Fatalf("what was written cannot be read: %v\n%s", err, out.Bytes())
	}
	var twice bytes.Buffer
	if err := toml.NewEncoder(&twice).Encode(again); err != nil || !bytes.Equal(out.Bytes(), twice.Bytes()) || reflect.TypeOf(again) != reflect.TypeOf(settings) {
		t.Errorf("written\n%s\nand read and written again\n%s, %v", out.Bytes(), twice.Bytes(), err)
	}
}
