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

// TestResume applies the settings of a run, then --config, then --set. A command that fails does
// not change the run.
func TestResume(t *testing.T) {
	dir, out, config := cmdtest.Pictures(t, 4), filepath.Join(t.TempDir(), "run"), filepath.Join(t.TempDir(), "c.toml")
	require.Value(cmdtest.Run("train", "pretrain", "--data", dir, "--out", out, "--set", "widths=[4,4,4,4]", "--set", "rate=0.05",
		"--set", "stages=[{epochs=1,size=16,batch=4}]"))(t)
	cmdtest.WriteText(t, config, "momentum = 0.5\nclip = 3.0\n")
	state := func() (text string) {
		for _, name := range []string{settingsFile, training.CheckpointFile, training.LogFile, training.LastFile} {
			text += cmdtest.ReadText(t, filepath.Join(out, name))
		}
		return text
	}

	before := state()
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"pretrain", "--set", "widths=[32,32,32,32]"}, "different settings"},
		{[]string{"pretrain", "--set", "widths=[4,4,4,5]"}, "different settings or classes: now widths = [4, 4, 4, 5]; the run has widths = [4, 4, 4, 4]: restore that, or begin a run in another folder"},
		{[]string{"pretrain", "--set", "stages=[{epochs=1,size=16,batch=2}]"}, "different settings or classes: now batch = 2; the run has batch = 4: restore that"},
		{[]string{"pretrain", "--recipe", "cifar-fs"}, "--recipe"},
		{[]string{"meta"}, "a run of `train pretrain`: resume it with that command"},
	} {
		cmdtest.Fails(t, c.want, append([]string{"train", c.args[0], "--resume", "--out", out}, c.args[1:]...)...)
		if state() != before {
			t.Fatalf("%v changed the run", c.args)
		}
	}

	resume := []string{"train", "pretrain", "--resume", "--out", out, "--config", config, "--set"}
	cmdtest.Prints(t, out+" has finished: step 3 of 3", append(resume, "clip=4.0")...)
	if state() != before {
		t.Error("settings that nothing was trained with are saved")
	}
	require.Value(cmdtest.Run(append(resume, "clip=4.0", "--set", "stages=[{epochs=2,size=16,batch=4}]")...))(t)
	for _, want := range []string{"rate = 0.05", "widths = [4, 4, 4, 4]", "momentum = 0.5", "clip = 4.0"} {
		if settings := cmdtest.ReadText(t, filepath.Join(out, settingsFile)); !strings.Contains(settings, want) {
			t.Errorf("the settings lack %q:\n%s", want, settings)
		}
	}

	// A run that lost its checkpoint is not overwritten by accident.
	require.NoError(t, os.Remove(filepath.Join(out, training.CheckpointFile)))
	cmdtest.Fails(t, "already has a run", "train", "pretrain", "--data", dir, "--out", out)
	cmdtest.Prints(t, "has no "+training.CheckpointFile+": the run starts again", "train", "pretrain", "--resume", "--out", out)

	require.NoError(t, os.Remove(filepath.Join(out, settingsFile)))
	cmdtest.Fails(t, "--config", "train", "pretrain", "--resume", "--out", out)
}

// TestResumeElsewhere continues a run with relative paths from another folder, and names the remedy when its
// images are gone.
func TestResumeElsewhere(t *testing.T) {
	home, images := t.TempDir(), cmdtest.Pictures(t, 4)
	require.NoError(t, os.CopyFS(filepath.Join(home, "images"), os.DirFS(images)))
	network := cmdtest.ReadText(t, cmdtest.Weights(t, nil))
	cmdtest.WriteText(t, filepath.Join(home, "w.safetensors"), network)
	t.Chdir(home)
	require.Value(cmdtest.Run("train", "pretrain", "--data", "images", "--init", "w.safetensors", "--out", "run", "--set", "stages=[{epochs=1,size=16,batch=4}]"))(t)

	if log := cmdtest.ReadText(t, filepath.Join("run", training.LogFile)); !strings.Contains(log, `"loss"`) {
		t.Errorf("the log of a short run lacks its loss:\n%s", log)
	}

	t.Chdir(t.TempDir())
	out := filepath.Join(home, "run")
	resume := []string{"train", "pretrain", "--resume", "--out", out, "--set", "stages.epochs=2"}
	cmdtest.Prints(t, out+" has finished: step 6 of 6", resume...)
	require.NoError(t, os.RemoveAll(filepath.Join(home, "images")))
	cmdtest.Fails(t, "settings.toml has the run's paths; --data, --split and --init change them", resume...)
	cmdtest.Prints(t, "has finished", append(resume, "--data", images)...)
}
