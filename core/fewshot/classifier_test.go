package fewshot_test

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
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

// methods lists the constructors of all classifiers.
var methods = map[string]func() fewshot.Classifier{
	"prototype":         func() fewshot.Classifier { return new(fewshot.Prototype) },
	"nearest":           func() fewshot.Classifier { return new(fewshot.Nearest) },
	"fusion":            func() fewshot.Classifier { return baseline.Fusion(match.Matcher{}) },
	"merge":             func() fewshot.Classifier { return baseline.Merge(match.Matcher{}) },
	"sfc":               func() fewshot.Classifier { return &fewshot.SFC{Descent: fewshot.Descent{Passes: 5}} },
	"cosine":            func() fewshot.Classifier { return baseline.Cosine(1) },
	"euclidean":         func() fewshot.Classifier { return baseline.Euclidean() },
	"matching":          func() fewshot.Classifier { return baseline.Matching(method.Temperature) },
	"linear head":       func() fewshot.Classifier { return baseline.LinearHead(fewshot.Descent{}) },
	"cosine head":       func() fewshot.Classifier { return baseline.CosineHead(method.Temperature, fewshot.Descent{}) },
	"local nearest":     func() fewshot.Classifier { return baseline.LocalNearest(method.Temperature) },
	"prediction fusion": func() fewshot.Classifier { return baseline.PredictionFusion(method.Temperature) },
}

// all lists methods and the classifiers with a head on the whole map, which PyTorch's results exclude.
var all = func() map[string]func() fewshot.Classifier {
	all := maps.Clone(methods)
	all["mixture"] = func() fewshot.Classifier { return new(fewshot.Mixture) }
	all["ridge head"] = func() fewshot.Classifier { return new(fewshot.RidgeHead) }
	return all
}()

// counts lists the classifiers whose scores change if an example is repeated.
var counts = map[string]bool{"sfc": true, "linear head": true, "cosine head": true, "local nearest": true, "mixture": true, "ridge head": true}

// averages lists the classifiers that require sets of the same size.
var averages = map[string]bool{"prototype": true, "sfc": true, "mixture": true, "ridge head": true}

// examples returns n random sets of four nodes around the direction of a class.
func examples(seed uint64, n int) []*embed.Set {
	class := rand.New(rand.NewPCG(seed, 0))
	center := make([]float64, 4*24)
	for i := range center {
		center[i] = class.NormFloat64()
	}
	noise := rand.New(rand.NewPCG(seed, 1))
	sets := make([]*embed.Set, n)
	for i := range sets {
		sets[i] = &embed.Set{N: 4, C: 24, Data: make([]float32, len(center))}
		for k, v := range center {
			sets[i].Data[k] = float32(max(v+0.6*noise.NormFloat64(), -0.1))
		}
	}
	return sets
}

func scores(t *testing.T, c fewshot.Classifier, classes []fewshot.Class, query *embed.Set) []float64 {
	t.Helper()
	require.NoError(t, c.Fit(classes))
	s := require.Value(c.Scores(nil, query))(t)
	return s
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-5 }

func TestClassifiersTellClassesApart(t *testing.T) {
	for name, method := range all {
		t.Run(name, func(t *testing.T) {
			var classes []fewshot.Class
			var queries [][]*embed.Set
			for seed := range uint64(4) {
				sets := examples(seed+1, 12)
				shots := 1 + 2*int(seed)
				if name == "local nearest" {
					shots = 3 // its scores grow with the number of examples
				}
				classes = append(classes, fewshot.Class{Name: fmt.Sprint(seed), Support: sets[:shots]})
				queries = append(queries, sets[7:])
			}
			for want, sets := range queries {
				for i, query := range sets {
					if got := fewshot.Best(scores(t, method(), classes, query)); got != want {
						t.Errorf("query %d of class %d: predicted %d", i, want, got)
					}
				}
			}
		})
	}
}

// Repeating all examples of a class does not change the scores.
func TestRepeatedExamplesChangeNothing(t *testing.T) {
	a, b, query := examples(1, 2), examples(2, 1), examples(3, 1)[0]
	for name, method := range all {
		if counts[name] {
			continue
		}
		t.Run(name, func(t *testing.T) {
			once := scores(t, method(), []fewshot.Class{{Name: "a", Support: a}, {Name: "b", Support: b}}, query)
			often := scores(t, method(), []fewshot.Class{
				{Name: "a", Support: slices.Repeat(a, 20)},
				{Name: "b", Support: b},
			}, query)
			if !slices.EqualFunc(once, often, near) {
				t.Errorf("scores %v, with a's examples twenty times over %v", once, often)
			}
		})
	}
}

func TestEqualClassesTie(t *testing.T) {
	a := examples(1, 2)
	for name, method := range all {
		classes := []fewshot.Class{{Name: "one", Support: a}, {Name: "two", Support: a}}
		s := scores(t, method(), classes, examples(1, 3)[2])
		if counts[name] { // equal up to rounding, because of the order of the examples
			if !near(s[0], s[1]) {
				t.Errorf("%s: equal classes score %v, want a tie", name, s)
			}
			continue
		}
		if s[0] != s[1] || fewshot.Best(s) != 0 {
			t.Errorf("%s: equal classes score %v, best is %d: want a tie and the first", name, s, fewshot.Best(s))
		}
		if p := fewshot.Softmax(nil, s); p[0] != 0.5 || p[1] != 0.5 {
			t.Errorf("%s: probabilities %v, want a half each", name, p)
		}
	}
}

// Fit discards earlier classes.
func TestFitDiscardsEarlierClasses(t *testing.T) {
	classes, query := twoClasses(), examples(1, 6)[5]
	for name, method := range all {
		c := method()
		scores(t, c, []fewshot.Class{{Support: examples(3, 4)}, {Support: examples(4, 2)}, {Support: examples(5, 1)}}, query)
		if got, want := scores(t, c, classes, query), scores(t, method(), classes, query); !slices.Equal(got, want) {
			t.Errorf("%s: scores %v after other classes, %v without them", name, got, want)
		}
	}
}

func TestScoresReusesMemory(t *testing.T) {
	a := examples(1, 5)
	for name, method := range all {
		c := method()
		require.NoError(t, c.Fit([]fewshot.Class{{Support: a[:2]}, {Support: a[2:4]}}))
		var dst []float64
		if n := testing.AllocsPerRun(10, func() {
			var err error
			if dst, err = c.Scores(dst, a[4]); err != nil {
				t.Fatal(err)
			}
		}); n != 0 {
			t.Errorf("%s: %v allocations a query, want none", name, n)
		}
	}
}

func TestClassifierErrors(t *testing.T) {
	good := examples(1, 2)
	bad := &embed.Set{N: 4, C: 24, Data: slices.Clone(good[0].Data)}
	bad.Data[30] = float32(math.NaN())
	narrow := &embed.Set{N: 4, C: 12, Data: make([]float32, 48)}
	fit := []struct {
		name    string
		classes []fewshot.Class
		is      error
		want    string
	}{
		{"no class", nil, fewshot.ErrEmpty, "add a class"},
		{"empty class", []fewshot.Class{{Name: "mug", Support: good}, {Name: "cup"}}, fewshot.ErrEmpty, `class "cup"`},
		{"NaN", []fewshot.Class{{Name: "mug", Support: []*embed.Set{good[0], bad}}}, match.ErrNotFinite, `class "mug", example 2: node 1`},
		{"nil", []fewshot.Class{{Name: "mug", Support: []*embed.Set{nil}}}, embed.ErrSet, `class "mug", example 1`},
		{"channels", []fewshot.Class{{Name: "mug", Support: good}, {Name: "cup", Support: []*embed.Set{narrow}}}, fewshot.ErrMixed, `class "cup", example 1`},
	}
	for name, method := range all {
		for _, test := range fit {
			t.Run(name+"/"+test.name, func(t *testing.T) {
				c := method()
				require.NoError(t, c.Fit([]fewshot.Class{{Support: good}}))
				err := c.Fit(test.classes)
				if !errors.Is(err, test.is) || !strings.Contains(err.Error(), test.want) {
					t.Errorf("got %v, want %v saying %q", err, test.is, test.want)
				}
				if _, err := c.Scores(nil, good[0]); !errors.Is(err, fewshot.ErrEmpty) {
					t.Errorf("after a failed fit: got %v, want %v", err, fewshot.ErrEmpty)
				}
			})
		}
		t.Run(name+"/query", func(t *testing.T) {
			c := method()
			if _, err := c.Scores(nil, good[0]); !errors.Is(err, fewshot.ErrEmpty) {
				t.Errorf("before a fit: got %v, want %v", err, fewshot.ErrEmpty)
			}
			require.NoError(t, c.Fit([]fewshot.Class{{Support: good}}))
			if _, err := c.Scores(nil, bad); !errors.Is(err, match.ErrNotFinite) || !strings.Contains(err.Error(), "query") {
				t.Errorf("NaN: got %v, want %v naming the query", err, match.ErrNotFinite)
			}
			for _, channels := range []int{12, 48} {
				query := &embed.Set{N: 4, C: channels, Data: make([]float32, 4*channels)}
				if _, err := c.Scores(nil, query); !errors.Is(err, match.ErrChannels) {
					t.Errorf("%d channels: got %v, want %v", channels, err, match.ErrChannels)
				}
			}
		})
	}
}

// Sets of different sizes can be matched, but not averaged.
func TestSetsOfDifferentSizes(t *testing.T) {
	large := examples(1, 1)[0]
	small := &embed.Set{N: 1, C: 24, Data: large.Data[:24]}
	classes := []fewshot.Class{{Name: "mug", Support: []*embed.Set{large, small}}}
	for name, method := range all {
		err := method().Fit(classes)
		if !averages[name] {
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if !errors.Is(err, fewshot.ErrMixed) || !strings.Contains(err.Error(), `class "mug", example 2`) {
			t.Errorf("%s: got %v, want %v naming the example", name, err, fewshot.ErrMixed)
		}
	}
}

// This example classifies an image with two nodes.
func ExamplePrototype() {
	picture := func(nodes ...[]float32) *embed.Set {
		return &embed.Set{N: len(nodes), C: len(nodes[0]), Data: slices.Concat(nodes...)}
	}
	handle, rim, leaf := []float32{4, 1, 0}, []float32{3, 2, 0}, []float32{0, 1, 4}

	var classifier fewshot.Prototype
	err := classifier.Fit([]fewshot.Class{
		{Name: "mug", Support: []*embed.Set{picture(handle, rim)}},
		{Name: "plant", Support: []*embed.Set{picture(leaf, leaf), picture(leaf, rim)}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	scores, err := classifier.Scores(nil, picture(rim, handle))
	if err != nil {
		fmt.Println(err)
		return
	}
	for i, p := range fewshot.Softmax(nil, scores) {
		fmt.Printf("class %d: %.3f\n", i, p)
	}
	// Output:
	// class 0: 1.000
	// class 1: 0.000
}
