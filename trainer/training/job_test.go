package training_test

import (
	"bytes"
	"errors"
	"fmt"
	"image/color"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/mediatest"
	"github.com/deepemd/deepemd/internal/networktest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/trainer/internal/learn"
	"github.com/deepemd/deepemd/trainer/training"
)

// pictures makes two classes with four images each.
func pictures(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for i := range 8 {
		mediatest.PNG(t, filepath.Join(dir, []string{"fox", "owl"}[i%2], fmt.Sprint(i)+".png"), 16, 16, func(x, y int) color.Color {
			return color.Gray{Y: uint8((16*y + x) * (1 + i))}
		})
	}
	return dir
}

// network writes a tiny network with an assumed normalization.
func network(t *testing.T) string {
	t.Helper()
	f := networktest.ResNet12([]int{4, 4, 4, 4}, 16, 1)
	f.Meta.Classes, f.Meta.Assumed = []string{"bat", "owl"}, []string{weights.AssumedMean}
	return written(t, f)
}

// written returns the path of a file of weights.
func written(t *testing.T, f *weights.File) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "w.safetensors")
	file := require.Value(os.Create(path))(t)
	defer file.Close()
	require.NoError(t, f.Encode(file, weights.F32))
	return path
}

// A network of another architecture can teach a ResNet-12, but training cannot begin with it.
func TestOtherArchitectures(t *testing.T) {
	dir, transformer := pictures(t), written(t, networktest.Transformer())
	s := training.NewPretrain()
	s.Data, s.Teacher, s.Threads, s.RotationWeight, s.Widths = dir, transformer, 1, 0, []int{4, 4, 4, 4}
	s.Stages = []learn.Stage{{Epochs: 1, Size: 16, Batch: 4}}
	var told []string
	ready := require.Value(s.Prepare(t.Context(), training.Reporter{Dir: t.TempDir(), Tell: func(line string) { told = append(told, line) }}))(t)
	ready.Close()
	if !slices.ContainsFunc(told, func(line string) bool { return strings.HasPrefix(line, "the teacher made-up tells ") }) {
		t.Errorf("it tells %q", told)
	}
	m := training.NewMeta()
	m.Data, m.Init = dir, transformer
	if _, err := m.Prepare(t.Context(), training.Reporter{}); err == nil || !strings.Contains(err.Error(), "the architecture vit, only a resnet12 can be trained") ||
		!strings.Contains(err.Error(), "--teacher") {
		t.Errorf("error %v, want one that says what can be trained, and the remedy", err)
	}
}

// Both jobs start from the same network, and their networks state all training classes.
func TestPrepareAndRun(t *testing.T) {
	dir, init := pictures(t), network(t)
	first := training.NewPretrain()
	first.Data, first.Init, first.Threads, first.RotationWeight, first.Average = dir, init, 1, 0, 0
	first.Stages = []learn.Stage{{Epochs: 1, Batch: 4}}
	second := training.NewMeta()
	second.Data, second.Init, second.Threads, second.Way, second.Query, second.Episodes = dir, init, 1, 2, 1, 1
	second.Stages = []learn.Stage{{Epochs: 1}}
	pixels := map[string]int{"pretrain": 2 * 4 * 16 * 16, "meta": 2 * (1 + 1) * 16 * 16}
	for name, prepare := range map[string]func(training.Reporter) (*training.Prepared, error){
		"pretrain": func(w training.Reporter) (*training.Prepared, error) { return first.Prepare(t.Context(), w) },
		"meta":     func(w training.Reporter) (*training.Prepared, error) { return second.Prepare(t.Context(), w) },
	} {
		var told []string
		ready, err := prepare(training.Reporter{Tell: func(line string) { told = append(told, line) }})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		defer ready.Close()
		if !slices.ContainsFunc(told, func(line string) bool { return strings.HasPrefix(line, "note: ImageNet's mean is assumed") }) {
			t.Errorf("%s tells %q", name, told)
		}
		ready.Dir = t.TempDir()
		if err := ready.Run(t.Context(), false); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if done, total := ready.Pixels(); done != total || total != pixels[name] {
			t.Errorf("%s: %d of %d pixels, want %d", name, done, total, pixels[name])
		}
		raw := require.Value(os.ReadFile(filepath.Join(ready.Dir, training.LastFile)))(t)
		f, err := weights.Decode(name, raw)
		require.NoError(t, err)
		if m := f.Meta; !slices.Equal(m.Classes, []string{"bat", "fox", "owl"}) || !slices.Equal(m.Assumed, []string{"mean"}) || m.InputSize != 16 {
			t.Errorf("%s: the network says %+v", name, m)
		}
	}
}

// A teacher, or the folder of its run, embeds every image before the first step and changes the
// result. Its cached features give the same result bit for bit. The network states its teachers and
// their classes.
func TestTeacher(t *testing.T) {
	dir, teacher, kept := pictures(t), network(t), t.TempDir()
	run := t.TempDir()
	data, err := os.ReadFile(teacher)
	if err == nil {
		err = os.WriteFile(filepath.Join(run, training.BestFile), data, 0o600)
	}
	require.NoError(t, err)
	var meta weights.Meta // of the last network
	learn := func(change func(*training.Pretrain)) (trained []byte, told []string) {
		s := training.NewPretrain()
		s.Data, s.Threads, s.Widths, s.RotationWeight, s.Average, s.Precision = dir, 1, []int{4, 4, 4, 4}, 0, 0, "float32"
		s.Device = training.CPU // for equal bits
		s.Stages = []learn.Stage{{Epochs: 1, Size: 16, Batch: 4}}
		change(s)
		ready := require.Value(s.Prepare(t.Context(), training.Reporter{Dir: kept, Tell: func(line string) { told = append(told, line) }}))(t)
		defer ready.Close()
		ready.Dir = t.TempDir()
		require.NoError(t, ready.Run(t.Context(), false))
		trained = require.Value(os.ReadFile(filepath.Join(ready.Dir, training.LastFile)))(t)
		f := require.Value(weights.Decode("last", trained))(t)
		meta, f.Meta.Classes, f.Meta.TrainedOn = f.Meta, nil, ""
		var values bytes.Buffer
		require.NoError(t, f.Encode(&values, weights.F32))
		return values.Bytes(), told
	}
	alone, _ := learn(func(*training.Pretrain) {})
	taught, told := learn(func(s *training.Pretrain) { s.Teacher = teacher })
	again, _ := learn(func(s *training.Pretrain) { s.Teacher = run })
	unheard, _ := learn(func(s *training.Pretrain) { s.Teacher, s.TeacherWeight = teacher, 0 })
	if bytes.Equal(alone, taught) || !bytes.Equal(taught, again) || !bytes.Equal(alone, unheard) {
		t.Errorf("with a teacher the same as alone: %v; twice the same: %v; with a teacher of weight 0 as alone: %v",
			bytes.Equal(alone, taught), bytes.Equal(taught, again), bytes.Equal(alone, unheard))
	}
	if !slices.ContainsFunc(told, func(line string) bool { return strings.Contains(line, "of the images' classes") }) {
		t.Errorf("told %q, want how good the teacher is", told)
	}

	// Two say something else together than either does, and are both named.
	f := networktest.ResNet12([]int{4, 4, 4, 4}, 16, 2)
	f.Meta.Name = "second"
	second := written(t, f)
	other, _ := learn(func(s *training.Pretrain) { s.Teacher = second })
	both, told := learn(func(s *training.Pretrain) { s.Teacher = teacher + "," + second })
	if bytes.Equal(both, taught) || bytes.Equal(both, other) {
		t.Errorf("two teachers say what one does: the first %v, the second %v", bytes.Equal(both, taught), bytes.Equal(both, other))
	}
	if !slices.ContainsFunc(told, func(line string) bool { return strings.Contains(line, " with second tells ") }) {
		t.Errorf("told %q, want both teachers' names", told)
	}
	if !slices.Equal(meta.Classes, []string{"bat", "fox", "owl"}) || !strings.HasSuffix(meta.TrainedOn, "2 classes, taught by random and second") {
		t.Errorf("the network states %q, trained on %s", meta.Classes, meta.TrainedOn)
	}
}

// Stages without a size have the initial network's, also the default ones.
func TestSizeOfStages(t *testing.T) {
	for init, want := range map[string]int{"": 32, network(t): 16} {
		s := training.NewPretrain()
		s.Data, s.Init, s.Threads, s.Widths, s.Stages[0].Batch = pictures(t), init, 1, []int{4, 4, 4, 4}, 8
		require.Value(s.Prepare(t.Context(), training.Reporter{}))(t).Close()
		if got := s.Stages[0].Size; got != want {
			t.Errorf("begun with %q: %d px, want %d", init, got, want)
		}
	}
}

func TestPrepareRefuses(t *testing.T) {
	if _, err := training.NewMeta().Prepare(t.Context(), training.Reporter{}); !errors.Is(err, training.ErrNoInit) {
		t.Errorf("no network: %v", err)
	}
	for want, change := range map[string]func(*training.Pretrain){
		"gone.safetensors":  func(s *training.Pretrain) { s.Init = "gone.safetensors" },
		"rate":              func(s *training.Pretrain) { s.Rate = -1 },
		"no data":           func(s *training.Pretrain) { s.Data = "" },
		"want stop or skip": func(s *training.Pretrain) { s.Corrupt = "ignore" },
		"max_side is -1":    func(s *training.Pretrain) { s.MaxSide = -1 },
		"max_side is 70000": func(s *training.Pretrain) { s.MaxSide = 70000 },
		"the part val of the split has 1 class, and validation needs 5": func(s *training.Pretrain) {
			require.NoError(t, os.WriteFile(filepath.Join(s.Data, "split.json"), []byte(`{"train": ["fox"], "val": ["owl"]}`), 0o600))
		},
		"nowhere": func(s *training.Pretrain) { s.Data = "nowhere" },
		`data is "\xe9t\xe9", which is not UTF-8`: func(s *training.Pretrain) { s.Data = "\xe9t\xe9" },
		"no --teacher": func(s *training.Pretrain) { s.MapWeight = 1 },
		"stage 2: teacher = 30": func(s *training.Pretrain) {
			s.Teacher, s.MapWeight, s.Threads = written(t, networktest.Transformer()), 1, 1
			s.Stages = []learn.Stage{{Epochs: 1, Batch: 8}, {Epochs: 1, Batch: 8, Teacher: 30}}
		},
		"without labels": func(s *training.Pretrain) { s.Unlabeled = []string{s.Data} },
		"the teacher":    func(s *training.Pretrain) { s.Teacher = "gone.safetensors" },
	} {
		s := training.NewPretrain()
		s.Data, s.Stages[0].Batch = pictures(t), 8
		change(s)
		if _, err := s.Prepare(t.Context(), training.Reporter{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one that says %q", err, want)
		}
	}
}

// Classes of joined data that the split of the first data lacks do not train, and are named, as are files that
// are not images.
func TestToldOfTheData(t *testing.T) {
	first, second := pictures(t), pictures(t)
	require.NoError(t, os.Rename(filepath.Join(second, "fox"), filepath.Join(second, "elk")))
	require.NoError(t, os.WriteFile(filepath.Join(first, "split.json"), []byte(`{"train": ["fox", "owl"]}`), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(second, "owl", "notes.txt"), nil, 0o600))
	s := training.NewPretrain()
	s.Data, s.More, s.Threads, s.Widths, s.Stages = first, []string{second}, 1, []int{4, 4, 4, 4}, []learn.Stage{{Epochs: 1, Size: 16, Batch: 4}}
	var told []string
	require.Value(s.Prepare(t.Context(), training.Reporter{Tell: func(line string) { told = append(told, line) }}))(t).Close()
	require.NoError(t, os.WriteFile(filepath.Join(first, "split.json"), []byte(`{"train": ["fox"]}`), 0o600))
	s.More = nil
	require.Value(s.Prepare(t.Context(), training.Reporter{Tell: func(line string) { told = append(told, line) }}))(t).Close()
	for _, want := range []string{
		"only one class trains, fox, which teaches nothing: use a separate folder for each class",
		"classes in no part of the split, which do not train: elk",
		"left out 1 file that is not an image, MP3 or WAV, or cannot be read or assigned to a class: " + filepath.Base(second) + "/owl/notes.txt",
	} {
		if !slices.Contains(told, want) {
			t.Errorf("told %q, want %q", told, want)
		}
	}
}

// A teacher of maps trains on joined data, with and without labels. The network states its teacher
// and has heads that another run starts with.
func TestTeacherOfMaps(t *testing.T) {
	mobile := networktest.MobileNet()
	mobile.Meta.Classes = []string{"bat"}
	first, second, unlabeled, teacher := pictures(t), pictures(t), pictures(t), written(t, mobile)
	require.NoError(t, os.Rename(filepath.Join(second, "fox"), filepath.Join(second, "elk")))
	for i := 0; i < 8; i += 2 { // images without labels need no folders
		name := fmt.Sprint(i) + ".png"
		require.NoError(t, os.Rename(filepath.Join(unlabeled, "fox", name), filepath.Join(unlabeled, name)))
	}
	require.NoError(t, os.Remove(filepath.Join(unlabeled, "fox")))
	prepare := func(init string) *training.Prepared {
		s := training.NewPretrain()
		s.Data, s.More, s.Unlabeled, s.Teacher, s.MapWeight, s.Init = first, []string{second}, []string{unlabeled}, teacher, 2, init
		s.Threads, s.RotationWeight, s.Average, s.Widths, s.Rate = 1, 0, 0, []int{4, 4, 4, 4}, 1e-9
		s.Stages = []learn.Stage{{Epochs: 1, Size: 16, Batch: 24}} // all images
		ready := require.Value(s.Prepare(t.Context(), training.Reporter{}))(t)
		t.Cleanup(func() { ready.Close() })
		if s.Stages[0].Teacher == 0 {
			t.Error("nothing says what size the teacher is shown")
		}
		ready.Dir = t.TempDir()
		require.NoError(t, ready.Run(t.Context(), false))
		return ready
	}
	read := func(r *training.Prepared) *weights.File {
		raw := require.Value(os.ReadFile(filepath.Join(r.Dir, training.LastFile)))(t)
		f := require.Value(weights.Decode("last", raw))(t)
		return f
	}
	run := prepare("")
	f := read(run)
	if !slices.Equal(f.Meta.Classes, []string{"bat", "elk", "fox", "owl"}) || !strings.Contains(f.Meta.TrainedOn, "3 classes, taught the maps of made-up") {
		t.Errorf("it says %+v", f.Meta)
	}
	again := read(prepare(filepath.Join(run.Dir, training.LastFile)))
	for _, name := range []string{"fc.weight", "projection.weight"} {
		a, b := f.Tensors[name], again.Tensors[name]
		if a == nil || b == nil || a.Shape[0] != b.Shape[0] || !(a.Data[0]-b.Data[0] <= 1e-6) || !(b.Data[0]-a.Data[0] <= 1e-6) {
			t.Errorf("%s of a run that begins with another's is not the other's", name)
		}
	}
}
