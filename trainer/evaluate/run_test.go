package evaluate_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/trainer/data"
	"github.com/deepemd/deepemd/trainer/evaluate"
)

func prototypes() fewshot.Classifier { return new(fewshot.Prototype) }

// randomFeatures makes pictures c/i of classes c that resemble each other
// somewhat.
func randomFeatures(classes, each int) evaluate.Features {
	rng := rand.New(rand.NewPCG(1, 2))
	features := evaluate.Features{}
	for c := range classes {
		centre := make([]float64, 4*16)
		for k := range centre {
			centre[k] = rng.NormFloat64()
		}
		for i := range each {
			set := &embed.Set{N: 4, C: 16, Data: make([]float32, len(centre))}
			for k, v := range centre {
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
	features, episodes := randomFeatures(5, 6), randomEpisodes(40)
	run := func(threads int) *evaluate.Result {
		result := require.Value(evaluate.Run(t.Context(), features, episodes, evaluate.Config{Way: 3, Classifier: prototypes, Threads: threads}))(t)
		if result.Fitting <= 0 || result.Scoring <= 0 {
			t.Errorf("%d threads: %v of fitting, %v of scoring", threads, result.Fitting, result.Scoring)
		}
		result.Fitting, result.Scoring = 0, 0 // no two times are the same
		return result
	}
	one := run(1)
	for _, threads := range []int{0, 2, 7, 100} {
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
	if math.Abs(mean-one.Mean) > 1e-12 {
		t.Errorf("mean %v, accuracies average %v", one.Mean, mean)
	}
}

func TestRunOrder(t *testing.T) {
	// Two classes, told apart by which of two channels is on.
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
		Progress: func(done, total int) {
			if total != 9 {
				t.Errorf("%d episodes in all, want 9", total)
			}
			seen = append(seen, done)
		},
	})
	if err != nil || !reflect.DeepEqual(seen, []int{1, 2, 3, 4, 5, 6, 7, 8, 9}) {
		t.Errorf("progress %v, error %v", seen, err)
	}
}

func TestRunErrors(t *testing.T) {
	cancelled, cancel := context.WithCancel(t.Context())
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
		{"no support", t.Context(), episode(nil, good), 3, "episode 4: 0 support pictures"},
		{"uneven support", t.Context(), episode(good[:2], good), 3, "episode 4: 2 support pictures do not make 3 classes"},
		{"unknown support", t.Context(), episode([]string{"0/0", "1/0", "x.png"}, good), 3, "x.png"},
		{"unknown query", t.Context(), episode(good, []string{"x.png"}), 3, "x.png"},
		{"NaN", t.Context(), episode(good, []string{"bad"}), 3, "bad: fewshot: query"},
		{"cancelled", cancelled, randomEpisodes(50), 3, "context canceled"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := evaluate.Run(test.ctx, features, test.episodes, evaluate.Config{Way: test.way, Classifier: prototypes, Threads: 2})
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got error %v, want one that says %q", err, test.want)
			}
		})
	}
	if !errors.Is(cancelled.Err(), context.Canceled) {
		t.Fatal("the context was not cancelled")
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
		if math.Abs(mean-test.mean) > 1e-12 || math.Abs(half-test.half) > 1e-12 {
			t.Errorf("%v: %v ± %v, want %v ± %v", test.values, mean, half, test.mean, test.half)
		}
	}
}
