package match_test

import (
	"encoding/json"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/match"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/internal/require"
)

// clusters holds small sets with scikit-learn's results; see testdata/clusters.py.
func clusters(t *testing.T) (cases []struct {
	N, C     int
	Data     []float32
	Estimate float64
	Shifts   []struct {
		Bandwidth float64
		Labels    []int
	}
	Means []struct {
		K       int
		Inertia float64
	}
}) {
	t.Helper()
	raw := require.Value(os.ReadFile("testdata/clusters.json"))(t)
	require.NoError(t, json.Unmarshal(raw, &cases))
	return cases
}

// sameGroups reports whether two labellings agree except for the numbers of groups.
func sameGroups(a, b []int) bool {
	for i := range a {
		for j := range i {
			if (a[i] == a[j]) != (b[i] == b[j]) {
				return false
			}
		}
	}
	return len(a) == len(b)
}

func TestMeanShiftAsScikitLearn(t *testing.T) {
	for i, c := range clusters(t) {
		set := &embed.Set{N: c.N, C: c.C, Data: c.Data}
		if got := match.EstimateBandwidth(set); !near(got, c.Estimate, 1e-12*(1+c.Estimate)) {
			t.Errorf("case %d: estimated bandwidth %v, scikit-learn has %v", i, got, c.Estimate)
		}
		for _, shift := range c.Shifts {
			got, err := match.MeanShift{Bandwidth: shift.Bandwidth}.Labels(set)
			if err != nil || !sameGroups(got, shift.Labels) {
				t.Errorf("case %d, bandwidth %v: groups %v (%v), scikit-learn has %v", i, shift.Bandwidth, got, err, shift.Labels)
			}
		}
	}
}

// The modes (3, 0.45) and (3, 1.08) have three members each and are within the bandwidth. Scikit-learn keeps
// the one with the larger coordinates, which is farther from the mode of the first two nodes than the bandwidth.
func TestMeanShiftOfEquallyDenseModes(t *testing.T) {
	set := &embed.Set{N: 4, C: 2, Data: []float32{3, -0.3, 3, 0.4, 3, 1.25, 3, 1.6}}
	if got, err := (match.MeanShift{Bandwidth: 1}).Labels(set); err != nil || !slices.Equal(got, []int{0, 0, 1, 1}) {
		t.Errorf("groups %v (%v), want the first two nodes and the others", got, err)
	}
}

// The spread is at most the best of 200 starts of scikit-learn.
func TestKMeansAsScikitLearn(t *testing.T) {
	for i, c := range clusters(t) {
		set := &embed.Set{N: c.N, C: c.C, Data: c.Data}
		for _, means := range c.Means {
			merged, _, err := match.KMeans{K: means.K}.Merge(set)
			require.NoError(t, err)
			labels, _ := match.KMeans{K: means.K}.Labels(set)
			var inertia float64
			for n, label := range labels {
				for ch, v := range set.Node(n) {
					d := float64(v) - float64(merged.Node(label)[ch])
					inertia += d * d
				}
			}
			if inertia > means.Inertia*1.0001+1e-9 {
				t.Errorf("case %d, K = %d: inertia %v, scikit-learn has %v", i, means.K, inertia, means.Inertia)
			}
		}
	}
}

// The limits of both clusterings (DeepEMD, Table 2): one cluster per node is the EMD with equal
// weights, exactly; a single cluster is the cosine of means.
func TestLimitsOfGroupings(t *testing.T) {
	rng := rand.New(rand.NewPCG(21, 22))
	for _, size := range []struct{ nq, ns, c int }{{25, 25, 64}, {9, 9, 17}, {30, 25, 40}, {1, 4, 8}} {
		query, support := randomSet(rng, size.nq, size.c), randomSet(rng, size.ns, size.c)
		score := func(w match.Weighting) float64 {
			m := match.Matcher{Weighting: w}
			s := require.Value(m.Score(query, support))(t)
			return s
		}
		equal := score(match.Equal{})
		for _, w := range []match.Weighting{match.KMeans{K: 30}, match.KMeans{K: 1000}, match.MeanShift{Bandwidth: 1e-9}, match.MeanShift{Bandwidth: math.SmallestNonzeroFloat64}} {
			if got := score(w); got != equal {
				t.Errorf("%v, %s: score %v, with equal weights %v", size, w, got, equal)
			}
		}
		cosine := method.Temperature * cosineOfMeans(query, support)
		one := score(match.KMeans{K: 1})
		if !near(one, cosine, 1e-5) {
			t.Errorf("%v: score of one cluster %v, cosine of means %v", size, one, cosine)
		}
		for _, w := range []match.Weighting{match.MeanShift{Bandwidth: 1e9}, match.MeanShift{Bandwidth: math.Inf(1)}} {
			if got := score(w); got != one {
				t.Errorf("%v, %s: score %v, of one cluster by k-means %v", size, w, got, one)
			}
		}
	}
}

// cosineOfMeans returns the cosine of the centered mean nodes.
func cosineOfMeans(a, b *embed.Set) float64 {
	mean := func(s *embed.Set) []float64 {
		m := make([]float64, s.C)
		for i := range s.N {
			for c, v := range s.Node(i) {
				m[c] += float64(v) / float64(s.N)
			}
		}
		var center float64
		for _, v := range m {
			center += v / float64(len(m))
		}
		for c := range m {
			m[c] -= center
		}
		return m
	}
	var ab, aa, bb float64
	mb := mean(b)
	for c, v := range mean(a) {
		ab, aa, bb = ab+v*mb[c], aa+v*v, bb+mb[c]*mb[c]
	}
	return ab / math.Sqrt(aa*bb)
}

// Merging equal nodes does not change the score.
func TestMergingEqualNodesChangesNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(23, 24))
	query, support := randomSet(rng, 6, 12), randomSet(rng, 8, 12)
	double := &embed.Set{N: 11, C: 12, Data: slices.Concat(query.Data, query.Data[:60])}
	equal := match.Matcher{Weighting: match.Equal{}}
	want := require.Value(equal.Score(double, support))(t)
	for _, w := range []match.Weighting{match.KMeans{K: 11}, match.KMeans{K: 8}, match.MeanShift{Bandwidth: 1e-6}} {
		m := match.Matcher{Weighting: w}
		got, err := m.Score(double, support)
		if err != nil || !near(got, want, 1e-9) {
			t.Errorf("%s: score %v (%v), want %v", w, got, err, want)
		}
	}
}

func TestMerge(t *testing.T) {
	set := &embed.Set{
		N: 5, C: 2,
		Data: []float32{0, 0, 10, 0, 2, 0, 0, 1, 10, 4},
		Regions: []embed.Region{
			{X0: 0, Y0: 0, X1: 0.2, Y1: 0.2}, {X0: 0.8, Y0: 0, X1: 1, Y1: 0.2}, {X0: 0.4, Y0: 0.1, X1: 0.5, Y1: 0.2},
			{X0: 0, Y0: 0.5, X1: 0.1, Y1: 0.6}, {X0: 0.7, Y0: 0.7, X1: 0.9, Y1: 0.8},
		},
	}
	for _, grouping := range []match.Grouping{match.KMeans{K: 2}, match.MeanShift{Bandwidth: 5}} {
		labels, err := grouping.Labels(set)
		if err != nil || !slices.Equal(labels, []int{0, 1, 0, 0, 1}) {
			t.Fatalf("%s: groups %v, error %v", grouping, labels, err)
		}
		merged, sizes, err := grouping.Merge(set)
		if err != nil || !slices.Equal(sizes, []float64{3, 2}) {
			t.Fatalf("%s: sizes %v, error %v", grouping, sizes, err)
		}
		if want := []float32{2. / 3, 1. / 3, 10, 2}; !slices.Equal(merged.Data, want) {
			t.Errorf("%s: nodes %v, want %v", grouping, merged.Data, want)
		}
		want := []embed.Region{{X0: 0, Y0: 0, X1: 0.5, Y1: 0.6}, {X0: 0.7, Y0: 0, X1: 1, Y1: 0.8}}
		if !slices.Equal(merged.Regions, want) {
			t.Errorf("%s: regions %v, want %v", grouping, merged.Regions, want)
		}
	}
}

func TestGroupsWeighAsTheirMembers(t *testing.T) {
	query := &embed.Set{N: 4, C: 3, Data: []float32{1, 0, 0, 1, 0.1, 0, 1, 0, 0.1, 0, 0, 5}}
	m := match.Matcher{Weighting: match.KMeans{K: 2}}
	got := require.Value(m.Match(query, query))(t)
	for side, weights := range [][]float64{got.QueryWeights, got.SupportWeights} {
		if len(weights) != 2 || !near(weights[0], 1.5, 1e-9) || !near(weights[1], 0.5, 1e-9) {
			t.Errorf("side %d: weights %v, want 1.5 and 0.5: two nodes' worth, three parts to one", side, weights)
		}
	}
}

func TestGroupingErrors(t *testing.T) {
	good := &embed.Set{N: 2, C: 2, Data: []float32{1, 2, 3, 4}}
	bad := &embed.Set{N: 2, C: 2, Data: []float32{1, 2, 3, float32(math.NaN())}}
	infinite := &embed.Set{N: 2, C: 2, Data: slices.Repeat([]float32{2, float32(math.Inf(-1))}, 2)}
	tests := []struct {
		grouping match.Grouping
		query    *embed.Set
		is       error
		want     string
	}{
		{match.KMeans{}, good, nil, "0 clusters"},
		{match.KMeans{K: -3}, good, nil, "-3 clusters"},
		{match.MeanShift{Bandwidth: -1}, good, nil, "bandwidth of -1"},
		{match.MeanShift{Bandwidth: math.NaN()}, good, nil, "bandwidth of NaN"},
		{match.KMeans{K: 2}, bad, match.ErrNotFinite, "query: node 1"},
		{match.MeanShift{}, bad, match.ErrNotFinite, "query: node 1"},
		{match.KMeans{K: 1}, infinite, match.ErrNotFinite, "query: node 0"},
		{match.KMeans{K: 2}, nil, embed.ErrSet, "query"},
		{match.MeanShift{}, &embed.Set{C: 2}, embed.ErrSet, "query"},
	}
	for _, test := range tests {
		m := match.Matcher{Weighting: test.grouping}
		_, err := m.Score(test.query, good)
		if err == nil || (test.is != nil && !errors.Is(err, test.is)) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want %v saying %q", test.grouping, err, test.is, test.want)
		}
	}
	same := &embed.Set{N: 25, C: 3, Data: slices.Repeat([]float32{1, 2, 3}, 25)}
	for _, grouping := range []match.Grouping{match.KMeans{K: 5}, match.MeanShift{}} {
		if merged, _, err := grouping.Merge(same); err != nil || merged.N != 1 {
			t.Errorf("%s: equal nodes are merged into %d (%v), want one", grouping, merged.N, err)
		}
	}
}
