package evaluate_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/sbinet/npyio/npy"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/internal/cluster"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/trainer/data"
	"github.com/deepemd/deepemd/trainer/evaluate"
)

func prototypes() fewshot.Classifier { return new(fewshot.Prototype) }

// randomFeatures makes images c/i of classes c that resemble each other
// somewhat.
func randomFeatures(classes, each int) evaluate.Features {
	rng := rand.New(rand.NewPCG(1, 2))
	features := evaluate.Features{}
	for c := range classes {
		center := make([]float64, 4*16)
		for k := range center {
			center[k] = rng.NormFloat64()
		}
		for i := range each {
			set := &embed.Set{N: 4, C: 16, Data: make([]float32, len(center))}
			for k, v := range center {
				set.Data[k] = float32(v + rng.NormFloat64())
			}
			features[fmt.Sprintf("%d/%d", c, i)] = set
		}
	}
	return features
}

// randomEpisodes draws 3-way 2-shot episodes of 4 queries a class.
func randomEpisodes(n int) []data.Episode {
	rng := rand.New(rand.NewPCG(3, 4))
	episodes := make([]data.Episode, n)
	for i := range episodes {
		classes := rng.Perm(5)[:3]
		for j := range 6 {
			for _, c := range classes {
				name := fmt.Sprintf("%d/%d", c, j)
				if j < 2 {
					episodes[i].Support = append(episodes[i].Support, name)
				} else {
					episodes[i].Query = append(episodes[i].Query, name)
				}
			}
		}
	}
	return episodes
}

func TestRunDoesNotDependOnThreads(t *testing.T) {
	t.Run("prototype", func(t *testing.T) { testThreads(t, prototypes) })
	t.Run("ridge-head", func(t *testing.T) { testThreads(t, func() fewshot.Classifier { return new(fewshot.RidgeHead) }) })
}

func testThreads(t *testing.T, classifier func() fewshot.Classifier) {
	features, episodes := randomFeatures(5, 6), randomEpisodes(40)
	run := func(threads int) *evaluate.Result {
		result := require.Value(evaluate.Run(t.Context(), features, episodes, evaluate.Config{Way: 3, Classifier: classifier, Threads: threads}))(t)
		if result.Fitting <= 0 || result.Scoring <= 0 {
			t.Errorf("%d threads: %v of fitting, %v of scoring", threads, result.Fitting, result.Scoring)
		}
		result.Fitting, result.Scoring = 0, 0 // no two times are the same
		return result
	}
	one := run(1)
	for _, threads := range []int{0, -1, 2, 7, 100} {
		if got := run(threads); !reflect.DeepEqual(got, one) {
			t.Errorf("%d threads give another result than one", threads)
		}
	}
	if len(one.Logits) != 40 || len(one.Logits[0]) != 12*3 || len(one.Accuracies) != 40 {
		t.Errorf("%d episodes of %d logits, want 40 of 36", len(one.Logits), len(one.Logits[0]))
	}
	if one.Mean < 0.4 || one.Mean > 0.99 || one.Interval <= 0 {
		t.Errorf("accuracy %v ± %v of classes that overlap, want something between chance and certainty", one.Mean, one.Interval)
	}
	var mean float64
	for _, a := range one.Accuracies {
		mean += a / 40
	}
	if !(math.Abs(mean-one.Mean) <= 1e-12) {
		t.Errorf("mean %v, accuracies average %v", one.Mean, mean)
	}
}

func TestRunOrder(t *testing.T) {
	set := func(a, b float32) *embed.Set { return &embed.Set{N: 1, C: 3, Data: []float32{a, b, 0.1}} }
	features := evaluate.Features{"left": set(1, 0), "right": set(0, 1), "left again": set(2, 0.1), "right again": set(0.1, 2)}
	run := func(query ...string) *evaluate.Result {
		result := require.Value(evaluate.Run(t.Context(), features, []data.Episode{{Support: []string{"left", "right"}, Query: query}},
			evaluate.Config{Way: 2, Classifier: prototypes}))(t)
		return result
	}
	right := run("left again", "right again", "left", "right")
	if right.Mean != 1 || right.Logits[0][0] < right.Logits[0][1] || right.Logits[0][2] > right.Logits[0][3] {
		t.Errorf("accuracy %v with logits %v, want all right", right.Mean, right.Logits)
	}
	if wrong := run("right", "left"); wrong.Mean != 0 {
		t.Errorf("accuracy %v of exchanged queries, want 0", wrong.Mean)
	}
	if half := run("left", "left"); half.Mean != 0.5 || half.Interval != 0 {
		t.Errorf("accuracy %v ± %v, want 0.5 ± 0", half.Mean, half.Interval)
	}
}

func TestRunProgress(t *testing.T) {
	var seen []int
	_, err := evaluate.Run(t.Context(), randomFeatures(5, 6), randomEpisodes(9), evaluate.Config{
		Way: 3, Classifier: prototypes, Threads: 3,
		Progress: telling(func(done, total int) {
			if total != 9 {
				t.Errorf("%d episodes in all, want 9", total)
			}
			seen = append(seen, done)
		}),
	})
	if err != nil || !reflect.DeepEqual(seen, []int{1, 2, 3, 4, 5, 6, 7, 8, 9}) {
		t.Errorf("progress %v, error %v", seen, err)
	}
}

func TestRunErrors(t *testing.T) {
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	features := randomFeatures(5, 6)
	bad := *features["0/0"]
	bad.Data = append([]float32{float32(math.NaN())}, bad.Data[1:]...)
	features["bad"] = &bad
	episode := func(support, query []string) []data.Episode {
		return append(randomEpisodes(3), data.Episode{Support: support, Query: query})
	}
	good := []string{"0/0", "1/0", "2/0"}
	tests := []struct {
		name     string
		ctx      context.Context
		episodes []data.Episode
		way      int
		want     string
	}{
		{"no class", t.Context(), nil, 0, "0-way"},
		{"no support", t.Context(), episode(nil, good), 3, "episode 4: 0 support images"},
		{"uneven support", t.Context(), episode(good[:2], good), 3, "episode 4: 2 support images cannot be divided into 3 classes"},
		{"unknown support", t.Context(), episode([]string{"0/0", "1/0", "x.png"}, good), 3, "x.png"},
		{"unknown query", t.Context(), episode(good, []string{"x.png"}), 3, "x.png"},
		{"NaN", t.Context(), episode(good, []string{"bad"}), 3, "bad: fewshot: query"},
		{"canceled", canceled, randomEpisodes(50), 3, "context canceled"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := evaluate.Run(test.ctx, features, test.episodes, evaluate.Config{Way: test.way, Classifier: prototypes, Threads: 2})
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got error %v, want one that says %q", err, test.want)
			}
		})
	}
	if !errors.Is(canceled.Err(), context.Canceled) {
		t.Fatal("the context was not canceled")
	}
}

func TestInterval(t *testing.T) {
	tests := []struct {
		values     []float64
		mean, half float64
	}{
		{nil, 0, 0},
		{[]float64{0.7}, 0.7, 0},
		{[]float64{0.5, 0.5, 0.5, 0.5}, 0.5, 0},
		{[]float64{0, 1, 0, 1}, 0.5, 0.49}, // std ½, √n 2
	}
	for _, test := range tests {
		mean, half := evaluate.Interval(test.values)
		if !(math.Abs(mean-test.mean) <= 1e-12) || !(math.Abs(half-test.half) <= 1e-12) {
			t.Errorf("%v: %v ± %v, want %v ± %v", test.values, mean, half, test.mean, test.half)
		}
	}
}

func TestCalibrationError(t *testing.T) {
	at := func(p float64) []float32 { return []float32{float32(math.Log(p)), float32(math.Log(1 - p))} }
	both := func(a, b []float32) []float32 { return append(append([]float32(nil), a...), b...) }
	swap := func(l []float32) []float32 { return []float32{l[1], l[0]} }
	for name, c := range map[string]struct {
		logits [][]float32
		want   float64
	}{
		"always right, with 90%":                {[][]float32{both(at(0.9), swap(at(0.9)))}, 0.1},
		"right half of the time, with 90%":      {[][]float32{both(at(0.9), at(0.9))}, 0.4},
		"three of four right, with 75%":         {[][]float32{both(at(0.75), swap(at(0.75))), both(at(0.75), at(0.75))}, 0},
		"errors of bins do not cancel out":      {[][]float32{both(at(0.9), at(0.6))}, (0.1 + 0.6) / 2},
		"certain and right, in the highest bin": {[][]float32{both([]float32{900, 0}, []float32{0, 900})}, 0},
		"no queries":                            {nil, 0},
	} {
		if got := evaluate.CalibrationError(c.logits, 2); !(math.Abs(got-c.want) <= 1e-6) {
			t.Errorf("%s: %g, want %g", name, got, c.want)
		}
	}
}

// The features of all images are computed before.
func ExampleRun() {
	picture := func(values ...float32) *embed.Set { return &embed.Set{N: 1, C: 3, Data: values} }
	features := evaluate.Features{
		"cat1": picture(4, 1, 0), "cat2": picture(3, 1, 0),
		"dog1": picture(0, 1, 4), "dog2": picture(1, 1, 3),
	}
	episodes := []data.Episode{
		{Support: []string{"cat1", "dog1"}, Query: []string{"cat2", "dog2"}},
		{Support: []string{"cat2", "dog2"}, Query: []string{"cat1", "dog1"}},
	}
	result, err := evaluate.Run(context.Background(), features, episodes, evaluate.Config{
		Way: 2, Classifier: func() fewshot.Classifier { return new(fewshot.Prototype) },
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.0f%% ± %.0f%%\n", 100*result.Mean, 100*result.Interval)
	// Output: 100% ± 0%
}

// Of five places, the first and the third are of the query's class, which has two
// more images.
func ExampleMeasure() {
	m := evaluate.Measure([]bool{true, false, true, false, false}, 2, []int{1, 2})
	fmt.Println(m.Recall, m.RPrecision, m.MAPR)
	// Output: [1 1] 0.5 0.5
}

func TestWriteNPY(t *testing.T) {
	var file bytes.Buffer
	result := evaluate.Result{Way: 2, Logits: [][]float32{{1, 2, 3, 4, 5, 6}, {7, 8, 9, 10, 11, 12}}}
	require.NoError(t, result.WriteNPY(&file))
	if n := file.Len() - 12*4; n%64 != 0 {
		t.Errorf("values begin at byte %d, want a multiple of 64", n)
	}
	r := require.Value(npy.NewReader(&file))(t)
	if want := []int{2, 3, 2}; !reflect.DeepEqual(r.Header.Descr.Shape, want) {
		t.Errorf("shape %v, want %v", r.Header.Descr.Shape, want)
	}
	var got []float32
	require.NoError(t, r.Read(&got))
	if want := []float32{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}; !reflect.DeepEqual(got, want) {
		t.Errorf("values %v, want %v", got, want)
	}

	result.Logits[1] = result.Logits[1][:4]
	if err := result.WriteNPY(&file); err == nil || !strings.Contains(err.Error(), "episode 2 has 2 queries") {
		t.Errorf("episodes that differ: got error %v", err)
	}
}

// together runs work as every rank of a group inside this process, and returns the errors.
func together(ctx context.Context, size int, work func(ctx context.Context, rank int) error) []error {
	errs := make([]error, size)
	var wait sync.WaitGroup
	for rank, g := range cluster.InProcess(size) {
		wait.Go(func() { errs[rank] = work(cluster.With(ctx, g), rank) })
	}
	wait.Wait()
	return errs
}

// TestRanksDiffer: ranks with other images or episodes than rank 0 end with an error that names the
// difference.
func TestRanksDiffer(t *testing.T) {
	roots := [2]string{t.TempDir(), t.TempDir()}
	for rank, root := range roots {
		require.NoError(t, os.Mkdir(filepath.Join(root, "fox"), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(root, "fox", "1.png"), make([]byte, 10+rank), 0o600))
	}
	x := evaluate.Extraction{Encoder: corner{}, Preprocess: plain, Threads: 1}
	for want, work := range map[string]func(ctx context.Context, rank int) error{
		`different images: rank 0 "names and sizes: digest `: func(ctx context.Context, rank int) error {
			set, err := data.OpenSplit(roots[rank], "")
			if err != nil {
				return err
			}
			defer set.Close()
			return evaluate.SameImages(ctx, set, set.Classes())
		},
		`different images: rank 0 "2", rank 1 "3"`: func(ctx context.Context, rank int) error {
			_, err := evaluate.Extract(ctx, []string{"1", "2", "3"}[:2+rank], numbered(new(atomic.Int32)), x)
			return err
		},
		`different episodes: rank 0 "digest `: func(ctx context.Context, rank int) error {
			episode := data.Episode{Support: []string{"a", "b"}, Query: []string{"c", fmt.Sprint(rank)}}
			_, err := evaluate.Run(ctx, evaluate.Features{}, []data.Episode{episode}, evaluate.Config{Way: 2})
			return err
		},
	} {
		for rank, err := range together(t.Context(), 2, work) {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("rank %d: %v, want %s", rank, err, want)
			}
		}
	}
}

// TestRanksExtract: ranks read every picture once between them, and all have all features.
func TestRanksExtract(t *testing.T) {
	var names []string
	for i := range 150 {
		names = append(names, fmt.Sprint(i))
	}
	var alone, shared atomic.Int32
	x := evaluate.Extraction{Encoder: corner{}, Preprocess: plain, Threads: 1}
	want := require.Value(evaluate.Extract(t.Context(), names, numbered(&alone), x))(t)
	for _, err := range together(t.Context(), 4, func(ctx context.Context, rank int) error {
		got, err := evaluate.Extract(ctx, names, numbered(&shared), x)
		if err == nil && !reflect.DeepEqual(got, want) {
			err = fmt.Errorf("rank %d has other features", rank)
		}
		return err
	}) {
		if err != nil {
			t.Error(err)
		}
	}
	if shared.Load() != alone.Load() {
		t.Errorf("%d pictures were read, want %d", shared.Load(), alone.Load())
	}
}

// TestRanksMeetDamage: all ranks know the picture that one of them cannot read.
func TestRanksMeetDamage(t *testing.T) {
	read := func(name string) (*imaging.Image, error) {
		if name == "7" {
			return nil, &data.Damaged{Set: "numbers", Name: name, Err: errors.New("torn")}
		}
		return numbered(new(atomic.Int32))(name)
	}
	for rank, err := range together(t.Context(), 3, func(ctx context.Context, _ int) error {
		_, err := evaluate.Extract(ctx, []string{"1", "2", "3", "7"}, read, evaluate.Extraction{Encoder: corner{}, Preprocess: plain})
		return err
	}) {
		var damaged *data.Damaged
		if !errors.As(err, &damaged) || damaged.Name != "7" {
			t.Errorf("rank %d: %v", rank, err)
		}
	}
}

// TestRanksLeaveOut: all ranks receive the images that cannot be read, by name, and the features
// of the others. The progress counts all images.
func TestRanksLeaveOut(t *testing.T) {
	read := func(name string) (*imaging.Image, error) {
		if name >= "3" {
			return nil, &data.Damaged{Set: "numbers", Name: name, Err: errors.New("torn")}
		}
		return numbered(new(atomic.Int32))(name)
	}
	for _, ranks := range []int{1, 3} {
		for rank, err := range together(t.Context(), ranks, func(ctx context.Context, _ int) error {
			var left []string
			finished := 0
			features, err := evaluate.Extract(ctx, []string{"7", "1", "4", "2", "3"}, read, evaluate.Extraction{
				Encoder: corner{}, Preprocess: plain, LeaveOut: func(d *data.Damaged) { left = append(left, d.Name) },
				Progress: telling(func(done, _ int) { finished = done }),
			})
			if err == nil && (fmt.Sprint(left) != "[3 4 7]" || len(features) != 2 || features["1"] == nil || features["2"] == nil) {
				err = fmt.Errorf("%v are left out, %d features", left, len(features))
			}
			if err == nil && ranks == 1 && finished != 5 {
				err = fmt.Errorf("progress %d of 5", finished)
			}
			return err
		}) {
			if err != nil {
				t.Errorf("rank %d of %d: %v", rank, ranks, err)
			}
		}
	}
}

// TestRanksRun: ranks classify as one process does, to the last digit.
func TestRanksRun(t *testing.T) {
	features, episodes := randomFeatures(5, 6), randomEpisodes(11)
	config := evaluate.Config{Way: 3, Classifier: prototypes, Threads: 2}
	want := require.Value(evaluate.Run(t.Context(), features, episodes, config))(t)
	for _, err := range together(t.Context(), 3, func(ctx context.Context, rank int) error {
		got, err := evaluate.Run(ctx, features, episodes, config)
		if err != nil {
			return err
		}
		if !reflect.DeepEqual(got.Logits, want.Logits) || got.Mean != want.Mean || got.Interval != want.Interval || got.Scoring <= 0 {
			return fmt.Errorf("rank %d: %g ± %g, want %g ± %g", rank, got.Mean, got.Interval, want.Mean, want.Interval)
		}
		return nil
	}) {
		if err != nil {
			t.Error(err)
		}
	}
}
