package answer_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/match"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/solver"
)

// random returns an embedding of side×side nodes.
func random(seed uint64, side int) *embed.Set {
	r := rand.New(rand.NewPCG(seed, 1))
	set := &embed.Set{N: side * side, C: 8, Data: make([]float32, side*side*8)}
	for i := range set.Data {
		set.Data[i] = r.Float32()
	}
	for i := range set.N {
		x, y, step := float32(i%side), float32(i/side), 1/float32(side)
		set.Regions = append(set.Regions, embed.Region{X0: x * step, Y0: y * step, X1: (x + 1) * step, Y1: (y + 1) * step})
	}
	return set
}

func explained(t *testing.T, m *match.Matcher, query, support *embed.Set) *answer.Match {
	t.Helper()
	q := require.Value(m.Prepare(query))(t)
	s := require.Value(m.Prepare(support))(t)
	e := require.Value(m.Explain(q, s))(t)
	return e
}

func TestLinksAddUp(t *testing.T) {
	for name, m := range map[string]*match.Matcher{
		"simplex":     {},
		"equal":       {Weighting: match.Equal{}},
		"temperature": {Temperature: 3},
		"sinkhorn":    {Solver: &solver.Sinkhorn{Strength: 0.05}},
		"clusters":    {Weighting: match.KMeans{K: 3}},
	} {
		e := explained(t, m, random(1, 3), random(2, 2))
		for _, e := range []*answer.Match{e, e.Reverse(), e.Reverse().Reverse()} {
			var score, flow float64
			for _, l := range e.Links(0) {
				score, flow = score+l.Score, flow+l.Flow
				if k := l.From*e.To.N() + l.To; l.Flow != e.Mass(l.From, l.To) || l.Similarity != e.Similarity[k] {
					t.Errorf("%s: link %+v, flow %v, similarity %v", name, l, e.Mass(l.From, l.To), e.Similarity[k])
				}
			}
			if !(math.Abs(score-e.Score) <= 1e-9) || !(math.Abs(flow-e.Total) <= 1e-6) {
				t.Errorf("%s: links add up to score %v of %v, flow %v of %v", name, score, e.Score, flow, e.Total)
			}
			for i, n := range e.From {
				w := n.Weight
				var sent float64
				links := e.Sends(i, 0)
				for k, l := range links {
					sent += l.Flow
					if l.From != i || (k > 0 && l.Flow > links[k-1].Flow) {
						t.Errorf("%s: node %d sends %+v in place %d", name, i, l, k)
					}
				}
				if !(math.Abs(sent-w) <= 1e-6) || e.Best(i) != links[0].To {
					t.Errorf("%s: node %d of weight %v sends %v, most to %d, best is %d", name, i, w, sent, links[0].To, e.Best(i))
				}
			}
		}
		if again := e.Reverse().Reverse(); !reflect.DeepEqual(again, e) {
			t.Errorf("%s: reversed twice is not the same", name)
		}
	}
}

func TestOwnMemory(t *testing.T) {
	var m match.Matcher
	e := explained(t, &m, random(1, 3), random(2, 3))
	before := *e.Reverse().Reverse()
	explained(t, &m, random(3, 3), random(4, 3))
	if !reflect.DeepEqual(*e, before) {
		t.Error("the matcher's next match changed an explanation")
	}
}

func TestLeast(t *testing.T) {
	e := &answer.Match{
		Total: 4, Temperature: 1,
		From:       answer.NewSide(make([]embed.Region, 2), []float64{3, 1}),
		To:         answer.NewSide(make([]embed.Region, 3), []float64{2, 1, 1}),
		Similarity: []float64{.1, .2, .3, .4, .5, .6},
	}
	e.SetFlow([]float64{2, .5, .5, 0, .5, .5})
	counts := []int{len(e.Links(0)), len(e.Links(.125)), len(e.Links(.13)), len(e.Sends(0, .2)), len(e.Sends(1, .5)), len(e.Sends(1, .51))}
	if want := []int{5, 5, 1, 1, 2, 0}; !reflect.DeepEqual(counts, want) {
		t.Errorf("%v links, want %v", counts, want)
	}
	if e.Best(0) != 0 || e.Best(1) != 2 {
		t.Errorf("best matches %d and %d, want 0 and, of equals the more similar, 2", e.Best(0), e.Best(1))
	}
	if e.Mass(0, 1) != .5 || e.Mass(1, 0) != 0 {
		t.Errorf("masses %v and %v, want 0.5 and 0", e.Mass(0, 1), e.Mass(1, 0))
	}
	e.SetFlow([]float64{3, 1, 0, 0, 0, 0})
	if e.Best(1) != -1 || len(e.Sends(1, 0)) > 0 {
		t.Errorf("a node that sends nothing has the best match %d", e.Best(1))
	}
}

// Equal links are in the order of their nodes, from the other side too.
func TestOrderOfEqualLinks(t *testing.T) {
	e := &answer.Match{Total: 4, Temperature: 1, Similarity: make([]float64, 4)}
	e.From = answer.NewSide(make([]embed.Region, 2), []float64{2, 2})
	e.To = e.From
	e.SetFlow([]float64{1, 1, 1, 1})
	for _, m := range []*answer.Match{e, e.Reverse()} {
		for k, l := range m.Flow {
			if l.From != k/2 || l.To != k%2 {
				t.Errorf("link %d is from %d to %d", k, l.From, l.To)
			}
		}
	}
}

func TestRegionsMissing(t *testing.T) {
	var m match.Matcher
	with := require.Value(m.Prepare(random(1, 2)))(t)
	bare := random(2, 2)
	bare.Regions = nil
	without := require.Value(m.Prepare(bare))(t)
	for _, pair := range [][2]*match.Prepared{{with, without}, {without, with}} {
		if _, err := m.Explain(pair[0], pair[1]); !errors.Is(err, match.ErrRegions) {
			t.Errorf("error %v, want ErrRegions", err)
		}
	}
}

func TestBrightness(t *testing.T) {
	for _, test := range []struct{ weights, want []float64 }{
		{[]float64{1, 4, 2}, []float64{.25, 1, .5}},
		{[]float64{.25, .5}, []float64{.5, 1}},
		{[]float64{0, 0}, []float64{0, 0}},
		{nil, []float64{}},
	} {
		got := answer.NewSide(make([]embed.Region, len(test.weights)), test.weights).Brightness()
		if !reflect.DeepEqual(got, test.want) {
			t.Errorf("%v: %v, want %v", test.weights, got, test.want)
		}
	}
}

func TestHeat(t *testing.T) {
	side := answer.NewSide([]embed.Region{{X1: 1, Y1: 1}, {X0: .25, Y0: .5, X1: .75, Y1: 1}, {X1: .25, Y1: .5}}, []float64{4, 2, 1})
	for _, test := range []struct {
		columns, rows int
		want          []float64
	}{
		{1, 1, []float64{7}},
		{2, 2, []float64{2, 1, 2, 2}},
		{4, 2, []float64{1.5, .5, .5, .5, .5, 1.5, 1.5, .5}},
		{1, 2, []float64{3, 4}},
	} {
		got := side.Heat(test.columns, test.rows)
		if fmt.Sprint(got) != fmt.Sprint(test.want) {
			t.Errorf("%d×%d: %v, want %v", test.columns, test.rows, got, test.want)
		}
	}
	for n := 1; n < 40; n++ {
		var sum float64
		for _, v := range side.Heat(n, 2*n+1) {
			sum += v
		}
		if !(math.Abs(sum-7) <= 1e-9) {
			t.Errorf("%d columns: cells sum to %v, want 7", n, sum)
		}
	}
}
