package job_test

import (
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/deepemd/deepemd/core/backbone"
	"github.com/deepemd/deepemd/core/tensor"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/networktest"
	"github.com/deepemd/deepemd/trainer/training"
	"github.com/deepemd/deepemd/trainer/training/job"
	"github.com/deepemd/deepemd/trainer/training/runfolder"
)

// stripes makes four classes of six pictures, stripes of four directions.
func stripes(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for i := range 24 {
		class, shift := i%4, float64(i)
		img := image.NewGray(image.Rect(0, 0, 64, 64))
		angle := math.Pi * float64(class) / 4
		for p := range 64 * 64 {
			x, y := float64(p%64), float64(p/64)
			img.Set(p%64, p/64, color.Gray{Y: uint8(127 + 100*math.Sin((x*math.Cos(angle)+y*math.Sin(angle))/2+shift))})
		}
		path := filepath.Join(dir, []string{"ash", "elm", "fir", "oak"}[class], strconv.Itoa(i)+".png")
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		file, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := png.Encode(file, img); err != nil {
			t.Fatal(err)
		}
		file.Close()
	}
	return dir
}

// TestFurther: networks of one's own are taught further by episodes of one's own pictures.
// The loss falls, and what comes of it is a network of the same kind, other than before.
func TestFurther(t *testing.T) {
	dir := stripes(t)
	transformer := networktest.Transformer()
	transformer.Meta.Extra[backbone.KeyGrid] = "3"
	for name, c := range map[string]struct {
		file   *weights.File
		change func(s *job.Meta)
	}{
		"a ResNet":                     {networktest.Residual(false), func(s *job.Meta) { s.Rate, s.FreezeStatistics = 0.05, true }},
		"a bottleneck, by its batches": {networktest.Residual(true), func(s *job.Meta) { s.Rate, s.Precision = 0.05, "float32" }},
		"a transformer, by AdamW":      {transformer, func(s *job.Meta) { s.Optimizer, s.Rate = training.AdamW, 1e-3 }},
		"a transformer, in parts": {networktest.Transformer(), func(s *job.Meta) {
			s.Optimizer, s.Rate, s.FreezeStatistics, s.AtOnce, s.Stages[0].Size = training.AdamW, 1e-3, true, 4, 56
		}},
	} {
		s := job.NewMeta()
		s.Data, s.Init, s.Threads, s.Way, s.Query, s.Episodes, s.Schedule = dir, written(t, c.file), 2, 4, 2, 24, "cosine"
		s.Layer = "held"
		s.Stages = []training.Stage{{Epochs: 1, Batch: 12}}
		c.change(s)
		ready, err := s.Prepare(t.Context(), job.Work{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		defer ready.Close()
		var losses []float64
		ready.Dir, ready.Watch.Step = t.TempDir(), func(r runfolder.Record, _, _ int) { losses = append(losses, r.Loss) }
		if err := ready.Run(t.Context(), false); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		first, last := mean(losses[:6]), mean(losses[18:])
		t.Logf("%s: loss %.3f, then %.3f", name, first, last)
		if !(last < 0.9*first) {
			t.Errorf("%s: the loss goes from %g to %g", name, first, last)
		}
		raw, err := os.ReadFile(filepath.Join(ready.Dir, training.LastFile))
		if err != nil {
			t.Fatal(err)
		}
		f, err := weights.Decode(name, raw)
		if err != nil {
			t.Fatal(err)
		}
		net, err := backbone.New(f, backbone.Options{Threads: 1})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		size := s.Stages[0].Size
		if _, err := net.Forward(tensor.New(1, size, size, 3)); err != nil || f.Meta.InputSize != size {
			t.Errorf("%s: of %d pixels: %v", name, f.Meta.InputSize, err)
		}
		if f.Meta.Arch != c.file.Meta.Arch || f.Meta.Name != "made-up" || f.Meta.Extra[backbone.KeyGrid] == "" || len(f.Tensors) != len(c.file.Tensors) {
			t.Errorf("%s: it says %+v and has %d tensors, want %d", name, f.Meta, len(f.Tensors), len(c.file.Tensors))
		}
	}
}

func mean(values []float64) (sum float64) {
	for _, v := range values {
		sum += v / float64(len(values))
	}
	return sum
}
