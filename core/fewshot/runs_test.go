package fewshot_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/internal/require"
)

// films returns frames of films of one class: examples with much smaller differences within a film.
func films(seed uint64, count, frames int) (sets []*embed.Set) {
	noise := rand.New(rand.NewPCG(seed, 2))
	for _, scene := range examples(seed, count) {
		for range frames {
			set := *scene
			set.Data = slices.Clone(scene.Data)
			for k := range set.Data {
				set.Data[k] += float32(0.02 * noise.NormFloat64())
			}
			sets = append(sets, &set)
		}
	}
	return sets
}

func TestRuns(t *testing.T) {
	// Examples are angles in degrees. The classes are perpendicular, so consecutive examples belong
	// together if the cosine of their angle is above 0.9: up to 25°.
	angled := func(degrees ...float64) (directions [][]float32) {
		for _, d := range degrees {
			sin, cos := math.Sincos(d * math.Pi / 180)
			directions = append(directions, []float32{float32(cos), float32(sin), 0})
		}
		return directions
	}
	other := [][]float32{{0, 0, 1}, {0, 0, 1}}
	for name, c := range map[string]struct {
		classes [][][]float32
		want    []fewshot.Run // of the first class
	}{
		"a film":          {[][][]float32{angled(0, 20, 40, 60), other}, []fewshot.Run{{0, 4}}},
		"two films":       {[][][]float32{angled(0, 20, 50, 60, 70), other}, []fewshot.Run{{0, 2}, {2, 5}}},
		"photographs":     {[][][]float32{angled(0, 30, 0), other}, []fewshot.Run{{0, 1}, {1, 2}, {2, 3}}},
		"similar classes": {[][][]float32{angled(0, 20, 21), angled(40)}, []fewshot.Run{{0, 1}, {1, 3}}},
		"equal classes":   {[][][]float32{angled(0, 0), angled(0)}, []fewshot.Run{{0, 1}, {1, 2}}},
		"one class":       {[][][]float32{angled(0, 90)}, []fewshot.Run{{0, 2}}},
		"one example":     {[][][]float32{angled(0), other}, []fewshot.Run{{0, 1}}},
	} {
		if got := fewshot.Runs(c.classes)[0]; !slices.Equal(got, c.want) {
			t.Errorf("%s: runs %v, want %v", name, got, c.want)
		}
	}
}

// Whatever is left out, half of the class remains, rounded down; of three examples, two.
func TestSeparate(t *testing.T) {
	for _, c := range []struct{ runs, want []fewshot.Run }{
		{[]fewshot.Run{{0, 1}}, []fewshot.Run{{0, 1}}},
		{[]fewshot.Run{{0, 2}}, []fewshot.Run{{0, 1}, {1, 2}}},
		{[]fewshot.Run{{0, 3}}, []fewshot.Run{{0, 1}, {1, 2}, {2, 3}}},
		{[]fewshot.Run{{0, 7}}, []fewshot.Run{{0, 3}, {3, 7}}},
		{[]fewshot.Run{{0, 8}}, []fewshot.Run{{0, 4}, {4, 8}}},
		{[]fewshot.Run{{0, 8}, {8, 16}}, []fewshot.Run{{0, 8}, {8, 16}}},
		{[]fewshot.Run{{0, 8}, {8, 9}}, []fewshot.Run{{0, 4}, {4, 8}, {8, 9}}},
		{[]fewshot.Run{{0, 1}, {1, 4}, {4, 6}}, []fewshot.Run{{0, 1}, {1, 4}, {4, 6}}},
	} {
		if got := fewshot.Separate(c.runs); !slices.Equal(got, c.want) {
			t.Errorf("runs %v: parts %v, want %v", c.runs, got, c.want)
		}
	}
}

// Rest is the score of a prototype fitted without the omitted examples.
func TestOmit(t *testing.T) {
	for _, balance := range []bool{false, true} {
		classes := []fewshot.Class{{Name: "a", Support: examples(1, 7)}, {Name: "b", Support: examples(2, 3)}}
		p := &fewshot.Prototype{Balance: balance}
		require.NoError(t, p.Fit(classes))
		if _, err := p.Rest(classes[0].Support[0]); err == nil {
			t.Error("a score before Omit")
		}
		require.NoError(t, p.Omit(0, classes[0].Support[2:5]))
		rest := slices.Clone(classes)
		rest[0].Support = slices.Delete(slices.Clone(classes[0].Support), 2, 5)
		for _, query := range slices.Concat(classes[0].Support, classes[1].Support) {
			want := scores(t, &fewshot.Prototype{Balance: balance}, rest, query)[0]
			if got := require.Value(p.Rest(query))(t); !(math.Abs(got-want) <= 1e-4) {
				t.Errorf("balance %v: score %v, want %v", balance, got, want)
			}
		}
	}
}

// After Rebalance, a left-out example has the scores of a prototype fitted without it.
func TestRebalance(t *testing.T) {
	for _, counts := range [][]int{{2, 2}, {2, 3, 5}, {5, 5, 3}, {5, 3, 1}, {3, 20}} {
		classes := many(counts...)
		whole := &fewshot.Prototype{Balance: true}
		require.NoError(t, whole.Fit(classes))
		for c, class := range classes {
			for i, set := range class.Support {
				if len(class.Support) == 1 {
					continue
				}
				got := require.Value(whole.Scores(nil, set))(t)
				require.NoError(t, whole.Omit(c, class.Support[i:i+1]))
				got[c] = require.Value(whole.Rest(set))(t)
				whole.Rebalance(got, c, 1)
				rest := slices.Clone(classes)
				rest[c].Support = slices.Delete(slices.Clone(class.Support), i, i+1)
				same(t, "left out", got, scores(t, &fewshot.Prototype{Balance: true}, rest, set))
			}
		}
	}
}
