package fewshot_test

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/internal/require"
)

// Balance at least halves the difference in accuracy between a class with one example and a
// class with twenty, without a loss of overall accuracy.
func TestBalance(t *testing.T) {
	for name, with := range map[string]func(balance bool) fewshot.Classifier{
		"prototype": func(balance bool) fewshot.Classifier { return &fewshot.Prototype{Balance: balance} },
		"mixture":   func(balance bool) fewshot.Classifier { return &fewshot.Mixture{Balance: balance} },
	} {
		t.Run(name, func(t *testing.T) { testBalance(t, with) })
	}
}

// testBalance tests a classifier with and without Balance.
func testBalance(t *testing.T, with func(balance bool) fewshot.Classifier) {
	const pairs, asked = 12, 10
	recognized := func(balance bool) (few, many int) {
		for pair := range uint64(pairs) {
			// The two classes are similar, so that some queries are hard.
			a, b := alike(2*pair+1, 1+asked), alike(2*pair+2, 20+asked)
			p := with(balance)
			require.NoError(t, p.Fit([]fewshot.Class{{Support: a[:1]}, {Support: b[:20]}}))
			for i := range asked {
				for class, query := range []*embed.Set{a[1+i], b[20+i]} {
					scores := require.Value(p.Scores(nil, query))(t)
					switch right := (scores[1] > scores[0]) == (class == 1); {
					case right && class == 0:
						few++
					case right:
						many++
					}
				}
			}
		}
		return few, many
	}
	plainFew, plainMany := recognized(false)
	few, many := recognized(true)
	t.Logf("of %d each: %d and %d, without Balance %d and %d", pairs*asked, few, many, plainFew, plainMany)
	if skew, plain := max(many-few, few-many), plainMany-plainFew; 2*skew > plain || few+many < plainFew+plainMany {
		t.Errorf("recognized %d of the class with one example, %d of the one with twenty; without Balance %d and %d", few, many, plainFew, plainMany)
	}
}

// Balance does not change the scores of classes of the same size, including after Extend.
func TestBalanceOfEquals(t *testing.T) {
	query := examples(1, 6)[5]
	want := scores(t, new(fewshot.Prototype), twoClasses(), query)
	p := fewshot.Prototype{Balance: true}
	classes := twoClasses()
	last := classes[0].Support[4]
	classes[0].Support = classes[0].Support[:4]
	require.NoError(t, p.Fit(classes))
	if got, err := p.Scores(nil, query); err != nil || slices.Equal(got, want) {
		t.Errorf("unequal classes: %v, %v", got, err)
	}
	require.NoError(t, p.Extend(0, last))
	if got, err := p.Scores(nil, query); err != nil || !slices.Equal(got, want) {
		t.Errorf("equal classes: %v (%v), want %v", got, err, want)
	}
}

// Balance gives the mean of many examples the length that it would have as the mean of few: the
// examples are a common vector and one orthogonal vector each, so that these lengths are known. Half
// of the correction applies.
func TestBalanceIsOfLengths(t *testing.T) {
	walsh := func(row int, length float32) *embed.Set {
		set := &embed.Set{N: 1, C: 16, Data: make([]float32, 16)}
		for c := range set.Data {
			set.Data[c] = length * float32(1-2*(bits.OnesCount(uint(row&c))%2))
		}
		return set
	}
	var many fewshot.Class
	for i := range 8 {
		example := walsh(1, 2)
		for c, v := range walsh(2+i, 1).Data {
			example.Data[c] += v
		}
		many.Support = append(many.Support, example)
	}
	query := walsh(1, 1)
	for fewest, square := range map[int]float64{1: 4 + 1, 2: 4 + 1./2, 8: 4 + 1./8} {
		classes := []fewshot.Class{many, {Support: many.Support[:fewest]}}
		plain, balanced := scores(t, new(fewshot.Prototype), classes, query), scores(t, &fewshot.Prototype{Balance: true}, classes, query)
		want := []float64{plain[0] * math.Pow((4+1./8)/square, 0.25), plain[1]}
		if !slices.EqualFunc(balanced, want, near) {
			t.Errorf("8 and %d examples score %v, want %v", fewest, balanced, want)
		}
	}
}

// alike returns examples of a class that shares half of its features with the other classes.
func alike(seed uint64, n int) []*embed.Set {
	common, sets, noise := examples(1000, 1)[0], examples(seed, n), random(rand.New(rand.NewPCG(seed, 3)), n*96)
	for i, set := range sets {
		set.Data = mix(common.Data, mix(set.Data, noise[96*i:][:96], 0.55), 0.5)
	}
	return sets
}
