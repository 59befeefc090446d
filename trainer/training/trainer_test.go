package training

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/deepemd/deepemd/core/match"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/atomicfile"
	inference "github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/tensor"
	"github.com/deepemd/deepemd/trainer/internal/backbone"
	"github.com/deepemd/deepemd/trainer/internal/device"
	"github.com/deepemd/deepemd/trainer/internal/learn"
)

// stripes is a source of images whose class is the direction of their stripes:
// something that a network learns in a few steps.
type stripes struct {
	classes, steps int
	spoil          int // the step of the first epoch with a pixel that is NaN; −1 never
}

func (s stripes) Steps(learn.Stage) int { return s.steps }

func (s stripes) Images(stage learn.Stage) int { return stage.Batch }

func (s stripes) Batches(_ context.Context, stage learn.Stage, epoch, from int) (func() (learn.Batch, error), func()) {
	number := from
	return func() (learn.Batch, error) {
		r := rand.New(rand.NewPCG(uint64(epoch), uint64(number)))
		b := learn.Batch{Images: tensor.New(stage.Batch, stage.Size, stage.Size, 3), Labels: make([]int, stage.Batch), Rotations: make([]int, stage.Batch)}
		for n := range b.Labels {
			class, turn := r.IntN(s.classes), r.IntN(learn.Rotations)
			b.Labels[n], b.Rotations[n] = class, turn
			angle := math.Pi * float64(class) / float64(s.classes)
			for i := range stage.Size * stage.Size {
				x, y := float64(i%stage.Size), float64(i/stage.Size)
				v := math.Sin(x*math.Cos(angle)+y*math.Sin(angle)) + 0.3*r.NormFloat64()
				for c := range 3 {
					b.Images.Data[(n*stage.Size*stage.Size+i)*3+c] = float32(v)
				}
			}
		}
		if epoch == 0 && number == s.spoil {
			b.Images.Data[0] = float32(math.NaN())
		}
		number++
		return b, nil
	}, func() {}
}

func settings() *learn.ClassifySettings {
	s := learn.ClassifyDefaults()
	s.Widths = []int{16, 16, 16, 32}
	s.Stages = []learn.Stage{{Epochs: 2, Size: 16, Batch: 12}, {Epochs: 1, Size: 32, Batch: 8}}
	s.LabelSmoothing, s.WarmUp, s.Threads = 0.05, 3, 2
	return &s
}

func trainer(t *testing.T, dir string, source stripes, change ...func(s *learn.ClassifySettings)) *Trainer {
	s := settings()
	for _, c := range change {
		c(s)
	}
	model := learn.NewClassifier(s, built(t, s), source.classes)
	return &Trainer{
		Settings: &s.Settings, Learner: model, Source: source, Dir: dir,
		Meta: weights.Meta{Name: "test", Std: [3]float32{1, 1, 1}},
		Validate: func(_ context.Context, f *weights.File) (float64, float64, error) {
			if _, err := inference.New(f, inference.Options{}); err != nil {
				t.Errorf("the exported network does not run: %v", err)
			}
			return 0.5, 0.01, nil
		},
	}
}

// built returns the backbone of settings.
func built(t *testing.T, s *learn.ClassifySettings) *backbone.Network {
	t.Helper()
	d := require.Value(device.Processor(s.Precision, s.Threads))(t)
	return require.Value(s.Plan.Build(s.Seed, backbone.Options{Threads: s.Threads, Device: d}))(t)
}

func read(t *testing.T, path string) *weights.File {
	t.Helper()
	raw := require.Value(os.ReadFile(path))(t)
	f := require.Value(weights.Decode(path, raw))(t)
	return f
}

func TestLearns(t *testing.T) {
	dir := t.TempDir()
	tr := trainer(t, dir, stripes{classes: 4, steps: 40, spoil: -1})
	require.NoError(t, tr.Run(context.Background(), false))
	records := require.Value(readRecords(filepath.Join(dir, LogFile)))(t)
	accuracy, validations := 0.0, 0
	for _, r := range records {
		if r.Loss > 0 {
			accuracy = r.Accuracy
		}
		if r.Validation > 0 {
			validations++
		}
	}
	if accuracy < 0.8 || validations != 3 {
		t.Errorf("the accuracy ends at %g, and %d epochs were validated, want 3", accuracy, validations)
	}
	for _, name := range []string{CheckpointFile, BestFile, LastFile, CurvesFile} {
		if _, err := os.Stat(filepath.Join(dir, name)); err != nil {
			t.Error(err)
		}
	}
}

// TestDivergedNetwork: if the features of a validation overflow, the error names the remedy, not a picture.
func TestDivergedNetwork(t *testing.T) {
	tr := trainer(t, t.TempDir(), stripes{classes: 4, steps: 2, spoil: -1})
	tr.Validate = func(context.Context, *weights.File) (float64, float64, error) {
		return 0, 0, fmt.Errorf("cat/1.png: %w: the picture or the weights are damaged", match.ErrNotFinite)
	}
	const want = "step 2: validation finds features that are not finite or too large: lower the setting rate, or clip"
	if err := tr.Run(context.Background(), false); err == nil || err.Error() != want {
		t.Errorf("error %v, want %q", err, want)
	}
}

// TestPixelsCountLargerImages: the remaining time depends on the sizes of the later stages.
func TestPixelsCountLargerImages(t *testing.T) {
	tr := trainer(t, t.TempDir(), stripes{classes: 3, steps: 5, spoil: -1})
	const small, large = 12 * 16 * 16, 8 * 32 * 32
	want := map[int]int{1: small, 10: 10 * small, 11: 10*small + large, 15: 10*small + 5*large}
	tr.Watch.Step = func(_ Record, step, _ int) {
		if done, total := tr.Pixels(); want[step] > 0 && done != want[step] || total != want[15] {
			t.Errorf("step %d: %d of %d pixels, want %d of %d", step, done, total, want[step], want[15])
		}
	}
	require.NoError(t, tr.Run(context.Background(), false))
}

// counted is a source of batches with a million times as many images as labels.
type counted struct{ stripes }

func (c counted) Images(stage learn.Stage) int { return 1e6 * c.stripes.Images(stage) }

func TestSpeedCountsImages(t *testing.T) {
	tr := trainer(t, t.TempDir(), stripes{classes: 3, steps: 1, spoil: -1})
	tr.Source = counted{stripes{classes: 3, steps: 1, spoil: -1}}
	tr.Watch.Step = func(r Record, _, _ int) {
		if r.PerSecond*(1+r.Seconds) < 8e6 {
			t.Errorf("%g images per second after %g s", r.PerSecond, r.Seconds)
		}
	}
	require.NoError(t, tr.Run(t.Context(), false))
}

func TestDeadline(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 0)
	defer cancel()
	if err := trainer(t, t.TempDir(), stripes{classes: 3, steps: 2, spoil: -1}).Run(ctx, false); !errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		t.Errorf("after its deadline, a run returns %v", err)
	}
}

// A new run does not replace images that an abandoned run in its folder replaced.
func TestNewRunIgnoresTheLog(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, LogFile), []byte(`{"step":0,"skipped":"fox/1.png"}`+"\n"), 0o600))
	tr := trainer(t, dir, stripes{classes: 3, steps: 1, spoil: -1})
	require.NoError(t, tr.Run(t.Context(), false))
	if skipped := tr.Skipped(); len(skipped) > 0 {
		t.Errorf("it replaces %v", skipped)
	}
}

// TestResumeIsBitExact stops a run at several steps and continues it: the weights must equal the
// weights of an uninterrupted run.
func TestResumeIsBitExact(t *testing.T) {
	source := stripes{classes: 3, steps: 5, spoil: -1}
	for _, c := range []struct {
		mixup float64
		stops []int
	}{{0, []int{3}}, {0, []int{5, 6}}, {2, []int{1, 7, 12, 14}}} {
		mix := func(s *learn.ClassifySettings) { s.Mixup = c.mixup }
		whole, dir := t.TempDir(), t.TempDir()
		require.NoError(t, trainer(t, whole, source, mix).Run(context.Background(), false))
		for _, stop := range c.stops {
			ctx, cancel := context.WithCancel(context.Background())
			tr := trainer(t, dir, source, mix)
			tr.SaveEvery = time.Nanosecond
			tr.Watch.Step = func(_ Record, step, _ int) {
				if step == stop {
					cancel()
				} else if _, err := os.Stat(filepath.Join(dir, CheckpointFile)); step == 3 && err != nil {
					t.Errorf("no checkpoint within an epoch: %v", err)
				}
			}
			if err := tr.Run(ctx, true); !errors.Is(err, context.Canceled) {
				t.Fatalf("stopped at step %d: %v", stop, err)
			}
		}
		require.NoError(t, trainer(t, dir, source, mix).Run(context.Background(), true))
		sameRuns(t, fmt.Sprintf("%+v", c), whole, dir, LastFile)
	}
}

// sameRuns fails the test unless the checkpoints and the networks of two folders hold the same values.
func sameRuns(t *testing.T, name, whole, dir string, networks ...string) {
	t.Helper()
	for _, file := range networks {
		want, got := read(t, filepath.Join(whole, file)), read(t, filepath.Join(dir, file))
		for key, w := range want.Tensors {
			if !slices.Equal(got.Tensors[key].Data, w.Data) {
				t.Fatalf("%s: %s of %s differs", name, key, file)
			}
		}
	}
	if !bytes.Equal(checkpointValues(t, whole), checkpointValues(t, dir)) {
		t.Errorf("%s: the checkpoints hold other values", name)
	}
}

// checkpointValues returns the values of a checkpoint, without its header, which has the time, and its
// checksum.
func checkpointValues(t *testing.T, dir string) []byte {
	t.Helper()
	raw := require.Value(os.ReadFile(filepath.Join(dir, CheckpointFile)))(t)
	_, values, _ := bytes.Cut(raw, []byte("\n"))
	return values[:len(values)-4]
}

func TestNotANumberNamesStepAndLayer(t *testing.T) {
	err := trainer(t, t.TempDir(), stripes{classes: 3, steps: 5, spoil: 2}).Run(context.Background(), false)
	if err == nil || !strings.Contains(err.Error(), "step 2") || !strings.Contains(err.Error(), "encoder.layer1") {
		t.Errorf("a picture that is not a number gives %v, want an error with step and layer", err)
	}
}

func TestCheckpointOfOtherSettings(t *testing.T) {
	dir, source := t.TempDir(), stripes{classes: 3, steps: 2, spoil: -1}
	require.NoError(t, trainer(t, dir, source).Run(context.Background(), false))
	tr := trainer(t, dir, source, func(s *learn.ClassifySettings) { s.Widths = []int{16, 16, 16, 48} })
	if err := tr.Run(context.Background(), true); err == nil || !strings.Contains(err.Error(), "different settings") {
		t.Errorf("a checkpoint of other widths gives %v", err)
	}
	tr.Dir = t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(tr.Dir, CheckpointFile), []byte("no checkpoint"), 0o644))
	if err := tr.Run(context.Background(), true); err == nil || !strings.Contains(err.Error(), CheckpointFile) {
		t.Errorf("a damaged checkpoint gives %v", err)
	}
}

// disk writes files like atomicfile.Write, unless full rejects them.
type disk struct {
	full func(name string, tries int) bool
}

func (d disk) writer(t *testing.T) func(path string, write func(io.Writer) error) error {
	tries := map[string]int{}
	return func(path string, write func(io.Writer) error) error {
		name := filepath.Base(path)
		tries[name]++
		if !d.full(name, tries[name]) {
			return atomicfile.Write(path, write)
		}
		half := &narrow{room: 1000}
		if err := write(half); !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("%s: what wrote it says %v of a full disk", name, err)
		}
		return fmt.Errorf("write %s: %w", path, syscall.ENOSPC)
	}
}

// narrow takes so many bytes.
type narrow struct{ room int }

func (n *narrow) Write(p []byte) (int, error) {
	if len(p) > n.room {
		return n.room, syscall.ENOSPC
	}
	n.room -= len(p)
	return len(p), nil
}

// TestFullDisk: with a disk that is full for a while, a run notes it, continues, and ends with the
// same files.
func TestFullDisk(t *testing.T) {
	source := stripes{classes: 3, steps: 5, spoil: -1}
	whole := t.TempDir()
	require.NoError(t, trainer(t, whole, source).Run(context.Background(), false))
	for name, full := range map[string]func(name string, tries int) bool{
		"first epochs":     func(name string, tries int) bool { return tries < 3 },
		"best network":     func(name string, tries int) bool { return name == BestFile && tries < 3 },
		"checkpoint":       func(name string, tries int) bool { return name == CheckpointFile && tries < 5 },
		"end":              func(name string, tries int) bool { return tries > 1 && tries < 6 },
		"curves, for good": func(name string, _ int) bool { return name == CurvesFile },
	} {
		dir, notes := t.TempDir(), ""
		tr := trainer(t, dir, source)
		tr.Write, tr.Pause = disk{full}.writer(t), time.Millisecond
		tr.Watch.Note = func(text string) { notes += text + "\n" }
		if err := tr.Run(context.Background(), false); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for _, want := range []string{"the disk is full: make", "free in " + dir} {
			if !strings.Contains(notes, want) {
				t.Errorf("%s: the notes lack %q:\n%s", name, want, notes)
			}
		}
		sameRuns(t, name, whole, dir, BestFile, LastFile)
		files, err := os.ReadDir(dir)
		if err != nil || len(files) > 5 {
			t.Errorf("%s: the folder holds %v, %v", name, files, err)
		}
	}
}

// TestDiskStaysFull ends a run that can write no file. The previous files stay, and with free space
// the run reaches the same end.
func TestDiskStaysFull(t *testing.T) {
	source := stripes{classes: 3, steps: 4, spoil: -1}
	whole, dir := t.TempDir(), t.TempDir()
	require.NoError(t, trainer(t, whole, source).Run(context.Background(), false))
	tr := trainer(t, dir, source)
	tr.Write, tr.Pause = disk{func(_ string, tries int) bool { return tries > 1 }}.writer(t), time.Microsecond
	err := tr.Run(context.Background(), false)
	var lost *UnsavedError
	if !errors.As(err, &lost) || !strings.Contains(err.Error(), CheckpointFile+" cannot be written, the disk is full") || !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("a disk that stays full gives %v", err)
	}
	require.NoError(t, trainer(t, dir, source).Run(context.Background(), true))
	sameRuns(t, "resumed", whole, dir)

	// If only a network cannot be written, the run is not done: resuming writes it.
	for _, file := range []string{BestFile, LastFile} {
		dir := t.TempDir()
		tr := trainer(t, dir, source)
		tr.Write, tr.Pause = disk{func(name string, _ int) bool { return name == file }}.writer(t), time.Microsecond
		if err := tr.Run(context.Background(), false); !errors.As(err, &lost) {
			t.Errorf("without %s: %v", file, err)
		}
		require.NoError(t, trainer(t, dir, source).Run(context.Background(), true))
		sameRuns(t, "without "+file, whole, dir, file)
	}

	// Stopped with a full disk, it says that as well.
	ctx, cancel := context.WithCancel(context.Background())
	tr = trainer(t, t.TempDir(), source)
	tr.Write = disk{func(string, int) bool { return true }}.writer(t)
	tr.Watch.Step = func(_ Record, step, _ int) {
		if step == 2 {
			cancel()
		}
	}
	if err := tr.Run(ctx, false); !errors.Is(err, context.Canceled) || !errors.As(err, &lost) {
		t.Errorf("stopped with a full disk: %v", err)
	}
}
