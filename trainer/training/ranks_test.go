package training_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image/color"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/deepemd/deepemd/internal/cluster"
	"github.com/deepemd/deepemd/internal/mediatest"
	"github.com/deepemd/deepemd/internal/networktest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/trainer/internal/learn"
	"github.com/deepemd/deepemd/trainer/training"
)

// preparer is a job's settings.
type preparer interface {
	Prepare(context.Context, training.Reporter) (*training.Prepared, error)
}

// shared is a run of several ranks inside this process.
type shared struct {
	dir      string
	ranks    int
	settings func(rank int) preparer
	resume   bool
	stop     int // the step at which rank 1, or the only process, is stopped; 0 never stops
}

// run runs it, and returns the losses of its steps, its notes, and the error of each rank.
func (s shared) run(t *testing.T) (losses []float64, notes []string, errs []error) {
	t.Helper()
	errs = make([]error, s.ranks)
	var wait sync.WaitGroup
	for rank, g := range cluster.InProcess(s.ranks) {
		wait.Go(func() {
			errs[rank] = func() error {
				ctx, cancel := context.WithCancel(cluster.With(t.Context(), g))
				defer cancel()
				ready, err := s.settings(rank).Prepare(ctx, training.Reporter{})
				if err != nil {
					return err
				}
				defer ready.Close()
				ready.Dir = s.dir
				ready.Watch.Step = func(r training.Record, step, _ int) {
					if rank == 0 {
						losses = append(losses, r.Loss)
					}
					if rank == s.ranks-1 && step == s.stop {
						cancel()
					}
				}
				ready.Watch.Note = func(text string) {
					if rank == 0 {
						notes = append(notes, text)
					}
				}
				return ready.Run(ctx, s.resume)
			}()
		})
	}
	wait.Wait()
	return losses, notes, errs
}

// whole runs to the end, and returns the trained network too.
func (s shared) whole(t *testing.T) (losses []float64, notes []string, trained []byte) {
	t.Helper()
	losses, notes, errs := s.run(t)
	require.NoError(t, errors.Join(errs...))
	trained = require.Value(os.ReadFile(filepath.Join(s.dir, training.LastFile)))(t)
	return losses, notes, trained
}

// speckles makes four classes of six pictures that are noise with a slope, each class another.
// No two pixels of such an image are alike: of equal ones, rounding chooses which is the
// largest, and with it where the gradient goes.
func speckles(t *testing.T) string {
	t.Helper()
	dir, r := t.TempDir(), rand.New(rand.NewPCG(1, 2))
	for i := range 24 {
		path := filepath.Join(dir, []string{"ash", "elm", "fir", "oak"}[i%4], fmt.Sprint(i, ".png"))
		mediatest.PNG(t, path, 48, 48, func(column, row int) color.Color {
			x, y := float64(column)/48-0.5, float64(row)/48-0.5
			slope := 60 * []float64{x, y, -x, -y}[i%4]
			noise := func() uint8 { return uint8(127 + slope + 120*(r.Float64()-0.5)) }
			return color.RGBA{noise(), noise(), noise(), 255}
		})
	}
	return dir
}

// pretraining returns a run of 21 steps with batches of eight images. Its rate changes the loss by only
// 3%: with few images and larger steps, a rectifier that rounding switches changes the third digit
// a few steps later.
func pretraining(dir string, change func(*training.Pretrain)) func(int) preparer {
	return func(int) preparer {
		s := training.NewPretrain()
		s.Data, s.Threads, s.Widths, s.Precision, s.Average = dir, 1, []int{16, 16, 16, 32}, "float32", 0.9
		s.Rate, s.Device = 1e-4, training.CPU
		s.Stages = []learn.Stage{{Epochs: 7, Size: 16, Batch: 8}}
		change(s)
		return s
	}
}

// metaTraining returns a run of 20 steps of two episodes each.
func metaTraining(dir, init string) func(int) preparer {
	return func(int) preparer {
		s := training.NewMeta()
		s.Data, s.Init, s.Threads, s.Way, s.Query, s.Episodes, s.MetaBatch = dir, init, 1, 4, 2, 20, 2
		s.Rate, s.Layer, s.Precision = 0.01, "held", "float32"
		s.Stages = []learn.Stage{{Epochs: 2, Size: 32}}
		return s
	}
}

// follow returns an error if losses have a relative difference of more than share.
func follow(one, several []float64, share float64) error {
	if len(one) != len(several) || len(one) < 20 {
		return fmt.Errorf("%d steps and %d", len(one), len(several))
	}
	for i := range one {
		if d := math.Abs(one[i] - several[i]); !(d <= share*math.Abs(one[i])) {
			return fmt.Errorf("step %d: the loss is %.8g, of one process %.8g", i+1, several[i], one[i])
		}
	}
	return nil
}

// TestRanksFollowOneProcess: with synchronized statistics, ranks take the same steps as one
// process, also with shared episodes. With rounded gradients or separate statistics, the steps are
// similar.
func TestRanksFollowOneProcess(t *testing.T) {
	dir, init := speckles(t), written(t, networktest.ResNet12([]int{16, 16, 16, 32}, 32, 1))
	nothing := func(*training.Pretrain) {}
	one, _, _ := shared{t.TempDir(), 1, pretraining(dir, nothing), false, 0}.whole(t)
	for name, c := range map[string]struct {
		ranks  int
		within float64
		change func(*training.Pretrain)
	}{
		"synchronized":         {2, 1e-5, nothing},
		"synchronized, uneven": {3, 1e-5, nothing},
		"in bfloat16":          {2, 1e-3, func(s *training.Pretrain) { s.Gradients = "bfloat16" }},
		"each with its own":    {2, 1, func(s *training.Pretrain) { s.Statistics = learn.EachRank }},
	} {
		several, _, _ := shared{t.TempDir(), c.ranks, pretraining(dir, c.change), false, 0}.whole(t)
		if err := follow(one, several, c.within); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		t.Logf("%s: the loss ends at %.6f, of one process at %.6f", name, several[len(several)-1], one[len(one)-1])
	}
	one, _, _ = shared{t.TempDir(), 1, metaTraining(dir, init), false, 0}.whole(t)
	several, _, _ := shared{t.TempDir(), 2, metaTraining(dir, init), false, 0}.whole(t)
	if err := follow(one, several, 1e-5); err != nil {
		t.Errorf("episodes: %v", err)
	}
}

// TestRanksGoOn: if one rank is stopped, all ranks save, and they continue bit for bit. A different
// number of ranks continues too, and notes the differences.
func TestRanksGoOn(t *testing.T) {
	dir, init := speckles(t), written(t, networktest.ResNet12([]int{16, 16, 16, 32}, 32, 1))
	for name, c := range map[string]struct {
		settings func(int) preparer
		note     string
	}{
		"synchronized": {pretraining(dir, func(*training.Pretrain) {}), "last digits"},
		"in bfloat16":  {pretraining(dir, func(s *training.Pretrain) { s.Gradients = "bfloat16" }), "last digits"},
		"each with its own": {pretraining(dir, func(s *training.Pretrain) { s.Statistics = learn.EachRank }),
			"the statistics, are others than before"},
		"episodes": {metaTraining(dir, init), "the statistics, are others than before"},
	} {
		_, _, want := shared{t.TempDir(), 2, c.settings, false, 0}.whole(t)
		for _, ranks := range []int{2, 1} {
			stopped := t.TempDir()
			before, _, errs := shared{stopped, 2, c.settings, false, 7}.run(t)
			for rank, err := range errs {
				if !errors.Is(err, context.Canceled) {
					t.Fatalf("%s: rank %d is stopped with %v", name, rank, err)
				}
			}
			after, notes, got := shared{stopped, ranks, c.settings, true, 0}.whole(t)
			if n := len(before) + len(after); n != 20 && n != 21 || len(before) > 8 {
				t.Errorf("%s: %d steps, then %d", name, len(before), len(after))
			}
			if ranks == 2 && !bytes.Equal(got, want) {
				t.Errorf("%s: the run that was stopped trains other weights", name)
			}
			if ranks == 1 && (len(notes) != 1 || !strings.Contains(notes[0], c.note)) {
				t.Errorf("%s: one rank notes %q, want one that says %q", name, notes, c.note)
			}
		}
	}
}

// TestRanksRefuse: all ranks report the difference if they do not have the same settings and
// images.
func TestRanksRefuse(t *testing.T) {
	dir, other, init := speckles(t), pictures(t), written(t, networktest.ResNet12([]int{16, 16, 16, 32}, 32, 1))
	teachers := [2]string{init, written(t, networktest.ResNet12([]int{16, 16, 16, 32}, 32, 2))}
	validated, split := [2]string{t.TempDir(), t.TempDir()}, filepath.Join(t.TempDir(), "split.json")
	for rank, root := range validated { // only the images for validation differ
		for _, class := range []string{"a", "b", "v", "w", "x", "y", "z"} {
			require.NoError(t, os.CopyFS(filepath.Join(root, class), os.DirFS(filepath.Join(dir, "ash"))))
			for i := range 16 {
				require.NoError(t, os.WriteFile(filepath.Join(root, class, fmt.Sprint("v", i, ".png")), make([]byte, 10+rank*len(strings.Trim(class, "ab"))), 0o600))
			}
		}
	}
	require.NoError(t, os.WriteFile(split, []byte(`{"train": ["a", "b"], "val": ["v", "w", "x", "y", "z"], "test": []}`), 0o600))
	second := func(change func(*training.Pretrain)) func(int) preparer {
		return func(rank int) preparer {
			return pretraining(dir, func(s *training.Pretrain) {
				if rank == 1 {
					change(s)
				}
			})(rank)
		}
	}
	for want, settings := range map[string]func(int) preparer{
		`rank 0 "rate = 0.0001", rank 1 "rate = 0.05"`: second(func(s *training.Pretrain) { s.Rate = 0.05 }),
		`different images: rank 0 "24 of 5 cla`:        second(func(s *training.Pretrain) { s.Data = other }),
		`different images: rank 0 "names and sizes`: func(rank int) preparer {
			return pretraining(validated[rank], func(s *training.Pretrain) { s.Split = split })(rank)
		},
		`different teachers`: func(rank int) preparer {
			return pretraining(dir, func(s *training.Pretrain) { s.Teacher = teachers[rank] })(rank)
		},
		"a batch of 3 images among 2 ranks, want at least 2": pretraining(dir, func(s *training.Pretrain) { s.Statistics, s.Stages[0].Batch = learn.EachRank, 3 }),
		`gradients is "float16"`:                             pretraining(dir, func(s *training.Pretrain) { s.Gradients = "float16" }),
		`statistics is "none"`:                               pretraining(dir, func(s *training.Pretrain) { s.Statistics = "none" }),
		"meta_batch is 3: want a multiple of the 2 ranks":    func(r int) preparer { s := metaTraining(dir, init)(r).(*training.Meta); s.MetaBatch = 3; return s },
		`statistics is "synchronized": an episode is normalized by its ow`: func(r int) preparer {
			s := metaTraining(dir, init)(r).(*training.Meta)
			s.Statistics = "synchronized"
			return s
		},
	} {
		_, _, errs := shared{t.TempDir(), 2, settings, false, 0}.run(t)
		for rank, err := range errs {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("rank %d: error %v, want one that says %q", rank, err, want)
			}
		}
	}
}
