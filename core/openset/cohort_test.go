package openset

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/internal/tensor"
)

// flat returns an image with two equal nodes.
func flat(values ...float32) *embed.Set {
	return &embed.Set{N: 2, C: len(values), Data: slices.Concat(values, values)}
}

// training returns a two-class cohort along the third and the fourth channel.
func training(t *testing.T) *Cohort {
	t.Helper()
	c := require.Value(NewCohort([]fewshot.Class{
		{Name: "third", Support: []*embed.Set{flat(0, 0, 2, 0), flat(0, 0, 5, 0)}},
		{Name: "fourth", Support: []*embed.Set{flat(0, 0, 0, 1)}},
	}))(t)
	return c
}

// cohortOf returns the energy of two cosines with the cohort.
func cohortOf(a, b float64) float64 {
	return math.Log((math.Exp(contrastSharpness*a) + math.Exp(contrastSharpness*b)) / 2)
}

func TestContrastWeighsClassesAgainstTheCohort(t *testing.T) {
	classes := []fewshot.Class{
		{Name: "first", Support: []*embed.Set{flat(1, 0, 0, 0), flat(1, 1, 0, 0)}},
		{Name: "second", Support: []*embed.Set{flat(0, 1, 0, 0)}},
	}
	x := training(t).Contrast(classes)
	own := math.Cos(math.Pi / 8) // the mean feature of the first class bisects its two examples
	for name, c := range map[string]struct {
		picture *embed.Set
		want    []float64
	}{
		"of the first":       {flat(3, 0, 0, 0), []float64{20*own - cohortOf(0, 0), 0 - cohortOf(0, 0)}},
		"of what is learned": {flat(0, 0, 0, 7), []float64{-cohortOf(0, 1), -cohortOf(0, 1)}},
		"of nothing at all":  {flat(0, 0, 0, 0), []float64{0, 0}},
	} {
		scores := []float64{5, 2}
		x.Add(scores, c.picture)
		for i, base := range []float64{5, 2} {
			if want := base + c.want[i]/2; !(math.Abs(scores[i]-want) <= 1e-9) {
				t.Errorf("a picture %s scores %v against class %d, want %v", name, scores[i], i, want)
			}
		}
	}

	// A left-out example is compared with the rest of its class, which may be empty.
	l := &LeftOut{Class: []int{0, 0, 1}, Scores: [][]float64{{5, 2}, {5, 2}, {2, nan()}}}
	with := x.LeftOut(l)
	half := math.Sqrt(.5)
	if got, want := with.Scores[0][0], 5+(20*half-cohortOf(0, 0))/2; !(math.Abs(got-want) <= 1e-9) {
		t.Errorf("the first example scores %v against the other of its class, want %v", got, want)
	}
	if got, want := with.Scores[1][1], 2+(20*half-cohortOf(0, 0))/2; !(math.Abs(got-want) <= 1e-9) {
		t.Errorf("the second example scores %v against the other class, want %v", got, want)
	}
	if !math.IsNaN(with.Scores[2][1]) || l.Scores[0][0] != 5 {
		t.Errorf("the only example scores %v against its class, want NaN; the scores that were given became %v", with.Scores[2][1], l.Scores)
	}
}

// A nil contrast does not change scores.
func TestNoContrast(t *testing.T) {
	var none *Cohort
	x := none.Contrast([]fewshot.Class{{Support: []*embed.Set{flat(1, 0)}}})
	scores, l := []float64{3}, &LeftOut{}
	x.Add(scores, flat(1, 0))
	if scores[0] != 3 || x.LeftOut(l) != l {
		t.Error("a network without a cohort has its scores changed")
	}
}

func TestCohortInAFile(t *testing.T) {
	c := training(t)
	file := c.Tensor()
	for _, v := range file.Data {
		if v != float32(int8(v)) {
			t.Fatalf("the file holds %v, want whole numbers of a byte", v)
		}
	}
	read := require.Value(ReadCohort(file, 4))(t)
	if read.Classes() != 2 || !slices.EqualFunc(read.means, c.means, func(a, b float64) bool { return math.Abs(a-b) < 1e-2 }) {
		t.Errorf("read %v, want %v", read.means, c.means)
	}
	for _, bad := range []*tensor.Tensor{tensor.New(2, 4), tensor.New(2, 3, 1, 1), tensor.New(0, 4, 1, 1)} {
		if _, err := ReadCohort(bad, 4); err == nil || !strings.Contains(err.Error(), "want [classes, 4, 1, 1]") {
			t.Errorf("a tensor of shape %v: %v", bad.Shape, err)
		}
	}
}

func TestNoCohort(t *testing.T) {
	for name, classes := range map[string][]fewshot.Class{
		"no classes":    nil,
		"b has no":      {{Name: "a", Support: []*embed.Set{flat(1, 0)}}, {Name: "b"}},
		"others have 2": {{Name: "a", Support: []*embed.Set{flat(1, 0)}}, {Name: "b", Support: []*embed.Set{flat(1)}}},
		"not a set of ": {{Name: "a", Support: []*embed.Set{{N: 1, C: 2}}}},
	} {
		if _, err := NewCohort(classes); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%v, want an error that says %q", err, name)
		}
	}
}
