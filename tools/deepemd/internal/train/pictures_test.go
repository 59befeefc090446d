package train

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/bombs"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/tools/deepemd/internal/cmdtest"
	"github.com/deepemd/deepemd/trainer"
	"github.com/deepemd/deepemd/trainer/training"
)

// pretrainTiny runs pre-training of a tiny network for a few steps.
func pretrainTiny(args ...string) (string, error) {
	return cmdtest.Run(append([]string{"train", "pretrain", "--set", "widths=[4,4,4,4]", "--set", "stages=[{epochs=2,size=16,batch=4}]",
		"--set", "average=0", "--set", "rotation_weight=0", "--set", "validation_episodes=3"}, args...)...)
}

// listedPictures returns a folder in miniImageNet's form: images in one folder, and
// lists of train and test classes.
func listedPictures(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	lists := map[string]string{"train.csv": "filename,label\n", "test.csv": "filename,label\n"}
	for class, name := range cmdtest.ClassNames {
		list := "train.csv"
		if class == 2 {
			list = "test.csv"
		}
		for n := range 6 {
			file := name + string('0'+rune(n)) + ".png"
			cmdtest.Picture(t, filepath.Join(dir, "images", file), class, n)
			lists[list] += file + "," + name + "\n"
		}
	}
	for name, text := range lists {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	return dir
}

func TestTrainOnListedPictures(t *testing.T) {
	dir, out := listedPictures(t), filepath.Join(t.TempDir(), "run")
	require.Value(pretrainTiny("--data", dir, "--out", out, "--set", "max_side=20"))(t)
	saved := require.Value(os.ReadFile(filepath.Join(out, settingsFile)))(t)
	if !strings.Contains(string(saved), "max_side = 20") {
		t.Errorf("the saved settings lack max_side = 20:\n%s", saved)
	}
	cmdtest.Prints(t, "train classes (train.csv", "eval", "--data", dir, "--split", filepath.Join(dir, "train.csv"), "--set", "train", "--way", "2", "--query", "2", "--episodes", "4")
}

func TestTrainOnDamagedPictures(t *testing.T) {
	dir, out := cmdtest.Pictures(t, 5), filepath.Join(t.TempDir(), "run")
	broken := filepath.Join(dir, "along", "2.png")
	require.NoError(t, os.Truncate(broken, 30))
	_, err := pretrainTiny("--data", dir, "--out", out)
	if err == nil || !strings.Contains(err.Error(), "along/2.png") || !strings.Contains(err.Error(), `--set corrupt=skip`) || !strings.Contains(err.Error(), "--resume") {
		t.Fatalf("a damaged picture gives %v", err)
	}
	cmdtest.Prints(t, "Unreadable images that were replaced: 1\n  along/2.png: ", "train", "pretrain", "--resume", "--out", out, "--set", `corrupt=skip`)
	told := 0
	for _, r := range cmdtest.Log(t, out) {
		if r.Skipped == "along/2.png" {
			told++
		}
	}
	if told != 1 {
		t.Errorf("the log tells of it %d times", told)
	}
	for set, want := range map[string]string{`corrupt="ignore"`: "want stop or skip", "max_side=-1": "max_side"} {
		if _, err := pretrainTiny("--data", dir, "--out", filepath.Join(t.TempDir(), "run"), "--set", set); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s gives %v", set, err)
		}
	}
}

// TestSettingsOutOfBounds rejects settings that exceed the memory or time of any machine before
// reading images, and states the needed amount.
func TestSettingsOutOfBounds(t *testing.T) {
	dir, out, net := cmdtest.Pictures(t, 4), filepath.Join(t.TempDir(), "out"), cmdtest.Weights(t, nil)
	const huge = "9000000000000000000"
	small := []string{"--set", "widths=[4,4,4,4]", "--set", "stages=[{epochs=1,size=16,batch=4}]"}
	for _, c := range []struct {
		kind, set string
		want      []string
	}{
		{"pretrain", "widths=[1000000,1000000,1000000,1000000]", []string{"widths [1000000 ", "8192", "TB of memory"}},
		{"pretrain", "widths=[" + huge + ",4,4,4]", []string{"widths [" + huge, "more than 1000 TB of memory"}},
		{"pretrain", "widths=[8192,8192,8192,8192]", []string{"widths [8192 ", "GB of memory"}},
		{"pretrain", "stages=[{epochs=1,size=100000,batch=4}]", []string{"images of 100000 pixels", "1024", "120.0 GB of memory"}},
		{"pretrain", "stages=[{epochs=1,size=" + huge + ",batch=4}]", []string{huge + " pixels", "more than 1000 TB of memory"}},
		{"pretrain", "stages=[{epochs=1,size=16,batch=" + huge + "}]", []string{"batch of " + huge, "more than 1000 TB of memory"}},
		{"pretrain", "stages=[{epochs=" + huge + ",size=16,batch=4}]", []string{huge + " epochs", "1000000 at most"}},
		{"pretrain", "max_side=" + huge, []string{"max_side", "65536"}},
		{"pretrain", "validation_episodes=" + huge, []string{"validation_episodes", "100000"}},
		{"pretrain", "warm_up=" + huge, []string{"warm_up"}},
		{"pretrain", "threads=" + huge, []string{"threads"}},
		{"pretrain", "seed=-1", []string{"seed is -1", "from 0"}}, // --resume could not read it
		{"pretrain", "std=[nan,1.0,1.0]", []string{"std NaN,1,1", "above 0"}},
		{"pretrain", "mean=[nan,1.0,1.0]", []string{"mean NaN,1,1", "from 0 to 1"}},
		{"meta", "way=" + huge, []string{"way"}},
		{"meta", "query=1000", []string{"way 1000 with query 1000", "1000000 at most"}},
		{"meta", "episodes=" + huge, []string{"episodes"}},
		{"meta", "pyramid=[" + huge + "]", []string{"pyramid level"}},
		{"meta", "grid=[100000]", []string{"100000×100000 cells"}},
		{"meta", "patches=" + huge, []string{"patches"}},
		{"meta", "stages=[{epochs=1,size=100000}]", []string{"120.0 GB of memory"}},
		{"meta", "stages=[{epochs=1,size=32,batch=4}]", []string{"batch of 4", "way·(shot + query)·meta_batch = 80 images", "remove batch"}},
	} {
		args := append([]string{"train", c.kind, "--data", dir, "--out", out}, "--set", c.set)
		switch {
		case c.kind == "pretrain":
			args = append(append([]string{"train", c.kind, "--data", dir, "--out", out}, small...), "--set", c.set)
		case strings.HasPrefix(c.set, "query"):
			args = append(args, "--init", net, "--set", "way=1000")
		case strings.HasPrefix(c.set, "grid"):
			args = append(args, "--init", net, "--set", `embedder="grid"`)
		case strings.HasPrefix(c.set, "patches"):
			args = append(args, "--init", net, "--set", `embedder="sampling"`)
		default:
			args = append(args, "--init", net)
		}
		_, err := cmdtest.Run(args...)
		if err == nil {
			t.Errorf("%s with %s gives no error", c.kind, c.set)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "internal error") {
				t.Errorf("%s with %s: error %v, want one that says %q", c.kind, c.set, err, want)
			}
		}
	}
}

// FuzzSettings reads settings of any text. Settings that pass the check are within bounds, and do
// not change if they are written and read again, as for a resumed run.
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
				checkStage(t, s.Epochs, s.Size, 2)
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
func writeAgain(t *testing.T, settings any, again settings) {
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
