package fewshot_test

import (
	"math"
	"slices"
	"testing"

	"github.com/deepemd/deepemd/core/fewshot"
)

func TestSoftmax(t *testing.T) {
	tests := []struct {
		name         string
		scores, want []float64
	}{
		{"none", nil, nil},
		{"one", []float64{-3}, []float64{1}},
		{"tie", []float64{2, 2}, []float64{0.5, 0.5}},
		{"ratio", []float64{math.Log(3), 0}, []float64{0.75, 0.25}},
		{"large", []float64{1e300, 1e300, -1e300}, []float64{0.5, 0.5, 0}},
		{"far apart", []float64{-1000, 0}, []float64{0, 1}},
	}
	for _, test := range tests {
		scores := slices.Clone(test.scores)
		got := fewshot.Softmax(nil, scores)
		if !slices.EqualFunc(got, test.want, func(a, b float64) bool { return math.Abs(a-b) < 1e-12 }) {
			t.Errorf("%s: got %v, want %v", test.name, got, test.want)
		}
		if in := fewshot.Softmax(scores, scores); !slices.Equal(in, got) {
			t.Errorf("%s: in place %v, else %v", test.name, in, got)
		}
	}
}

func TestRanking(t *testing.T) {
	tests := []struct {
		name   string
		scores []float64
		best   int
		want   []int
	}{
		{"none", nil, -1, []int{}},
		{"one", []float64{-1}, 0, []int{0}},
		{"ties keep their order", []float64{1, 3, 3, 2, 1}, 1, []int{1, 2, 3, 0, 4}},
	}
	for _, test := range tests {
		if got := fewshot.Best(test.scores); got != test.best {
			t.Errorf("%s: best is %d, want %d", test.name, got, test.best)
		}
		if got := fewshot.Ranking(test.scores); !slices.Equal(got, test.want) {
			t.Errorf("%s: ranking %v, want %v", test.name, got, test.want)
		}
	}
}
