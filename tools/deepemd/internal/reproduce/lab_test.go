package reproduce

import (
	"context"
	"errors"
	"fmt"
	"image/color"
	"math"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/cluster"
	"github.com/deepemd/deepemd/internal/kernel"
	"github.com/deepemd/deepemd/internal/mediatest"
	"github.com/deepemd/deepemd/internal/networktest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/tensor"
	"github.com/deepemd/deepemd/trainer/data"
	"github.com/deepemd/deepemd/trainer/evaluate"
)

// counting is an encoder that counts its inputs.
type counting struct {
	embed.Encoder
	passes int
}

func (c *counting) Forward(batch *tensor.Tensor) (*tensor.Tensor, error) {
	c.passes += batch.Shape[0]
	return c.Encoder.Forward(batch)
}

func network(t *testing.T, seed uint64) (*Network, *counting) {
	t.Helper()
	file := networktest.ResNet12([]int{4, 8, 12, 16}, 84, seed)
	net := require.Value(backbone.New(file, backbone.Options{Threads: 1}))(t)
	counted := &counting{Encoder: net}
	n := &Network{Name: "random", SHA256: fmt.Sprint("sum", seed), Kernels: kernel.Name(), Encoder: counted}
	n.Preprocess.Size, n.Preprocess.Mean, n.Preprocess.Std = 84, file.Meta.Mean, file.Meta.Std
	return n, counted
}

// dataset returns a folder with a number of classes: stripes of different widths and colors.
func dataset(t *testing.T, classes, each int) *Dataset {
	t.Helper()
	dir := t.TempDir()
	for class := range classes {
		for n := range each {
			mediatest.PNG(t, filepath.Join(dir, fmt.Sprint("class", class), fmt.Sprintf("%02d.png", n)), 40, 40, func(x, _ int) color.Color {
				shade := uint8(60 * ((x + n) / (2 + class) % 4))
				return color.RGBA{shade, uint8(40 * class), 255 - shade/2, 255}
			})
		}
	}
	set := require.Value(data.OpenSplit(dir, ""))(t)
	t.Cleanup(func() { _ = set.Close() })
	d := require.Value(NewDataset(set, Main, "", set.Classes()))(t)
	return d
}

func silent(_ string, work func(evaluate.Progress) error) error { return work(func(int, int) {}) }

func lab(t *testing.T, folder string) *Lab {
	t.Helper()
	n, _ := network(t, 1)
	store := require.Value(OpenStore(cluster.Single{}, folder))(t)
	return &Lab{
		Plan:     Plan{Episodes: 6, OneShotEpisodes: 6, Seed: 1, Query: 2, CropPictures: 8, Shots: []int{1, 2}, LayerEpisodes: 3},
		Networks: map[string]*Network{Main: n}, Data: map[string]*Dataset{Main: dataset(t, 10, 9)},
		Features: &Cache{Folder: t.TempDir()}, Store: store, Show: silent, Threads: 1,
		Today: func() time.Time { return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC) },
	}
}

func table(t *testing.T, l *Lab, name string) *Table {
	t.Helper()
	for _, table := range Tables(l.Plan) {
		if table.Name == name {
			return table
		}
	}
	t.Fatalf("no table %s", name)
	return nil
}

// A run of all tables that is stopped again and again measures each cell once, and ends with the
// results of a run that is not stopped.
func TestStoppedRunsGoOn(t *testing.T) {
	sides, channels := timedSides, timedChannels
	timedSides, timedChannels = []int{2}, []int{8}
	defer func() { timedSides, timedChannels = sides, channels }()
	data := map[string]*Dataset{Main: dataset(t, 5, 6), Onto: dataset(t, 5, 6)}
	folders, features := [2]string{t.TempDir(), t.TempDir()}, t.TempDir()
	run := func(folder string, steps int) (l *Lab, cells int, err error) {
		l = lab(t, folder)
		l.Plan = Plan{Episodes: 2, OneShotEpisodes: 3, Seed: 1, Query: 1, Shots: []int{1, 2}, LayerEpisodes: 2}
		l.Data, l.Features = data, &Cache{Folder: features, MostPatches: 25}
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		l.Show = func(what string, work func(evaluate.Progress) error) error {
			if steps--; steps < 0 {
				stop()
			}
			return silent(what, work)
		}
		l.Done = func(Cell, *Outcome) { cells++ }
		err = l.Run(ctx, Tables(l.Plan), false)
		return l, cells, err
	}
	stops, measured := 0, 0
	for {
		_, cells, err := run(folders[0], 30)
		measured += cells
		if err == nil {
			break
		}
		if stops++; !errors.Is(err, context.Canceled) || stops > 20 {
			t.Fatalf("stop %d: %v", stops, err)
		}
	}
	stopped, again, err := run(folders[0], 0)
	if err != nil || again != 0 || stops < 2 || measured != len(stopped.Store.Outcomes) {
		t.Errorf("%d cells after %d stops, and %d again, for %d outcomes, error %v", measured, stops, again, len(stopped.Store.Outcomes), err)
	}
	whole, _, err := run(folders[1], 1000)
	if err != nil || len(whole.Store.Times) != len(stopped.Store.Times) {
		t.Errorf("times differ from those of a whole run, error %v", err)
	}
	for _, c := range whole.Cells(Tables(whole.Plan)...) {
		if a, b := whole.Outcome(c), stopped.Outcome(c); b == nil || !slices.Equal(a.Right, b.Right) {
			t.Errorf("%s, %s, %s: %v, want %v", c.Table.Name, c.Row.Key, c.Column.Key, b, a)
		}
	}
	whole.Plan.Seed++
	if whole.Outcome(whole.Cells(Tables(whole.Plan)...)[0]) != nil {
		t.Error("other episodes have an outcome before they are measured")
	}
}

// The limiting cases of table 2 agree episode by episode: a cluster per node equals equal weights,
// and a single cluster equals an infinite bandwidth.
func TestLimitsOfClusters(t *testing.T) {
	l := lab(t, t.TempDir())
	weights := table(t, l, "table2")
	require.NoError(t, l.Measure(context.Background(), l.Cells(weights)))
	for _, c := range weights.Columns {
		right := func(key string) []int { return l.Outcome(Cell{weights, weights.row(key), c}).Right }
		if a, b := right("equal"), right("k-means:25"); !slices.Equal(a, b) {
			t.Errorf("%s: equal weights %v, 25 clusters %v", c.Label, a, b)
		}
		if a, b := right("k-means:1"), right("mean-shift:+Inf"); !slices.Equal(a, b) {
			t.Errorf("%s: one cluster %v, infinite bandwidth %v", c.Label, a, b)
		}
	}
	var bandwidths [2]float64
	for i, share := range []string{"0.5", "1"} {
		o := l.Outcome(Cell{weights, weights.row(relativeShift + share), weights.Columns[0]})
		if _, err := fmt.Sscanf(o.Weighting, "mean-shift:%g", &bandwidths[i]); err != nil {
			t.Errorf("a relative bandwidth became %s", o.Weighting)
		}
	}
	if half, mean := bandwidths[0], bandwidths[1]; !(math.Abs(half/mean-0.5) <= 0.01) {
		t.Errorf("bandwidths of half the mean and of the mean are %g and %g", half, mean)
	}
	require.NoError(t, l.MeasureTimes(context.Background(), l.Cells(weights)[:1]))
	if o := l.Outcome(l.Cells(weights)[0]); !o.Alone || o.QueryMS <= 0 {
		t.Errorf("after timing: %+v", o)
	}
}

// Times are per query, and per episode's learning.
func TestTimesOfOutcomes(t *testing.T) {
	o := &Outcome{Setting: Setting{Way: 5, Query: 3}}
	o.time(&evaluate.Result{Accuracies: make([]float64, 4), Scoring: 6 * time.Second, Fitting: 2 * time.Second})
	if o.QueryMS != 100 || o.LearnMS != 500 {
		t.Errorf("%g ms a query, %g ms to learn, want 100 and 500", o.QueryMS, o.LearnMS)
	}
}

func TestVerdicts(t *testing.T) {
	for _, test := range []struct {
		difference, half float64
		want             string
	}{
		{0.02, 0.01, "+2.00 ± 1.00, holds"}, {-0.02, 0.01, "**-2.00 ± 1.00, does not hold**"}, {0.005, 0.01, "+0.50 ± 1.00, open"}, {0, 0, "+0.00 ± 0.00, open"},
	} {
		if got := (Verdict{Difference: test.difference, Half: test.half}).String(); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}
