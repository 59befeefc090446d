package learn

import (
	"context"
	"fmt"
	"image/color"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/core/weights"
	"github.com/deepemd/deepemd/internal/augment"
	"github.com/deepemd/deepemd/internal/cluster"
	"github.com/deepemd/deepemd/internal/mediatest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/tensor"
	"github.com/deepemd/deepemd/trainer/data"
)

// stored is an encoder that returns its maps in order.
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

// TestNodesAreThoseOfInference: the nodes of a map equal core/embed's nodes, and gradients equal
// the derivatives.
func TestNodesAreThoseOfInference(t *testing.T) {
	pre := imaging.Preprocess{Size: 16, Std: [3]float32{1, 1, 1}}
	for _, e := range []embed.Embedder{
		embed.FCN{Pyramid: []int{2, 1}}, embed.Grid{Levels: []int{2, 3}, Ratio: 2}, embed.Sampling{Patches: 10},
	} {
		n := nodesOf(e)
		const h, w, c = 3, 2, 4
		maps := tensor.New(n.Inputs(), h, w, c)
		for i := range maps.Data {
			maps.Data[i] = float32(math.Sin(float64(i)))
		}
		want := require.Value(embed.Embed(e, &stored{maps: maps}, pre, &imaging.Image{Width: 16, Height: 16, Pix: make([]uint8, 16*16*3)}))(t)
		got := make([]float32, n.Nodes(h, w)*c)
		n.Forward(got, maps.Data, h, w, c)
		if len(got) != len(want[0].Data) {
			t.Fatalf("%T: %d values of nodes, want %d", e, len(got), len(want[0].Data))
		}
		upstream := make([]float32, len(got))
		for i, v := range want[0].Data {
			if !(math.Abs(float64(got[i]-v)) <= 1e-6) {
				t.Errorf("%T: value %d is %g, want %g", e, i, got[i], v)
			}
			upstream[i] = float32(math.Cos(float64(i)))
		}
		gradient := make([]float32, len(maps.Data))
		n.Backward(gradient, upstream, h, w, c)
		// The nodes are linear in the maps: both weighted sums are equal.
		var left, right float64
		for i, v := range got {
			left += float64(v * upstream[i])
		}
		for i, v := range maps.Data {
			right += float64(v * gradient[i])
		}
		if !(math.Abs(left-right) <= 1e-4) {
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
			if !(math.Abs(loss-wantLoss) <= 1e-6) {
				t.Errorf("%s, %d at once: loss %g, want %g", kind, atOnce, loss, wantLoss)
			}
			for i, g := range got {
				if !(math.Abs(float64(g-want[i])) <= 1e-4*largest) {
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

// folderMeta makes a data set of gradients in a color for each class.
func folderMeta(t *testing.T, classes int) *data.Set {
	t.Helper()
	dir := t.TempDir()
	for c := range classes {
		for n := range 4 {
			mediatest.PNG(t, filepath.Join(dir, fmt.Sprintf("class%d", c), fmt.Sprintf("%d.png", n)), 60, 48, func(x, y int) color.Color {
				return color.RGBA{uint8(4 * x), uint8(5 * y), uint8(60*c + n), 255}
			})
		}
	}
	set := require.Value(data.OpenSplit(dir, ""))(t)
	t.Cleanup(func() { set.Close() })
	return set
}

// TestEpisodesOfCrops: an image's crops are consecutive. They do not depend on the number of
// threads and differ between episodes. A grid's ratio is drawn for each image. A query's label is the
// position of its class in the support.
func TestEpisodesOfCrops(t *testing.T) {
	set := folderMeta(t, 3)
	class := func(images *tensor.Tensor, i int) float64 { return math.Round(float64(images.Row(i)[2]) * 255 / 60) }
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
			s := *s // the last call still prepares episodes
			s.Threads = threads
			e := require.Value(NewEpisodes(set, set.Classes(), &s, augment.Policy{MinArea: 0.5}))(t)
			next, stop := e.Batches(context.Background(), s.Stages[0], 0, 0)
			defer stop()
			for range 2 {
				b := require.Value(next())(t)
				if len(b.Labels) != s.Way*s.Query {
					t.Fatalf("%s: %d labels", kind, len(b.Labels))
				}
				b.Images.MustShape("episode", s.Way*(s.Shot+s.Query)*each, 32, 32, 3)
				for query, label := range b.Labels {
					if got, want := class(b.Images, (s.Way*s.Shot+query)*each), class(b.Images, label*each); got != want {
						t.Errorf("%s: query %d is of class %g, its label's is %g", kind, query, got, want)
					}
				}
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
			for crop := range each {
				if class(got[0], picture*each+crop) != class(got[0], picture*each) {
					t.Fatalf("%s: crop %d of picture %d is of another class", kind, crop, picture)
				}
			}
		}
		if len(spans) < 6 {
			t.Errorf("%s: only %d different crops come first", kind, len(spans))
		}
	}
	for name, spoil := range map[string]func(s *EpisodeSettings){
		"an unknown embedder": func(s *EpisodeSettings) { s.Embedder = "magic" },
		"too few classes":     func(s *EpisodeSettings) { s.Way = 4 },
	} {
		s := settingsMeta()
		spoil(s)
		if _, err := NewEpisodes(set, set.Classes(), s, augment.Policy{}); err == nil {
			t.Errorf("no error for %s", name)
		}
	}
}

// TestEpisodesOfSteps: steps and epochs have different episodes, and ranks share the episodes of a step.
func TestEpisodesOfSteps(t *testing.T) {
	set, s := folderMeta(t, 4), settingsMeta()
	s.MetaBatch = 2
	batches := func(g cluster.Group, epoch int) (all []*tensor.Tensor) {
		e := require.Value(NewEpisodes(set, set.Classes(), s, augment.Policy{}))(t)
		e.Group = g
		next, stop := e.Batches(t.Context(), s.Stages[0], epoch, 0)
		defer stop()
		for range e.Steps(s.Stages[0]) {
			all = append(all, require.Value(next())(t).Images)
		}
		return all
	}
	var seen [][]float32
	for epoch := range 3 {
		ranks := cluster.InProcess(2)
		first, second := batches(ranks[0], epoch), batches(ranks[1], epoch)
		for step, b := range batches(nil, epoch) {
			if !slices.Equal(b.Data, slices.Concat(first[step].Data, second[step].Data)) {
				t.Errorf("epoch %d, step %d: two ranks have other episodes than one process", epoch, step)
			}
			for _, episode := range [][]float32{first[step].Data, second[step].Data} {
				if slices.ContainsFunc(seen, func(other []float32) bool { return slices.Equal(other, episode) }) {
					t.Errorf("epoch %d, step %d: an episode that was seen before", epoch, step)
				}
				seen = append(seen, episode)
			}
		}
	}
}

// ramp returns an image whose red is the column of a pixel, whose green is the row, and whose blue is a
// chessboard of single pixels.
func ramp(side int) *imaging.Image {
	img := &imaging.Image{Width: side, Height: side, Pix: make([]uint8, side*side*3)}
	for y := range side {
		for x := range side {
			p := img.Pix[(y*side+x)*3:]
			p[0], p[1], p[2] = uint8(255*x/side), uint8(255*y/side), uint8(255*((x+y)%2))
		}
	}
	return img
}

// spanned is which share of a ramp's sides an input of the network shows: from its
// middle half, since scaling bends the ramp at the edges.
func spanned(img *imaging.Image) (across, down float64) {
	at := func(x, y, c int) float64 { return float64(img.Pix[(y*img.Width+x)*3+c]) / 255 }
	from, to, n := img.Width/4, 3*img.Width/4, float64(img.Width)
	scale := n / float64(to-from)
	return scale * math.Abs(at(to, from, 0)-at(from, from, 0)), scale * (at(from, to, 1) - at(from, from, 1))
}

// Random crops of an episode are distributed like torchvision's RandomResizedCrop in the authors'
// code: 8% to 100% of the image's area, sides from 3:4 to 4:3, every second one mirrored. They are
// cropped from the original image, not from a smaller view.
func TestRandomCropsOfTraining(t *testing.T) {
	s := settingsMeta()
	s.Embedder, s.Patches = "sampling", 9
	e := &Episodes{embedder: embed.Sampling{Patches: 9}, policy: augment.Policy{MinArea: 0.9, Pad: 0.2, Flip: true}, settings: s}
	r := rand.New(rand.NewPCG(1, 2))
	img := ramp(64)
	var sum, least, most float64 = 0, 1, 0
	var mirrored, fine, all int
	for range 100 {
		inputs := e.inputs(img, 32, r)
		if len(inputs) != 9 {
			t.Fatalf("%d inputs of a picture, want 9", len(inputs))
		}
		for _, in := range inputs {
			across, down := spanned(in)
			area, aspect := across*down, across/down
			// A crop's side of 18 px spans about 70 of 255 steps, and is measured to about 3%.
			if aspect < 0.75*0.9 || aspect > 4./3/0.9 {
				t.Errorf("a crop of %.2f × %.2f of the sides", across, down)
			}
			sum, least, most = sum+area, min(least, area), max(most, area)
			all++
			if in.Pix[0] > in.Pix[31*3] {
				mirrored++
			}
			if across < 0.5 && down < 0.5 { // fewer pixels than the network takes
				var contrast float64
				for i := 2; i < len(in.Pix); i += 3 {
					contrast += math.Abs(float64(in.Pix[i])-127.5) / 127.5 / float64(len(in.Pix)/3)
				}
				if contrast < 0.1 {
					t.Errorf("a crop of %.2f × %.2f has lost the picture's detail: contrast %.3f", across, down, contrast)
				}
				fine++
			}
		}
	}
	if least < 0.06 || least > 0.12 || most < 0.85 || most > 1.1 {
		t.Errorf("crops have from %.2f to %.2f of the area, want from 0.08 to 1", least, most)
	}
	// The largest shares do not fit in every proportion, and are drawn again.
	if mean := sum / float64(all); mean < 0.44 || mean > 0.56 {
		t.Errorf("crops have %.3f of the area on average", mean)
	}
	if mirrored < all/2-all/10 || mirrored > all/2+all/10 || fine < 50 {
		t.Errorf("%d of %d crops are mirrored, %d small", mirrored, all, fine)
	}
}

// Few crops are for training, many for tests, and a grid has the paper's ratio there.
func TestValidationIsAsTestsGo(t *testing.T) {
	s := settingsMeta()
	s.Embedder, s.Patches, s.ValidationPatches = method.Sampling, 9, 25
	if train, test := s.Choice(), s.Validation(); train.Patches != 9 || test.Patches != 25 || test.Kind != method.Sampling {
		t.Errorf("taught with %v, validated with %v", train, test)
	}
	if s.ValidationPatches = 0; s.Validation().Patches != 9 {
		t.Errorf("validated with %v, want as many crops as in training", s.Validation())
	}
	s = settingsMeta()
	s.Embedder, s.Grid = method.Grid, []int{2, 3}
	if test := s.Validation().Complete(); test.Ratio != 2 || !slices.Equal(test.Grid, []int{2, 3}) {
		t.Errorf("validated with %v", test)
	}
}

// The ratio of crop to cell is drawn from 1 to 3 for each picture and grid, evenly. In a
// 2×2 grid the first crop reaches (1 + ratio)/4 of the side, and all of it from ratio 3.
func TestRatiosOfTraining(t *testing.T) {
	s := settingsMeta()
	e := &Episodes{embedder: embed.Grid{Levels: []int{2, 2}, Ratio: 2}, settings: s}
	r := rand.New(rand.NewPCG(3, 4))
	var sum, least, most float64 = 0, 9, 0
	const pictures = 300
	same := 0
	for range pictures {
		inputs := e.inputs(ramp(128), 32, r)
		if len(inputs) != 8 {
			t.Fatalf("%d inputs of a picture, want 8", len(inputs))
		}
		var ratios [2]float64
		for level := range 2 {
			across, down := spanned(inputs[4*level])
			if !(math.Abs(across-down) <= 0.03) {
				t.Errorf("the first crop is %.2f × %.2f of the sides", across, down)
			}
			ratios[level] = 4*across - 1
			sum, least, most = sum+ratios[level], min(least, ratios[level]), max(most, ratios[level])
		}
		if math.Abs(ratios[0]-ratios[1]) < 0.01 {
			same++
		}
	}
	mean := sum / (2 * pictures)
	if least < 0.85 || least > 1.15 || most < 2.8 || most > 3.15 || !(math.Abs(mean-2) <= 0.12) || same > pictures/10 {
		t.Errorf("ratios from %.2f to %.2f, %.2f on average, %d times the same for both grids", least, most, mean, same)
	}
}
