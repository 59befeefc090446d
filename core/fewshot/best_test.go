package fewshot_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/core/match"
)

// Skip does not change the best class and its score. Other scores are exact, or upper bounds
// below the best score.
func TestSkippingNeverChangesTheBest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		likeness := rapid.Float64Range(0, 1).Draw(t, "likeness") // similarity of the classes
		n, c := rapid.IntRange(1, 9).Draw(t, "nodes"), rapid.IntRange(2, 20).Draw(t, "channels")
		common := random(rng, n*c)
		classes := make([]fewshot.Class, rapid.IntRange(1, 12).Draw(t, "classes"))
		for i := range classes {
			own := mix(common, random(rng, n*c), likeness)
			for range 1 + rng.IntN(4) {
				classes[i].Support = append(classes[i].Support, &embed.Set{N: n, C: c, Data: mix(own, random(rng, n*c), 0.7)})
			}
			if i > 0 && rng.IntN(8) == 0 {
				classes[i] = classes[rng.IntN(i)]
			}
		}
		query := &embed.Set{N: n, C: c, Data: mix(classes[0].Support[0].Data, random(rng, n*c), rng.Float64())}
		var weighting match.Weighting = match.CrossReference{}
		if rapid.Bool().Draw(t, "equal weights") {
			weighting = match.Equal{}
		}
		m := match.Matcher{Weighting: weighting}
		for name, both := range map[string][2]fewshot.Classifier{
			"prototype": {&fewshot.Prototype{Matcher: m}, &fewshot.Prototype{Matcher: m, Skip: true}},
			"mixture":   {&fewshot.Mixture{Matcher: m}, &fewshot.Mixture{Matcher: m, Skip: true}},
			"nearest":   {&fewshot.Nearest{Matcher: m}, &fewshot.Nearest{Matcher: m, Skip: true}},
		} {
			var all [2][]float64
			for i, classifier := range both {
				if err := classifier.Fit(classes); err != nil {
					t.Fatalf("%v", err)
				}
				var err error
				if all[i], err = classifier.Scores(nil, query); err != nil {
					t.Fatalf("%v", err)
				}
			}
			var d fewshot.Detail
			if err := both[1].Traits().Detailer.Detail(&d, query); err != nil {
				t.Fatal(err)
			}
			exact, skipped, bounded := all[0], d.Scores, d.Bounded
			if !slices.Equal(skipped, all[1]) {
				t.Fatalf("%s: scores %v, in detail %v", name, all[1], skipped)
			}
			best := slices.Index(exact, slices.Max(exact))
			if got := slices.Index(skipped, slices.Max(skipped)); got != best || skipped[best] != exact[best] {
				t.Fatalf("%s: class %d wins with %v, without skipping %d with %v", name, got, skipped[got], best, exact[best])
			}
			for i, score := range skipped {
				if bounded[i] && (score < exact[i]-1e-9 || score >= exact[best]) || !bounded[i] && score != exact[i] {
					t.Fatalf("%s: class %d has %v (bound: %v), exactly %v; the best %v", name, i, score, bounded[i], exact[i], exact[best])
				}
			}
		}
	})
}

// random returns n normally distributed features.
func random(rng *rand.Rand, n int) []float32 {
	s := make([]float32, n)
	for i := range s {
		s[i] = float32(rng.NormFloat64())
	}
	return s
}

// mix returns share·a + (1−share)·b.
func mix(a, b []float32, share float64) []float32 {
	m := make([]float32, len(a))
	for i := range m {
		m[i] = float32(share*float64(a[i]) + (1-share)*float64(b[i]))
	}
	return m
}
