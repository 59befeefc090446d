package fewshot_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/core/fewshot/baseline"
	"github.com/deepemd/deepemd/core/match"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/internal/require"
)

func twoClasses() []fewshot.Class {
	return []fewshot.Class{{Name: "a", Support: examples(1, 5)}, {Name: "b", Support: examples(2, 5)}}
}

// Training starts from the scores of Prototype, lowers the loss, and does not change examples.
func TestSFCLearnsFromItsExamples(t *testing.T) {
	classes := twoClasses()
	query := examples(1, 6)[5]
	var s fewshot.SFC
	before := slices.Clone(classes[0].Support[0].Data)
	loss := func() (sum float64) {
		for i, class := range classes {
			for _, set := range class.Support {
				got := require.Value(s.Scores(nil, set))(t)
				sum -= fewshot.Softmax(nil, got)[i]
			}
		}
		return sum
	}
	var start []float64
	var last float64
	s.Progress = func(done, total int) (err error) {
		if start == nil {
			last = loss()
			start, err = s.Scores(nil, query)
		}
		if total != 100 {
			t.Errorf("%d passes, want 100", total)
		}
		return err
	}
	require.NoError(t, s.Fit(classes))
	if want := scores(t, new(fewshot.Prototype), classes, query); !slices.Equal(start, want) {
		t.Errorf("before the first pass it scores %v, prototypes %v", start, want)
	}
	if now := loss(); now >= last {
		t.Errorf("the examples' probability went from %v to %v", -last, -now)
	}
	if !slices.Equal(before, classes[0].Support[0].Data) {
		t.Error("an example was changed")
	}
	if p := s.Prototypes(); len(p) != 2 || p[0].N != 4 {
		t.Errorf("prototypes %v", p)
	}
}

// Training does not depend on the scale of the features.
func TestSFCDoesNotDependOnScale(t *testing.T) {
	scale := func(sets []*embed.Set) {
		for _, set := range sets {
			for i := range set.Data {
				set.Data[i] *= 8
			}
		}
	}
	with := func(s fewshot.SFC, large bool) []float64 {
		classes, query := twoClasses(), examples(1, 6)[5:]
		if large {
			scale(classes[0].Support)
			scale(classes[1].Support)
			scale(query)
		}
		s.Descent.Passes = 5
		return scores(t, &s, classes, query[0])
	}
	differ := func(a, b []float64) (most float64) {
		for i := range a {
			most = max(most, math.Abs(a[i]-b[i]))
		}
		return most
	}
	if d := differ(with(fewshot.SFC{}, false), with(fewshot.SFC{}, true)); !(d <= 1e-4) {
		t.Errorf("longer features: scores differ by %g", d)
	}
	own, slow := with(fewshot.SFC{}, false), with(fewshot.SFC{Rate: 0.1}, false)
	if d := differ(own, slow); d < 0.01 {
		t.Errorf("rates of %d and 0.1: scores differ by %g", method.SFCRate, d)
	}
	fixed := fewshot.SFC{Descent: fewshot.Descent{Rate: 10, Momentum: 0.9, Dampening: 0.9}}
	if d := differ(with(fixed, false), with(fixed, true)); d < 0.01 {
		t.Errorf("a rate that is taken as it is: scores differ by %g", d)
	}
}

// The decay of the first step moves the nodes toward zero by a share of themselves.
func TestSFCDecays(t *testing.T) {
	learned := func(decay float64) []float32 {
		s := fewshot.SFC{Descent: fewshot.Descent{Rate: 2, Decay: decay, Batch: 10, Passes: 1}}
		require.NoError(t, s.Fit(twoClasses()))
		return s.Prototypes()[0].Data
	}
	plain, decayed := learned(0), learned(0.1)
	for k := range plain {
		var start float32
		for _, set := range twoClasses()[0].Support {
			start += set.Data[k] / 5
		}
		if got, want := float64(decayed[k]), float64(plain[k]-2*0.1*start); !near(got, want) {
			t.Fatalf("value %d becomes %v with decay, want %v", k, got, want)
		}
	}
}

func TestSFCProgress(t *testing.T) {
	var seen []int
	s := fewshot.SFC{Descent: fewshot.Descent{Passes: 3}, Progress: func(done, total int) error {
		if total != 3 {
			t.Errorf("%d passes in all, want 3", total)
		}
		seen = append(seen, done)
		return nil
	}}
	if err := s.Fit(twoClasses()); err != nil || !slices.Equal(seen, []int{0, 0, 0, 1, 1, 1, 2, 2, 2, 3}) {
		t.Errorf("progress %v, error %v", seen, err)
	}
	stop := errors.New("enough")
	s.Progress = func(done, _ int) error {
		if done == 2 {
			return stop
		}
		return nil
	}
	if err := s.Fit(twoClasses()); !errors.Is(err, stop) {
		t.Errorf("error %v, want the one that progress returned", err)
	}
	if _, err := s.Scores(nil, examples(1, 1)[0]); !errors.Is(err, fewshot.ErrEmpty) {
		t.Errorf("scores after it was stopped: error %v", err)
	}
	if s.Prototypes() != nil {
		t.Errorf("prototypes after it was stopped: %v", s.Prototypes())
	}
}

func TestLearningErrors(t *testing.T) {
	with := func(d fewshot.Descent) []fewshot.Classifier {
		return []fewshot.Classifier{&fewshot.SFC{Descent: d}, baseline.LinearHead(d), baseline.CosineHead(method.Temperature, d)}
	}
	tests := []struct {
		classifiers []fewshot.Classifier
		want        string
	}{
		{with(fewshot.Descent{Rate: -1}), "learning rate -1"},
		{with(fewshot.Descent{Batch: -1}), "batches of -1"},
		{with(fewshot.Descent{Passes: -2}), "-2 passes"},
		{with(fewshot.Descent{Passes: 2, Order: [][]int{{0}}}), "1 orders for 2 passes"},
		{with(fewshot.Descent{Passes: 1, Order: [][]int{{0, 10}}}), "order of pass 1 has example 10: want 0 to 9"},
		{[]fewshot.Classifier{&fewshot.SFC{Matcher: match.Matcher{Weighting: match.KMeans{K: 2}}}}, "merges nodes, which cannot be trained"},
	}
	for _, test := range tests {
		for _, c := range test.classifiers {
			if err := c.Fit(twoClasses()); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%T: error %v, want one that says %q", c, err, test.want)
			}
			if _, err := c.Scores(nil, examples(1, 1)[0]); !errors.Is(err, fewshot.ErrEmpty) {
				t.Errorf("%T: scores after a failed fit: error %v", c, err)
			}
		}
	}
}

// Without the classifier's defaults, a Descent needs a batch.
func TestDescentWithoutBatch(t *testing.T) {
	err := fewshot.Descent{Rate: 1, Passes: 1}.Run(3, func(int, []int) error { return nil })
	if err == nil || !strings.Contains(err.Error(), "batches of 0") {
		t.Errorf("error %v", err)
	}
}

// Examples of zeros have no scale for the learning rate, and give equal scores.
func TestSFCOfZeros(t *testing.T) {
	zero := []*embed.Set{{N: 2, C: 3, Data: make([]float32, 6)}}
	s := &fewshot.SFC{Descent: fewshot.Descent{Passes: 1}}
	require.NoError(t, s.Fit([]fewshot.Class{{Support: zero}, {Support: zero}}))
	if scores := require.Value(s.Scores(nil, zero[0]))(t); scores[0] != 0 || scores[1] != 0 {
		t.Errorf("scores %v, want zeros", scores)
	}
}

// LocalNearest uses all nodes of a class with fewer than three.
func TestLocalNearestOfFewNodes(t *testing.T) {
	one := &embed.Set{N: 1, C: 2, Data: []float32{3, 4}}
	query := &embed.Set{N: 2, C: 2, Data: []float32{0, 1, 1, 0}}
	got := scores(t, baseline.LocalNearest(1), []fewshot.Class{{Support: []*embed.Set{one}}}, query)
	if !near(got[0], 0.7) {
		t.Errorf("score %v, want 0.7: the mean of 0.8 and 0.6", got[0])
	}
}
