package train

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/tools/deepemd/internal/cmdtest"

	"github.com/deepemd/deepemd/trainer/training"
)

// pretrainTiny runs pre-training of a tiny network for a few steps.
func pretrainTiny(args ...string) (string, error) {
	return cmdtest.Run(append([]string{"train", "pretrain", "--set", "widths=[4,4,4,4]", "--set", "stages=[{epochs=2,size=16,batch=4}]",
		"--set", "average=0", "--set", "rotation_weight=0", "--set", "validation_episodes=3"}, args...)...)
}

// listedPictures is a folder in miniImageNet's form: pictures in one folder, and
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
	saved, err := os.ReadFile(filepath.Join(out, settingsFile))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(saved), "max_side = 20") {
		t.Errorf("the saved settings lack max_side = 20:\n%s", saved)
	}
	table, err := cmdtest.Run("eval", "--data", dir, "--split", filepath.Join(dir, "train.csv"), "--set", "train", "--way", "2", "--query", "2", "--episodes", "4")
	if err != nil || !strings.Contains(table, "train classes (train.csv") {
		t.Errorf("eval says %s, %v", table, err)
	}
}

func TestTrainOnDamagedPictures(t *testing.T) {
	dir, out := cmdtest.Pictures(t, 5), filepath.Join(t.TempDir(), "run")
	broken := filepath.Join(dir, "along", "2.png")
	require.NoError(t, os.Truncate(broken, 30))
	_, err := pretrainTiny("--data", dir, "--out", out)
	if err == nil || !strings.Contains(err.Error(), "along/2.png") || !strings.Contains(err.Error(), `--set 'corrupt="skip"'`) || !strings.Contains(err.Error(), "--resume") {
		t.Fatalf("a damaged picture gives %v", err)
	}
	summary, err := cmdtest.Run("train", "pretrain", "--resume", "--out", out, "--set", `corrupt="skip"`)
	if err != nil || !strings.Contains(summary, "Pictures passed over because they cannot be read: 1\n  along/2.png: ") {
		t.Errorf("passing over it says %v\n%s", err, summary)
	}
	records, err := training.ReadLog(filepath.Join(out, training.LogFile))
	if err != nil {
		t.Fatal(err)
	}
	told := 0
	for _, r := range records {
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
