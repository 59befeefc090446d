package reproduce

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/xml"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/learner"
	"github.com/deepemd/deepemd/core/match"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/internal/atomicfile"
	"github.com/deepemd/deepemd/internal/backbone"
	"github.com/deepemd/deepemd/internal/networktest"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/tensor"

	"github.com/deepemd/deepemd/internal/cluster"
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
	n := &Network{Name: "random", SHA256: fmt.Sprint("sum", seed), Kernels: net.Kernels(), Encoder: counted}
	n.Preprocess.Size, n.Preprocess.Mean, n.Preprocess.Std = 84, file.Meta.Mean, file.Meta.Std
	return n, counted
}

// dataset returns a folder with a number of classes: stripes of different widths and colors.
func dataset(t *testing.T, classes, each int) *Dataset {
	t.Helper()
	dir := t.TempDir()
	for class := range classes {
		require.NoError(t, os.Mkdir(filepath.Join(dir, fmt.Sprint("class", class)), 0o777))
		for n := range each {
			img := image.NewRGBA(image.Rect(0, 0, 40, 40))
			for i := range 1600 {
				shade := uint8(60 * ((i%40 + n) / (2 + class) % 4))
				img.Set(i%40, i/40, color.RGBA{shade, uint8(40 * class), 255 - shade/2, 255})
			}
			var raw bytes.Buffer
			require.NoError(t, png.Encode(&raw, img))
			require.NoError(t, os.WriteFile(filepath.Join(dir, fmt.Sprint("class", class), fmt.Sprintf("%02d.png", n)), raw.Bytes(), 0o666))
		}
	}
	set := require.Value(data.Open(dir))(t)
	t.Cleanup(func() { _ = set.Close() })
	d := require.Value(NewDataset(set, set.Classes()))(t)
	d.Paper = PaperName(d.Name)
	return d
}

func silent(_ string, work func(evaluate.Progress) error) error { return work(func(int, int) {}) }

// Derived features equal the embedder's own.
func TestDerivedFeaturesAreTheEmbeddersOwn(t *testing.T) {
	n, _ := network(t, 1)
	d := dataset(t, 2, 2)
	var pictures []string
	for _, class := range d.classes {
		for _, p := range d.set.Pictures(class) {
			pictures = append(pictures, p.Name)
		}
	}
	cache := &Cache{MostPatches: 7}
	for _, choice := range []method.Embedder{
		{}, {Pyramid: []int{2}}, {Pyramid: []int{2, 1}}, grid(2), grid(2, 3), grid(1, 2), sampling(7), sampling(4),
	} {
		got := require.Value(cache.Features(context.Background(), n, d, choice, pictures, silent))(t)
		embedder := require.Value(learner.AllParts().Embedder(choice))(t)
		want := require.Value(evaluate.Extract(context.Background(), pictures, d.set.Image, evaluate.Extraction{Encoder: n.Encoder, Embedder: embedder, Preprocess: n.Preprocess}))(t)
		for name, set := range want {
			if g := got[name]; g.N != set.N || g.C != set.C || !near(g.Data, set.Data) {
				t.Errorf("%s, %s: %d nodes of %d channels that differ from the embedder's %d of %d", describe(choice), name, g.N, g.C, set.N, set.C)
			}
		}
	}
}

// The bases of an embedder may have the features of different images.
func TestBasesOfDifferentImages(t *testing.T) {
	n, _ := network(t, 1)
	d := dataset(t, 1, 2)
	all, cache := []string{d.set.Pictures("class0")[0].Name, d.set.Pictures("class0")[1].Name}, &Cache{}
	require.Value(cache.Features(t.Context(), n, d, grid(2), all, silent))(t)
	got := require.Value(cache.Features(t.Context(), n, d, grid(2, 3), all[:1], silent))(t)
	if len(got) != 1 || got[all[0]].N != 13 {
		t.Errorf("%d images, want one with 13 nodes", len(got))
	}
}

// near allows for different rounding in other batches.
func near(a, b []float32) bool {
	return slices.EqualFunc(a, b, func(x, y float32) bool { return max(x-y, y-x) <= 1e-5*(1+max(x, -x)) })
}

func TestPicturesAreEmbeddedOnce(t *testing.T) {
	n, counted := network(t, 1)
	d := dataset(t, 2, 3)
	folder := t.TempDir()
	pictures := []string{"class0/00.png", "class0/01.png", "class1/02.png"}
	ask := func(c *Cache, choice method.Embedder, names []string) evaluate.Features {
		t.Helper()
		features := require.Value(c.Features(context.Background(), n, d, choice, names, silent))(t)
		return features
	}
	expect := func(passes int, when string) {
		t.Helper()
		if counted.passes != passes {
			t.Errorf("%s: %d passes through the network, want %d", when, counted.passes, passes)
		}
		counted.passes = 0
	}
	first := &Cache{Folder: folder}
	ask(first, method.Embedder{}, pictures[:2])
	expect(2, "at first")
	was := ask(first, method.Embedder{Pyramid: []int{1}}, pictures)
	expect(1, "with a pyramid and a picture more")
	again := &Cache{Folder: folder}
	now := ask(again, method.Embedder{Pyramid: []int{1}}, pictures)
	expect(0, "from the folder")
	for _, name := range pictures {
		if !slices.Equal(was[name].Data, now[name].Data) {
			t.Errorf("%s is another from the folder", name)
		}
	}
	parts, _ := filepath.Glob(filepath.Join(folder, "*", "*.npy"))
	if len(parts) != 2 {
		t.Fatalf("%d files in the folder, want 2", len(parts))
	}
	require.NoError(t, os.WriteFile(parts[0], []byte("no array"), 0o666))
	ask(&Cache{Folder: folder}, method.Embedder{}, pictures)
	if counted.passes == 0 {
		t.Error("a damaged file is taken for features")
	}
	counted.passes = 0
	ask(&Cache{Folder: folder}, method.Embedder{}, pictures)
	expect(0, "after it was mended")
	// Temporary files of a killed run are deleted after a day.
	young, old := parts[0]+".01234567.tmp", parts[0]+".89abcdef.tmp"
	for _, path := range []string{young, old} {
		require.NoError(t, os.WriteFile(path, []byte("half"), 0o666))
	}
	yesterday := time.Now().Add(-25 * time.Hour)
	require.NoError(t, os.Chtimes(old, yesterday, yesterday))
	ask(&Cache{Folder: folder}, method.Embedder{}, pictures)
	expect(0, "beside half a file")
	if left, _ := filepath.Glob(filepath.Join(folder, "*", "*.tmp")); !slices.Equal(left, []string{young}) {
		t.Errorf("half-written files in the folder: %v, want only that of today", left)
	}
	// While another process embeds, this one does not. It uses the results of the other one
	// afterwards.
	c := &Cache{Folder: folder}
	require.NoError(t, os.Remove(parts[0]))
	require.Value(c.loadShared(cluster.Single{}, c.key(n, d, method.Embedder{})))(t)
	held := require.Value(atomicfile.HoldFolder(filepath.Dir(parts[0])))(t)
	if _, err := c.Features(context.Background(), n, d, method.Embedder{}, pictures, silent); !errors.As(err, new(*atomicfile.InUseError)) || !strings.Contains(err.Error(), filepath.Dir(parts[0])) {
		t.Errorf("error %v, want that %s is in use", err, filepath.Dir(parts[0]))
	}
	expect(0, "while another embeds")
	require.NoError(t, held.Release())
	ask(&Cache{Folder: folder}, method.Embedder{}, pictures)
	counted.passes = 0
	ask(c, method.Embedder{}, pictures)
	expect(0, "after another has embedded")
	other, otherCounted := network(t, 2)
	if _, err := (&Cache{Folder: folder}).Features(context.Background(), other, d, method.Embedder{}, pictures, silent); err != nil || otherCounted.passes != 3 {
		t.Errorf("another network: %d passes, error %v", otherCounted.passes, err)
	}
}

func lab(t *testing.T, folder string) *Lab {
	t.Helper()
	n, _ := network(t, 1)
	store := require.Value(OpenStore(cluster.Single{}, folder))(t)
	return &Lab{
		Plan:     Plan{Episodes: 6, OneShotEpisodes: 6, Seed: 1, Query: 2, CropPictures: 8, Shots: []int{1, 2}, ShotEpisodes: 3},
		Networks: map[string]*Network{Main: n}, Data: map[string]*Dataset{Main: dataset(t, 10, 9)},
		Features: &Cache{}, Store: store, Show: silent, Threads: 1,
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

// A stopped run keeps its results, and the next run measures the rest.
func TestStoppedRunsGoOn(t *testing.T) {
	folder := t.TempDir()
	l := lab(t, folder)
	weights := table(t, l, "table2")
	cells := l.Cells(weights)
	ctx, stop := context.WithCancel(context.Background())
	l.Done = func(Cell, *Outcome) { stop() }
	if err := l.Measure(ctx, cells); !errors.Is(err, context.Canceled) {
		t.Fatalf("a stopped run gives %v", err)
	}
	store, err := OpenStore(cluster.Single{}, folder)
	if err != nil || len(store.Outcomes) != 1 {
		t.Fatalf("%d outcomes are kept, error %v", len(store.Outcomes), err)
	}
	l.Store, l.Done = store, nil
	measured := 0
	l.Show = func(what string, work func(evaluate.Progress) error) error {
		measured++
		return silent(what, work)
	}
	require.NoError(t, l.Measure(context.Background(), cells))
	if got := len(l.Store.Outcomes); got != len(cells) || measured < got-1 || measured > got+1 { // pictures are embedded for 5-way and for 10-way episodes
		t.Errorf("%d outcomes of %d cells after %d pieces of work", got, len(cells), measured)
	}
	measured = 0
	if err := l.Measure(context.Background(), cells); err != nil || measured != 0 {
		t.Errorf("nothing is to do, and %d pieces of work were done: %v", measured, err)
	}
	l.Plan.Seed++
	if l.Outcome(cells[0]) != nil {
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
	if o := l.Outcome(Cell{weights, weights.row(relativeShift + "0.5"), weights.Columns[0]}); !strings.HasPrefix(o.Weighting, "mean-shift:") {
		t.Errorf("a relative bandwidth became %s", o.Weighting)
	}
	require.NoError(t, l.MeasureTimes(context.Background(), l.Cells(weights)[:1]))
	if o := l.Outcome(l.Cells(weights)[0]); !o.Alone || o.QueryMS <= 0 {
		t.Errorf("after timing: %+v", o)
	}
}

// Remembered groups are the groups.
func TestRememberedGroups(t *testing.T) {
	set := &embed.Set{N: 4, C: 2, Data: []float32{0, 0, 0, 1, 9, 9, 9, 8}}
	g := newCachedGrouping(match.KMeans{K: 2}, evaluate.Features{"a": set})
	first, _, err := g.Merge(set)
	if err != nil || first.N != 2 {
		t.Fatalf("%v, %v", first, err)
	}
	if again, _, _ := g.Merge(set); again != first {
		t.Error("a picture is merged twice")
	}
	copied := &embed.Set{N: 4, C: 2, Data: slices.Clone(set.Data)}
	if other, _, err := g.Merge(copied); err != nil || other == first || !slices.Equal(other.Data, first.Data) {
		t.Errorf("another set of the same values: %v, %v", other, err)
	}
	if _, _, err := g.Merge(nil); !errors.Is(err, embed.ErrSet) {
		t.Errorf("no set: %v", err)
	}
}

func TestReport(t *testing.T) {
	folder := t.TempDir()
	l := lab(t, folder)
	l.Data[Main].Paper = "miniImageNet"
	paper := require.Value(ReadPaper())(t)
	r := &Report{Lab: l, Paper: paper, Folder: folder, Command: func(t *Table) string { return "deepemd reproduce " + t.Name }, Missing: map[string]string{Plain: "--weights-plain", Onto: "--onto"}}
	tables := Tables(l.Plan)
	for _, name := range []string{"table1", "table4", "kshot"} {
		some := table(t, l, name)
		require.NoError(t, l.Measure(context.Background(), l.Cells(some)))
		require.NoError(t, r.Write(some))
	}
	require.NoError(t, r.Index(tables))
	read := func(name string) string {
		raw := require.Value(os.ReadFile(filepath.Join(folder, name)))(t)
		return string(raw)
	}
	index := read("README.md")
	for _, want := range []string{
		"Table 1", "| 65.91 |", "deepemd reproduce table1", "SHA-256 sum1", "6 episodes with 2 queries per class, seed 1", "measured 2026-01-02",
		"Does the paper's ranking hold here?", `Not measured: "DeepEMD-FCN" needs a second model (--weights-plain)`, "kshot.svg", "3 episodes with",
	} {
		if !strings.Contains(index, want) {
			t.Errorf("README.md lacks %q:\n%s", want, index)
		}
	}
	if strings.Contains(index, "Table 2") {
		t.Error("README.md has a table that was not measured")
	}
	lines, err := csv.NewReader(strings.NewReader(read("table1.csv"))).ReadAll()
	methods := table(t, l, "table1")
	if err != nil || len(lines) != 1+len(methods.Rows)*len(methods.Columns) {
		t.Fatalf("%d lines, error %v", len(lines), err)
	}
	last := lines[len(lines)-1]
	if last[0] != "table1" || last[1] != "deepemd-fcn" || last[4] != "5" || last[14] != "6" {
		t.Errorf("the last line is %v", last)
	}
	if err := xml.Unmarshal([]byte(read("kshot.svg")), new(struct{})); err != nil {
		t.Error(err)
	}
	if err := l.Prune(tables[:1]); err != nil || len(l.Store.Outcomes) != len(l.Cells(tables[0])) {
		t.Errorf("%d outcomes are left, error %v", len(l.Store.Outcomes), err)
	}
}

// The figure can be drawn without results, and with a single number of shots.
func TestFigureOfLittle(t *testing.T) {
	l := lab(t, t.TempDir())
	l.Plan.Shots = []int{1}
	r := &Report{Lab: l, Paper: new(Paper)}
	figure := table(t, l, "kshot")
	for range 2 {
		var out bytes.Buffer
		require.NoError(t, r.draw(&out, figure))
		require.NoError(t, xml.Unmarshal(out.Bytes(), new(struct{})))
		require.NoError(t, l.Measure(context.Background(), l.Cells(figure)[1:2]))
	}
}

// Retrieval is measured once, and reported.
func TestFindings(t *testing.T) {
	folder := t.TempDir()
	l := lab(t, folder)
	l.Plan.GalleryPictures = 3
	finds := table(t, l, "retrieval")
	for range 2 {
		require.NoError(t, l.Find(context.Background()))
		store := require.Value(OpenStore(cluster.Single{}, folder))(t)
		l.Store = store
		l.Show = func(what string, _ func(evaluate.Progress) error) error { return errors.New(what + " again") }
	}
	found := l.findings()
	if len(found) != 3 || found[0].Queries != 30 || len(found[2].Recall) != len(foundAt) || found[1].RPrecision != found[2].RPrecision {
		t.Fatalf("%+v", found)
	}
	r := &Report{Lab: l, Paper: new(Paper), Folder: folder, Command: func(t *Table) string { return t.Name }}
	require.NoError(t, r.Write(finds))
	raw, err := os.ReadFile(filepath.Join(folder, "retrieval.md"))
	if err != nil || !strings.Contains(string(raw), "30 queries: the first 3 images of each class") {
		t.Errorf("%v: %s", err, raw)
	}
	lines, err := os.ReadFile(filepath.Join(folder, "retrieval.csv"))
	if err != nil || strings.Count(string(lines), "\n") != 4 {
		t.Errorf("%v: %s", err, lines)
	}
	l.Plan.GalleryPictures = 4
	if l.findings() != nil {
		t.Error("another gallery has findings before they are measured")
	}
}

func TestVerdicts(t *testing.T) {
	for _, test := range []struct {
		difference, half float64
		want             string
	}{
		{0.02, 0.01, "+2.00 ± 1.00, holds"}, {-0.02, 0.01, "**-2.00 ± 1.00, does not hold**"}, {0.005, 0.01, "+0.50 ± 1.00, open"},
	} {
		if got := (Verdict{Difference: test.difference, Half: test.half}).String(); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}

func TestPaperName(t *testing.T) {
	for called, want := range map[string]string{
		"cifar100.zip cifar-fs.json": "CIFAR-FS", "FC100": "FC100", "tieredImageNet": "tieredImageNet",
		"CUB_200_2011 CUB-200-2011": "CUB", "tiny-imagenet.zip": "miniImageNet", "miniImageNet": "miniImageNet",
	} {
		if got := PaperName(called); got != want {
			t.Errorf("%s is %s, want %s", called, got, want)
		}
	}
}

func TestOrdersNameRows(t *testing.T) {
	for _, table := range Tables(Plan{Shots: []int{1, 5}}) {
		seen := map[string]bool{}
		for _, r := range table.Rows {
			if seen[r.Key] {
				t.Errorf("%s has two rows %s", table.Name, r.Key)
			}
			seen[r.Key] = true
		}
		for _, order := range table.Orders {
			for _, key := range append([]string{order.Better}, order.Worse...) {
				if !seen[key] {
					t.Errorf("%s has no row %s", table.Name, key)
				}
			}
		}
	}
}

func TestTimings(t *testing.T) {
	for _, layer := range timedLayers {
		timing := &Timing{Solver: layer.key, Side: 2, Channels: 8}
		if err := timing.measure(layer); err != nil || timing.ForwardMS <= 0 || (timing.BackwardMS > 0) != (layer.make != nil) {
			t.Errorf("%s: %+v, error %v", layer.key, timing, err)
		}
	}
}

func TestDamagedStore(t *testing.T) {
	folder := t.TempDir()
	for content, want := range map[string]string{
		`{"id": "a", "setting": {"way": 5, "query": 15}}` + "\nsoup\n": "line 2", "{}\n": "not a measurement",
		`{"id": "a"}` + "\n": "line 1: not a measurement", // of no setting, so of no queries
	} {
		require.NoError(t, os.WriteFile(filepath.Join(folder, storeFile), []byte(content), 0o666))
		if _, err := OpenStore(cluster.Single{}, folder); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), storeFile) {
			t.Errorf("%q: %v", content, err)
		}
	}
}
