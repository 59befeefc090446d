package fewshot_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/internal/require"
)

// unbalanced returns three classes with 5, 3 and 1 examples.
func unbalanced() (classes []fewshot.Class, labels []int) {
	for i, n := range []int{5, 3, 1} {
		classes = append(classes, fewshot.Class{Support: examples(uint64(1+i), n)})
		for range n {
			labels = append(labels, i)
		}
	}
	return classes, labels
}

// input returns the head's input as documented at RidgeHead, with a mean node of the given length.
func input(s *embed.Set, meanLength float64) []float64 {
	var all []float64
	mean := make([]float64, s.C)
	for n := range s.N {
		var sum, squares float64
		for c, v := range s.Node(n) {
			mean[c] += float64(v)
			sum += float64(v)
		}
		for _, v := range s.Node(n) {
			squares += math.Pow(float64(v)-sum/float64(s.C), 2)
		}
		for _, v := range s.Node(n) {
			all = append(all, (float64(v)-sum/float64(s.C))/math.Sqrt(squares*float64(s.N)))
		}
	}
	length := mat.Norm(mat.NewVecDense(s.C, mean), 2)
	for _, v := range mean {
		all = append(all, meanLength*v/length)
	}
	return all
}

// byDefinition returns the scores of a query by weighted ridge regression, solved in input
// space. Unless without is −1, it omits this example, and the other examples of the class
// get its weight.
func byDefinition(classes []fewshot.Class, labels []int, query *embed.Set, without []int, strength, meanLength float64) []float64 {
	way, n := len(classes), len(labels)
	var inputs [][]float64
	share := make([]float64, n)
	for _, class := range classes {
		for _, s := range class.Support {
			share[len(inputs)] = 1 / float64(way*len(class.Support))
			inputs = append(inputs, input(s, meanLength))
		}
	}
	if len(without) > 0 { // distribute their weight in the class
		own := labels[without[0]]
		if count := len(classes[own].Support); count > len(without) {
			for i := range share {
				if labels[i] == own {
					share[i] = 1 / float64(way*(count-len(without)))
				}
			}
		}
		for _, i := range without {
			share[i] = 0
		}
	}
	size := len(inputs[0])
	mean, targets, total := make([]float64, size), make([]float64, way), 0.0
	for _, w := range share {
		total += w
	}
	for i, x := range inputs {
		for c, v := range x {
			mean[c] += share[i] / total * v
		}
		for class := range way {
			targets[class] -= share[i] / total / float64(way)
		}
		targets[labels[i]] += share[i] / total
	}
	left, right := mat.NewSymDense(size, nil), mat.NewDense(size, way, nil)
	for c := range size {
		left.SetSym(c, c, strength)
	}
	for i, x := range inputs {
		if slices.Contains(without, i) {
			continue
		}
		for c := range x {
			x[c] -= mean[c]
		}
		weight := share[i] * float64(n)
		left.SymRankOne(left, weight, mat.NewVecDense(size, x))
		for class := range way {
			y := -1 / float64(way)
			if labels[i] == class {
				y++
			}
			y -= targets[class]
			for c, v := range x {
				right.Set(c, class, right.At(c, class)+weight*v*y)
			}
		}
	}
	var layer mat.Dense
	if err := layer.Solve(left, right); err != nil {
		panic(err)
	}
	q := input(query, meanLength)
	for c := range q {
		q[c] -= mean[c]
	}
	var scores mat.VecDense
	scores.MulVec(layer.T(), mat.NewVecDense(size, q))
	scores.AddVec(&scores, mat.NewVecDense(way, targets))
	return scores.RawVector().Data
}

func TestRidgeHeadIsRidgeRegression(t *testing.T) {
	classes, labels := unbalanced()
	var head fewshot.RidgeHead
	query := examples(2, 9)[8]
	for _, set := range append(slices.Concat(classes[0].Support, classes[1].Support, classes[2].Support), query) {
		set.C = 23 // no multiple of the vectors' lengths
		set.Data = set.Data[:set.N*set.C]
	}
	want := byDefinition(classes, labels, query, nil, 0.3, 1)
	for i, v := range scores(t, &head, classes, query) {
		if !(math.Abs(v-want[i]) <= 1e-4) {
			t.Errorf("class %d: score %g, want %g", i, v, want[i])
		}
	}
	at := 0
	for c, class := range classes {
		for k, s := range class.Support {
			want := byDefinition(classes, labels, s, []int{at}, 0.3, 1)
			for i, v := range head.ScoresWithout(c, k) {
				if !(math.Abs(v-want[i]) <= 1e-4) {
					t.Errorf("example %d, class %d: %g when left out, want %g", at, i, v, want[i])
				}
			}
			at++
		}
	}
}

// The examples of a run are left out together.
func TestRidgeHeadLeavesOutRuns(t *testing.T) {
	const frames = 3
	classes := []fewshot.Class{{Name: "a", Support: films(1, 3, frames)}, {Name: "b", Support: films(2, 2, frames)}}
	var labels []int
	for c, class := range classes {
		for range class.Support {
			labels = append(labels, c)
		}
	}
	var head fewshot.RidgeHead
	scores(t, &head, classes, classes[0].Support[0])
	for at, c := range labels {
		i := at - c*len(classes[0].Support)
		var run []int
		for k := range frames {
			run = append(run, at-i%frames+k)
		}
		want := byDefinition(classes, labels, classes[c].Support[i], run, 0.3, 1)
		for class, v := range head.ScoresWithout(c, i) {
			if !(math.Abs(v-want[class]) <= 1e-4) {
				t.Errorf("example %d of %s, class %d: %g when left out, want %g", i, classes[c].Name, class, v, want[class])
			}
		}
	}
}

func TestRidgeHeadErrors(t *testing.T) {
	for _, c := range []fewshot.Classifier{new(fewshot.RidgeHead), new(fewshot.Mixture)} {
		query := examples(1, 1)[0]
		if _, err := c.Scores(nil, query); !errors.Is(err, fewshot.ErrEmpty) {
			t.Errorf("%T: before Fit: %v", c, err)
		}
		require.NoError(t, c.Fit([]fewshot.Class{{Support: examples(1, 2)}, {Support: examples(2, 2)}}))
		few := &embed.Set{N: query.N - 1, C: query.C, Data: query.Data[query.C:], Regions: query.Regions[min(1, len(query.Regions)):]}
		if _, err := c.Scores(nil, few); errors.Is(err, fewshot.ErrMixed) != head(c) {
			t.Errorf("%T: a query of fewer nodes: %v", c, err)
		}
		if extender := c.Traits().Extender; extender != nil {
			if err := extender.Extend(0, few); !errors.Is(err, fewshot.ErrMixed) {
				t.Errorf("%T: an example of fewer nodes: %v", c, err)
			}
		}
		if _, err := c.Scores(nil, nil); !errors.Is(err, embed.ErrSet) {
			t.Errorf("%T: no query: %v", c, err)
		}
	}
}

// head reports whether a classifier is a RidgeHead.
func head(c fewshot.Classifier) bool {
	_, ok := c.(*fewshot.RidgeHead)
	return ok
}

// Nodes that are too short to be scaled count as zero, so that the scores are finite.
func TestRidgeHeadOfShortNodes(t *testing.T) {
	short := &embed.Set{N: 2, C: 4, Data: []float32{1e-40, 0, 2e-40, 0, 1e-45, 0, 0, 0}}
	long := &embed.Set{N: 2, C: 4, Data: []float32{1, 0, 2, 0, 3, 0, 1, 1}}
	classes := []fewshot.Class{{Support: []*embed.Set{short}}, {Support: []*embed.Set{long}}}
	for _, c := range []fewshot.Classifier{new(fewshot.RidgeHead), new(fewshot.Mixture)} {
		for _, query := range []*embed.Set{short, long} {
			for _, score := range scores(t, c, classes, query) {
				if math.IsNaN(score) || math.IsInf(score, 0) {
					t.Errorf("%T: a score of %v", c, score)
				}
			}
		}
	}
}

// Nodes with nearly equal channels count as zero, so that the scores are finite.
func TestRidgeHeadOfFlatNodes(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 19))
	for _, spread := range []float64{1, 1e-2, 1e-3, 1e-4, 1e-6, 0} {
		classes := make([]fewshot.Class, 2)
		for i := range classes {
			for range 4 {
				set := &embed.Set{N: 3, C: 4}
				for range set.N {
					level := 1 + rng.Float64()
					for range set.C {
						set.Data = append(set.Data, float32(level+spread*rng.NormFloat64()))
					}
				}
				classes[i].Support = append(classes[i].Support, set)
			}
		}
		for _, c := range []fewshot.Classifier{new(fewshot.RidgeHead), new(fewshot.Mixture)} {
			for _, score := range scores(t, c, classes, classes[0].Support[0]) {
				if math.IsNaN(score) || math.IsInf(score, 0) {
					t.Errorf("%T, channels %g apart: a score of %v", c, spread, score)
				}
			}
		}
	}
}
