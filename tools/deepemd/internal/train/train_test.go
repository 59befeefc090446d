package train

import (
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/deepemd/deepemd/internal/atomicfile"
	"github.com/deepemd/deepemd/internal/cluster"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/tools/deepemd/internal/cmdtest"
	_ "github.com/deepemd/deepemd/tools/deepemd/internal/evaluate"
	_ "github.com/deepemd/deepemd/tools/deepemd/internal/recognize"
	"github.com/deepemd/deepemd/trainer"
	"github.com/deepemd/deepemd/trainer/training"
)

// TestTrain pre-trains a small network on three classes, meta-trains it, and classifies with the
// result.
func TestTrain(t *testing.T) {
	dir, runs := cmdtest.Pictures(t, 8), t.TempDir()
	first, second := filepath.Join(runs, "a"), filepath.Join(runs, "b")
	require.Value(cmdtest.Run("train", "pretrain", "--data", dir, "--out", first, "--set", "widths=[16,16,16,16]",
		"--set", "stages=[{epochs=12,size=32,batch=8}]", "--set", "average=0.5", "--set", "rate=0.05", "--set", "augment.min_area=0.8"))(t)
	network := filepath.Join(first, training.LastFile)
	require.Value(cmdtest.Run("train", "meta", "--data", dir, "--init", network, "--out", second, "--set", "way=3", "--set", "query=3",
		"--set", "episodes=4", "--set", "stages=[{epochs=2,size=32}]"))(t)
	for _, name := range []string{settingsFile, training.LogFile, training.CurvesFile, training.CheckpointFile, training.LastFile} {
		if _, err := os.Stat(filepath.Join(second, name)); err != nil {
			t.Error(err)
		}
	}
	saved := require.Value(os.ReadFile(filepath.Join(second, settingsFile)))(t)
	for _, want := range []string{"data = ", "way = 3", "episodes = 4", "size = 32", "min_area = 0.5", `layer = "interior-l2"`} {
		if !strings.Contains(string(saved), want) {
			t.Errorf("the saved settings lack %q:\n%s", want, saved)
		}
	}
	if _, err := cmdtest.Run("train", "meta", "--resume", "--out", second); err != nil {
		t.Error(err)
	}

	// Pre-training that starts from a network at a tiny rate hardly changes it, and keeps its
	// list of training classes.
	further := filepath.Join(runs, "further")
	told, err := cmdtest.Run("train", "pretrain", "--data", dir, "--init", first, "--out", further, "--set", "rate=1e-9", "--set", "average=0.0",
		"--set", "stages=[{epochs=1,size=32,batch=8}]", "--set", "weight_decay=0.0")
	require.NoError(t, err)
	if _, err := os.Stat(filepath.Join(further, training.BestFile)); err == nil || strings.Contains(told, "validation") {
		t.Errorf("a run without classes to validate with has a best network, or says:\n%s", told)
	}
	before, after := cmdtest.Decode(t, network), cmdtest.Decode(t, filepath.Join(further, training.LastFile))
	if !slices.Equal(after.Meta.Widths, []int{16, 16, 16, 16}) || !slices.Equal(after.Meta.Classes, cmdtest.ClassNames[:]) {
		t.Errorf("the further run's network says %+v", after.Meta)
	}
	for name, tensor := range before.Tensors {
		if strings.Contains(name, "running") {
			continue // statistics follow the images at any rate
		}
		for i, v := range tensor.Data {
			if now := after.Tensors[name].Data[i]; !(math.Abs(float64(now-v)) <= 1e-6) {
				t.Fatalf("%s[%d] went from %g to %g", name, i, v, now)
			}
		}
	}
	cmdtest.Prints(t, "as 3 of these 3", "eval", "--data", dir, "--weights", further, "--way", "3", "--query", "2", "--episodes", "2")

	for embedder, more := range map[string][]string{
		"grid":     {"--set", "grid=[1,2]", "--set", "freeze_statistics=true", "--set", "at_once=25"},
		"sampling": {"--set", "patches=2"},
	} {
		third := filepath.Join(runs, embedder)
		args := append([]string{"train", "meta", "--data", dir, "--init", network, "--out", third, "--set", "way=3", "--set", "query=2",
			"--set", "episodes=2", "--set", "stages=[{epochs=1,size=32}]", "--set", `embedder="` + embedder + `"`}, more...)
		if _, err := cmdtest.Run(args...); err != nil {
			t.Errorf("%s: %v", embedder, err)
		}
	}

	query := filepath.Join(t.TempDir(), "query.png")
	cmdtest.Picture(t, query, 1, 9)
	cmdtest.Prints(t, "along", "classify", "--weights", filepath.Join(second, training.LastFile), "--support", dir, "--query", query)
}

// TestChanges: words need no quotes, even if they look like other values or have spaces around them.
func TestChanges(t *testing.T) {
	for change, want := range map[string]string{
		"name=cups": "cups", "name = cups ": "cups", "name=5-way": "5-way", "name=64": "64", "name=true": "true", "name=2026-01-01": "2026-01-01",
		`name="two cups"`: "two cups", `name='a=b'`: "a=b", "rate=0.5": "resnet12",
	} {
		s := training.NewPretrain()
		if err := applyChange(s, change); err != nil || s.Name != want {
			t.Errorf("%s: name %q, error %v", change, s.Name, err)
		}
	}
	for _, change := range []string{"name=two cups", "name=a=b", "name=", "=5", "rate=fast", "widths=64,160", "stages=2"} {
		if err := applyChange(training.NewPretrain(), change); err == nil || !strings.HasPrefix(err.Error(), "--set "+change+": toml: ") {
			t.Errorf("%s: error %v", change, err)
		}
	}
}

func TestTrainErrors(t *testing.T) {
	dir := cmdtest.Pictures(t, 2)
	done := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(done, training.CheckpointFile), nil, 0o644))
	out, net, empty := filepath.Join(t.TempDir(), "out"), cmdtest.Weights(t, nil), filepath.Join(t.TempDir(), "empty.toml")
	require.NoError(t, os.WriteFile(empty, nil, 0o644))
	names, split := cmdtest.ClassNames, filepath.Join(t.TempDir(), "split.json")
	cmdtest.WriteText(t, split, fmt.Sprintf(`{"train": [%q], "val": [%q, %q]}`, names[0], names[1], names[2]))
	cases := []struct {
		name string
		args []string
		want string
	}{
		{"no folder", []string{"pretrain", "--data", dir}, "--out"},
		{"no data", []string{"pretrain", "--out", out}, "--data"},
		{"a run that is there", []string{"pretrain", "--data", dir, "--out", done}, "--resume"},
		{"a damaged checkpoint", []string{"pretrain", "--data", dir, "--out", done, "--resume", "--config", empty, "--set", "stages=[{epochs=1,size=16,batch=2}]", "--set", "widths=[4,4,4,4]"}, "damaged"},
		{"unknown setting", []string{"pretrain", "--data", dir, "--out", out, "--set", "speed=3"}, "speed"},
		{"unknown setting that is off", []string{"pretrain", "--data", dir, "--out", out, "--set", "rotation_wieght=0"}, "no setting rotation_wieght: did you mean rotation_weight?"},
		{"setting of the stages", []string{"pretrain", "--data", dir, "--out", out, "--set", "stages=[{epochs=1},{epochs=1}]", "--set", "epochs=3"}, "did you mean stages.epochs?"},
		{"unknown setting unlike others", []string{"pretrain", "--data", dir, "--out", out, "--set", "learning_rate=3"}, "trainer#settings lists them all"},
		{"setting of another kind", []string{"pretrain", "--data", dir, "--out", out, "--set", `rate="fast"`}, "rate"},
		{"setting without a value", []string{"pretrain", "--data", dir, "--out", out, "--set", "rate"}, "--set rate: want name=value"},
		{"a word without quotes", []string{"pretrain", "--data", dir, "--out", out, "--set", "precision=float33"}, `precision "float33": use`},
		{"a word for an unknown setting", []string{"pretrain", "--data", dir, "--out", out, "--set", "precison=float32"}, "no setting precison"},
		{"a word for a number", []string{"pretrain", "--data", dir, "--out", out, "--set", "rate=fast"}, "TOML value has type string; destination has type float"},
		{"a number for a list", []string{"pretrain", "--data", dir, "--out", out, "--set", "stages=2"}, "TOML value has type int64; destination has type slice"},
		{"an unknown name", []string{"pretrain", "--data", dir, "--out", out, "--init", "resnet12-foto"}, "give a path, or one of resnet12-photo"},
		{"bad setting", []string{"pretrain", "--data", dir, "--out", out, "--set", "rate=-1"}, "rate"},
		{"too few images", []string{"pretrain", "--data", dir, "--out", out}, "stage 1: a batch has 64 images, an epoch only 6: add images, or use a smaller batch in the setting stages"},
		{"a stage without a batch", []string{"pretrain", "--data", dir, "--out", out, "--set", "stages=[{epochs=1,size=32}]"}, "stage 1: a batch has 64 images"},
		{"too few classes for validation", []string{"pretrain", "--data", dir, "--out", out, "--split", split}, "the part val of the split has 2 classes, and validation needs 5: move classes there, or leave val empty"},
		{"a beginning that is not there", []string{"pretrain", "--data", dir, "--out", out, "--init", "gone.safetensors"}, "gone.safetensors"},
		{"further images that are not there", []string{"pretrain", "--data", dir, "--out", out, "--teacher", net, "--unlabeled", "gone.zip", "--set", "map_weight=1.0", "--set", "stages=[{epochs=1,size=32,batch=2,teacher=32}]"}, "gone.zip"},
		{"a device that is not there", []string{"pretrain", "--data", dir, "--out", out, "--device", "cuda:9", "--set", "stages=[{epochs=1,size=32,batch=2}]"}, "cuda:9"},
		{"settings that are not there", []string{"pretrain", "--data", dir, "--out", out, "--config", "gone.toml"}, "gone.toml"},
		{"no network", []string{"meta", "--data", dir, "--out", out}, "--init"},
		{"network that is not there", []string{"meta", "--data", dir, "--out", out, "--init", "gone.safetensors"}, "gone.safetensors"},
		{"unknown layer", []string{"meta", "--data", dir, "--out", out, "--init", net, "--set", `layer="magic"`}, "interior-l2"},
		{"unknown embedder", []string{"meta", "--data", dir, "--out", out, "--init", net, "--set", `embedder="magic"`}, "fcn, grid or sampling"},
		{"parts", []string{"meta", "--data", dir, "--out", out, "--init", net, "--set", "at_once=9"}, "freeze_statistics = true"},
		{"too many ways", []string{"meta", "--data", dir, "--out", out, "--init", net}, "5-way"},
	}
	for _, c := range cases {
		if _, err := cmdtest.Run(append([]string{"train"}, c.args...)...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one that says %q", c.name, err, c.want)
		}
	}
}

// TestTermination has the system ask a run to end, as it does when a machine shuts
// down: it saves like one that is stopped at the keyboard.
func TestTermination(t *testing.T) {
	dir, out := cmdtest.Pictures(t, 4), filepath.Join(t.TempDir(), "run")
	ended := make(chan error)
	go func() {
		_, err := cmdtest.Run("train", "pretrain", "--data", dir, "--out", out, "--set", "widths=[4,4,4,4]",
			"--set", "stages=[{epochs=100000,size=16,batch=4}]")
		ended <- err
	}()
	for {
		if _, err := os.Stat(filepath.Join(out, training.LogFile)); err == nil {
			break
		}
		select {
		case err := <-ended:
			t.Fatalf("it ended before its log was there: %v", err)
		case <-time.After(10 * time.Millisecond):
		}
	}
	itself := require.Value(os.FindProcess(os.Getpid()))(t)
	if err := itself.Signal(syscall.SIGTERM); err != nil {
		t.Skip("this system asks nobody to end:", err)
	}
	if err := <-ended; err == nil || !strings.Contains(err.Error(), "stopped at step") || !strings.Contains(err.Error(), "--resume") {
		t.Errorf("asked to end it says %v", err)
	}
	if !training.HasRun(out) {
		t.Error("no checkpoint was saved")
	}
	if _, err := os.Stat(filepath.Join(out, atomicfile.LockFile)); err == nil {
		t.Error("the lock is left")
	}
}

// TestOneRunInAFolder refuses a second run, new or continued, and leaves the first
// one's files alone.
func TestOneRunInAFolder(t *testing.T) {
	dir, out := cmdtest.Pictures(t, 4), t.TempDir()
	first := require.Value(atomicfile.HoldFolder(out))(t)
	args := [][]string{
		{"pretrain", "--data", dir, "--out", out}, {"pretrain", "--resume", "--out", out},
		{"meta", "--data", dir, "--out", out, "--init", cmdtest.Weights(t, nil)},
	}
	for _, a := range args {
		cmdtest.Fails(t, "--out: "+out+" is being written by process ", append([]string{"train"}, a...)...)
	}
	if entries, _ := os.ReadDir(out); len(entries) != 1 {
		t.Errorf("the folder has %v, want the lock alone", entries)
	}
	if err := first.Release(); err != nil {
		t.Error(err)
	}
}

// TestOneClass reports that a single class trains nothing.
func TestOneClass(t *testing.T) {
	dir := cmdtest.Pictures(t, 4)
	for i, want := range []bool{false, false, true} {
		said, err := cmdtest.Run("train", "pretrain", "--data", dir, "--out", filepath.Join(t.TempDir(), "run"), "--set", "widths=[4,4,4,4]",
			"--set", "stages=[{epochs=1,size=16,batch=4}]")
		if err != nil || strings.Contains(said, "only one class") != want {
			t.Errorf("of %d classes: %v\n%s", 3-i, err, said)
		}
		require.NoError(t, os.RemoveAll(filepath.Join(dir, cmdtest.ClassNames[i])))
	}
}

func TestValidationLine(t *testing.T) {
	var out strings.Builder
	watch, done := watchRun(nil, &out, io.Discard)
	for _, best := range []bool{true, false} {
		watch.Validated(training.Record{Epoch: 3, Validation: 0.6125, Interval: 0.0225, Seconds: 90}, best)
	}
	done()
	const line = "epoch 3: validation 61.25% ± 2.25% after 90 s of training"
	if want := line + "  best so far\n" + line + "\n"; out.String() != want {
		t.Errorf("printed %q, want %q", out.String(), want)
	}
}

// TestRecipesAreSettings reads every recipe as a run would.
func TestRecipesAreSettings(t *testing.T) {
	for _, name := range trainer.Recipes(trainer.Pretrain) {
		s := training.NewPretrain()
		s.Name = "" // the recipe names the network
		f := trainingFlags{kind: trainer.Pretrain, recipe: name, data: []string{"d.zip"}, out: filepath.Join(t.TempDir(), "run")}
		err := f.read(cluster.Single{}, s, &s.Pictures)
		for i := range s.Stages {
			s.Stages[i].Size = max(s.Stages[i].Size, 84) // 0 is the size of the network to begin with
		}
		if err != nil {
			t.Error(err)
		} else if err := s.Check(); err != nil || s.Name == "" {
			t.Errorf("recipe %s for the network %q: %v", name, s.Name, err)
		}
	}
	for _, name := range trainer.Recipes(trainer.Meta) {
		s := training.NewMeta()
		s.Name = "" // the recipe names the network
		f := trainingFlags{kind: trainer.Meta, recipe: name, data: []string{"d.zip"}, out: filepath.Join(t.TempDir(), "run")}
		err := f.read(cluster.Single{}, s, &s.Pictures)
		for i := range s.Stages {
			s.Stages[i].Size = max(s.Stages[i].Size, 84) // 0 is the size of the network to begin with
		}
		if err != nil {
			t.Error(err)
		} else if err := s.Check(); err != nil || s.Name == "" {
			t.Errorf("recipe %s for the network %q: %v", name, s.Name, err)
		}
	}
	f := trainingFlags{kind: trainer.Pretrain, recipe: "soup", out: filepath.Join(t.TempDir(), "run")}
	if err := f.read(cluster.Single{}, training.NewPretrain(), &training.Pictures{}); err == nil || !strings.Contains(err.Error(), "cifar-fs") {
		t.Errorf("an unknown recipe gives %v, want the names of those there are", err)
	}
}

// Stages of a document have no values of the previous ones, which stay if it has no stages.
func TestStagesAreReplaced(t *testing.T) {
	s := training.NewPretrain()
	require.NoError(t, decodeSettings("a", []byte("stages = [{epochs=3, size=64, batch=8, teacher=112}, {epochs=2, size=84, batch=8}]"), s))
	require.NoError(t, decodeSettings("b", []byte("rate = 0.5"), s))
	if len(s.Stages) != 2 {
		t.Errorf("stages %+v", s.Stages)
	}
	require.NoError(t, applyChange(s, "stages.size=48")) // in all stages
	require.NoError(t, applyChange(s, " stages.epochs = 4"))
	if got := fmt.Sprint(s.Stages); got != "[{4 48 8 112} {4 48 8 0}]" {
		t.Errorf("stages %s", got)
	}
	for change, want := range map[string]string{"stages.epochs=many": "TOML value has type string", "stages.epoch=2": "did you mean stages.epochs?", "stages.epochs=": "toml: "} {
		if err := applyChange(s, change); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("--set %s: error %v, want %q", change, err, want)
		}
	}
	require.NoError(t, decodeSettings("c", []byte("stages = [{epochs=9, batch=128}]"), s))
	if got := fmt.Sprint(s.Stages); got != "[{9 0 128 0}]" {
		t.Errorf("stages %s", got)
	}
}
