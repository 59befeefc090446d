package learn

import (
	"context"
	"fmt"

	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/augment"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/tensor"
	"github.com/deepemd/deepemd/trainer/data"
)

// stored is an encoder that gives the maps of what it has, in order.
type stored struct {
	maps *tensor.Tensor
	at   int
}

func (*stored) Meta() weights.Meta { return weights.Meta{} }

func (s *stored) Forward(batch *tensor.Tensor) (*tensor.Tensor, error) {
	n, shape := batch.Shape[0], s.maps.Shape
	size := shape[1] * shape[2] * shape[3]
	s.at += n
	return tensor.Of(s.maps.Data[(s.at-n)*size:s.at*size], n, shape[1], shape[2], shape[3]), nil
}

// TestNodesAreThoseOfInference: the same maps give the nodes that core/embed makes
// of them, and gradients go back as the derivative says.
func TestNodesAreThoseOfInference(t *testing.T) {
	pre := imaging.Preprocess{Size: 16, Std: [3]float32{1, 1, 1}}
	for _, e := range []embed.Embedder{
		embed.FCN{Pyramid: []int{2, 1}}, embed.Grid{Levels: []int{2, 3}, Ratio: 2}, embed.Sampling{Patches: 10},
	} {
		n := nodesOf(e)
		const h, w, c = 3, 2, 4
		maps := tensor.New(n.inputs(), h, w, c)
		for i := range maps.Data {
			maps.Data[i] = float32(math.Sin(float64(i)))
		}
		want := require.Value(e.Embed(&stored{maps: maps}, pre, &imaging.Image{Width: 16, Height: 16, Pix: make([]uint8, 16*16*3)}))(t)
		got := make([]float32, n.count(h, w)*c)
		n.forward(got, maps.Data, h, w, c)
		if len(got) != len(want[0].Data) {
			t.Fatalf("%T: %d values of nodes, want %d", e, len(got), len(want[0].Data))
		}
		upstream := make([]float32, len(got))
		for i, v := range want[0].Data {
			if math.Abs(float64(got[i]-v)) > 1e-6 {
				t.Errorf("%T: value %d is %g, want %g", e, i, got[i], v)
			}
			upstream[i] = float32(math.Cos(float64(i)))
		}
		gradient := make([]float32, len(maps.Data))
		n.backward(gradient, upstream, h, w, c)
		// The nodes are linear in the maps: what they weigh is what the gradient weighs.
		var left, right float64
		for i, v := range got {
			left += float64(v * upstream[i])
		}
		for i, v := range maps.Data {
			right += float64(v * gradient[i])
		}
		if math.Abs(left-right) > 1e-4 {
			t.Errorf("%T: the gradient gives %g, the nodes %g", e, right, left)
		}
	}
}

// TestPartsGiveTheGradientOfTheWhole: with frozen statistics an episode may pass
// through the network in parts.
func TestPartsGiveTheGradientOfTheWhole(t *testing.T) {
	for _, kind := range []string{method.FCN, method.Grid} {
		s := settingsMeta()
		s.Embedder, s.FreezeStatistics, s.Layer = kind, true, "held"
		if kind == method.Grid {
			s.Grid = []int{1, 2}
		}
		gradients := func(atOnce int) (all []float32, loss float64) {
			s.AtOnce = atOnce
			require.NoError(t, s.Check())
			l := learns(t, s, 2)
			for _, bn := range l.Backbone().Norms() {
				bn.Frozen = true
			}
			o := require.Value(l.Gradients(episode(s, 5), nil))(t)
			for _, p := range l.Params() {
				all = append(all, p.Grad...)
			}
			return all, o.Loss
		}
		want, wantLoss := gradients(0)
		largest := float64(max(slices.Max(want), -slices.Min(want)))
		for _, atOnce := range []int{1, 20, 25} {
			got, loss := gradients(atOnce)
			if math.Abs(loss-wantLoss) > 1e-6 {
				t.Errorf("%s, %d at once: loss %g, want %g", kind, atOnce, loss, wantLoss)
			}
			for i, g := range got {
				if math.Abs(float64(g-want[i])) > 1e-4*largest {
					t.Fatalf("%s, %d at once: gradient %d is %g, want %g", kind, atOnce, i, g, want[i])
				}
			}
		}
	}
	e := encoder{nodes: averages(13), atOnce: 130}
	if got := e.part(80); got != 10 {
		t.Errorf("%d pictures at once, want 10", got)
	}
}

// folder makes a data set of gradients in a colour for each class.
func folderMeta(t *testing.T, classes int) *data.Set {
	t.Helper()
	dir := t.TempDir()
	for c := range classes {
		for n := range 4 {
			img := image.NewRGBA(image.Rect(0, 0, 60, 48))
			for i := range 60 * 48 {
				img.Set(i%60, i/60, color.RGBA{uint8(4 * (i % 60)), uint8(5 * (i / 60)), uint8(60*c + n), 255})
			}
			path := filepath.Join(dir, fmt.Sprintf("class%d", c), fmt.Sprintf("%d.png", n))
			require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
			file := require.Value(os.Create(path))(t)
			require.NoError(t, png.Encode(file, img))
			file.Close()
		}
	}
	set := require.Value(data.Open(dir))(t)
	t.Cleanup(func() { set.Close() })
	return set
}

// TestEpisodesOfCrops: a picture is so many crops one after the other, the same on
// any number of threads, others in every episode; a grid's ratio is drawn for each
// picture.
func TestEpisodesOfCrops(t *testing.T) {
	set := folderMeta(t, 3)
	for _, kind := range []string{method.Grid, method.Sampling} {
		s := settingsMeta()
		s.Embedder = kind
		if kind == method.Grid {
			s.Grid = []int{2, 1}
		} else {
			s.Patches = 5
		}
		const each = 5
		batches := func(threads int) (all []*tensor.Tensor) {
			s.Threads = threads
			e := require.Value(NewEpisodes(set, set.Classes(), s, augment.Policy{MinArea: 0.5}))(t)
			next, stop := e.Batches(context.Background(), s.Stages[0], 0, 0)
			defer stop()
			for range 2 {
				b := require.Value(next())(t)
				if len(b.Labels) != s.Way*s.Query {
					t.Fatalf("%s: %d labels", kind, len(b.Labels))
				}
				b.Images.MustShape("episode", s.Way*(s.Shot+s.Query)*each, 32, 32, 3)
				all = append(all, b.Images)
			}
			return all
		}
		got := batches(2)
		for i, other := range batches(1) {
			if !slices.Equal(other.Data, got[i].Data) {
				t.Errorf("%s: episode %d differs on another number of threads", kind, i)
			}
		}
		if slices.Equal(got[0].Data, got[1].Data) {
			t.Errorf("%s: two episodes are the same", kind)
		}
		// How much of the picture the first crop spans tells the ratio.
		spans := map[int]bool{}
		for picture := range s.Way * (s.Shot + s.Query) {
			row := got[0].Row(picture * each)
			spans[int(1000*math.Abs(float64(row[31*3]-row[0])))] = true
			class := math.Round(float64(row[2]) * 255 / 60)
			for crop := range each {
				if c := math.Round(float64(got[0].Row(picture*each + crop)[2]) * 255 / 60); c != class {
					t.Fatalf("%s: crop %d of picture %d is of another class", kind, crop, picture)
				}
			}
		}
		if len(spans) < 6 {
			t.Errorf("%s: only %d different crops come first", kind, len(spans))
		}
	}
	s := settingsMeta()
	s.Embedder = "magic"
	if _, err := NewEpisodes(set, set.Classes(), s, augment.Policy{}); err == nil {
		t.Error("no error for an unknown embedder")
	}
}
