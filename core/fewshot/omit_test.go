package fewshot_test

import (
	"math"
	"slices"
	"testing"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/internal/require"
)

// An example left out scores as after a fit to all the others.
func TestScoreWithoutIsFitWithout(t *testing.T) {
	for _, balance := range []bool{false, true} {
		classes := []fewshot.Class{{Support: examples(1, 9)}, {Support: examples(2, 3)}, {Support: examples(3, 2)}}
		p := &fewshot.Prototype{Balance: balance}
		if _, err := p.ScoreWithout(0, classes[0].Support[0]); err == nil {
			t.Error("no error before Fit")
		}
		require.NoError(t, p.Fit(classes))
		for c, class := range classes {
			for i, example := range class.Support {
				without := slices.Clone(classes)
				without[c].Support = slices.Delete(slices.Clone(class.Support), i, i+1)
				want := scores(t, &fewshot.Prototype{Balance: balance}, without, example)[c]
				got, err := p.ScoreWithout(c, example)
				if err != nil || math.Abs(got-want) > 1e-6 {
					t.Errorf("balance %v: example %d of class %d scores %v (%v), fitted without it %v", balance, i, c, got, err, want)
				}
			}
		}
		query := examples(1, 10)[9]
		got, err := p.Scores(nil, query)
		if want := scores(t, &fewshot.Prototype{Balance: balance}, classes, query); err != nil || !slices.Equal(got, want) {
			t.Errorf("balance %v: scores %v (%v) after leaving out, want %v", balance, got, err, want)
		}
		if _, err := p.ScoreWithout(0, &embed.Set{N: 1}); err == nil {
			t.Error("no error for a set that is none")
		}
	}
}
