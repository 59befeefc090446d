package evaluate

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/core/imaging"
	"github.com/deepemd/deepemd/core/match"
	"github.com/deepemd/deepemd/core/openset"
	"github.com/deepemd/deepemd/internal/require"
	"github.com/deepemd/deepemd/trainer/data"
)

// trapezoids returns the area under the ROC curve as defined by scikit-learn's roc_curve and auc: linear
// between one point per distinct score, from the highest, where all scores that reach it count as
// positive.
func trapezoids(positives, negatives []float64) float64 {
	thresholds := slices.Compact(slices.Sorted(slices.Values(slices.Concat(positives, negatives))))
	slices.Reverse(thresholds)
	var area, lastX, lastY float64
	for _, t := range thresholds {
		x, y := answer.Above(negatives, t), answer.Above(positives, t)
		area += (x - lastX) * (y + lastY) / 2
		lastX, lastY = x, y
	}
	return area
}

func TestAUROC(t *testing.T) {
	for _, c := range []struct {
		name                 string
		positives, negatives []float64
		want                 float64
	}{
		{"apart", []float64{2, 3}, []float64{0, 1}, 1},
		{"the wrong way round", []float64{0, 1}, []float64{2, 3}, 0},
		{"the same", []float64{1, 1, 1}, []float64{1, 1}, 0.5},
		// y_true [0, 0, 1, 1], y_score [0.1, 0.4, 0.35, 0.8]: the example of
		// scikit-learn's documentation of roc_auc_score.
		{"scikit-learn's example", []float64{0.35, 0.8}, []float64{0.1, 0.4}, 0.75},
		{"not a number", []float64{math.NaN(), 1}, []float64{0, math.NaN()}, 0.625},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := AUROC(c.positives, c.negatives); got != c.want {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
	for _, of := range [][2][]float64{{nil, {1}}, {{1}, nil}} {
		if !math.IsNaN(AUROC(of[0], of[1])) || !math.IsNaN(FalsePositives(of[0], of[1], 0.95)) {
			t.Errorf("%v: there is an area or a share", of)
		}
	}
}

func TestAUROCIsTheAreaUnderTheCurve(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		draw := func(shift float64) []float64 {
			values := make([]float64, 1+r.IntN(40))
			for i := range values {
				values[i] = math.Round(4*(r.NormFloat64()+shift)) / 4
			}
			return values
		}
		positives, negatives := draw(0.7), draw(0)
		if got, want := AUROC(positives, negatives), trapezoids(positives, negatives); !(math.Abs(got-want) <= 1e-12) {
			t.Fatalf("%v, the area is %v (%v, %v)", got, want, positives, negatives)
		}
	}
}

func TestDifference(t *testing.T) {
	mean, half := Difference([]float64{3, 5, 9}, []float64{2, 2, 4, 100})
	if wantHalf := 1.96 * math.Sqrt(8./3) / math.Sqrt(3); mean != 3 || !(math.Abs(half-wantHalf) <= 1e-12) {
		t.Errorf("difference %v ± %v, want 3 ± %v", mean, half, wantHalf)
	}
	if mean, half := Difference(nil, []float64{1}); mean != 0 || half != 0 {
		t.Errorf("no pairs: %v ± %v", mean, half)
	}
}

// At 3, a quarter of the known scores is rejected, and a quarter of the unknown ones accepted.
func TestBalance(t *testing.T) {
	if got := balance([]float64{5, 1, 4, 3}, []float64{0, 3.5, 2, 2.5}); got != 3 {
		t.Errorf("threshold %v, want 3", got)
	}
}

func TestFalsePositives(t *testing.T) {
	var positives []float64
	for i := range 20 {
		positives = append(positives, float64(i))
	}
	if got := FalsePositives(positives, []float64{0, 0.5, 1, 7}, 0.95); got != 0.5 {
		t.Errorf("%v, want one half", got)
	}
	if got := FalsePositives(positives, []float64{0, 0.5, 1, 7}, 1); got != 1 {
		t.Errorf("%v when all must pass, want 1", got)
	}
}

func TestAgreement(t *testing.T) {
	of := func(logits ...[]float32) *Result { return &Result{Way: 2, Logits: logits} }
	a := of([]float32{1, 2, 4, 3}, []float32{0, -1, -3, -2})
	for _, c := range []struct {
		b    *Result
		want float64
	}{
		{a, 1},
		{of([]float32{5, 9, 1, 0}, []float32{0, -1, -2, -3}), 0.75},
		{of([]float32{2, 1, 3, 4}, []float32{-1, 0, -2, -3}), 0},
	} {
		if got := Agreement(a, c.b); got != c.want {
			t.Errorf("agreement %v, want %v", got, c.want)
		}
	}
}

// Pictures of 1, 2 and 4 different nodes.
func TestCountClusters(t *testing.T) {
	features := Features{
		"one": {N: 3, C: 2, Data: []float32{1, 2, 1, 2, 1, 2}}, "two": {N: 3, C: 2, Data: []float32{1, 2, 9, 2, 1, 2}},
		"four": {N: 4, C: 2, Data: []float32{1, 2, 9, 2, 1, 7, 9, 7}},
	}
	got, err := CountClusters(features, match.MeanShift{Bandwidth: 1})
	if want := (Clusters{Mean: 7. / 3, Least: 1, Most: 4}); err != nil || *got != want {
		t.Errorf("%+v (%v), want %+v", got, err, want)
	}
	if got, err := CountClusters(features, match.Equal{}); got != nil || err != nil {
		t.Errorf("%+v (%v) of a weighting that merges nothing", got, err)
	}
	features["empty"] = &embed.Set{}
	if _, err := CountClusters(features, match.MeanShift{Bandwidth: 1}); !errors.Is(err, embed.ErrSet) || !strings.HasPrefix(err.Error(), "empty: ") {
		t.Errorf("error %v", err)
	}
}

// A summary has the means over episodes, and the levels of all scores together.
func TestSummary(t *testing.T) {
	n := len(Candidates())
	episode := func(v float64) openOutcome {
		return openOutcome{
			AUROC: slices.Repeat([]float64{v + 1}, n), FPR95: slices.Repeat([]float64{v + 2}, n),
			Known: []float64{v + 3}, Unknown: []float64{v - 3}, Own: []float64{v + 4, v + 4}, Others: []float64{v + 5},
			Accepted: v + 6, Rejected: v + 7, StatedAccepted: v + 8, StatedRejected: v + 9,
			Verdicts: []Verdict{{Accepted: v + 10, Rejected: v + 11, KnownBelong: v + 12, UnknownBelong: v + 13}},
		}
	}
	// Two values at a distance of 2 have a deviation of 1, and their mean has the interval 1.96/√2.
	const half = 1.96 / math.Sqrt2
	r := summary([]openOutcome{episode(0), episode(2)}, []float64{0.25})
	if len(r.Candidates) != n || len(r.Verdicts) != 1 {
		t.Fatalf("%+v", r)
	}
	for _, c := range r.Candidates {
		if c.AUROC != 2 || c.FPR95 != 3 || !(math.Abs(c.Interval-half) <= 1e-12) || !(math.Abs(c.FPR95Interval-half) <= 1e-12) {
			t.Errorf("%+v", c)
		}
	}
	b, v := r.Balanced, r.Verdicts[0]
	if b.Accepted != 7 || b.Rejected != 8 || b.StatedAccepted != 9 || b.StatedRejected != 10 || !(math.Abs(b.RejectedInterval-half) <= 1e-12) {
		t.Errorf("balanced %+v", b)
	}
	if v.Strictness != 0.25 || v.Accepted != 11 || v.Rejected != 12 || v.KnownBelong != 13 || v.UnknownBelong != 14 {
		t.Errorf("verdict %+v", v)
	}
	if l := r.Levels; l.Own != 5 || l.Others != 6 || l.Known != (openset.Normal{Mean: 4, Deviation: 1}) || l.Unknown != (openset.Normal{Mean: -2, Deviation: 1}) {
		t.Errorf("levels %+v", l)
	}
}

func TestMomentsOfFew(t *testing.T) {
	usual := openset.Normal{Mean: 7, Deviation: 9}
	for _, c := range []struct {
		values []float64
		want   openset.Normal
	}{
		{nil, usual},
		{[]float64{4}, openset.Normal{Mean: 4, Deviation: 9}},
		{[]float64{1, 3}, openset.Normal{Mean: 2, Deviation: 9}},
		{[]float64{2, 2, 2}, openset.Normal{Mean: 2, Deviation: 9}},
		{[]float64{1, 1, 4}, openset.Normal{Mean: 2, Deviation: math.Sqrt2}},
	} {
		if got := momentsOf(c.values, usual); got.Mean != c.want.Mean || !(math.Abs(got.Deviation-c.want.Deviation) <= 1e-12) {
			t.Errorf("%v: %+v, want %+v", c.values, got, c.want)
		}
	}
	if got := farthest([]float64{5, 1}, []openset.Normal{{Mean: 1, Deviation: 2}, {Mean: 0, Deviation: 0.25}}); got != 4 {
		t.Errorf("the farthest is %v deviations away, want 4", got)
	}
}

func TestRunOpenFindsOutWhatWasNotTaught(t *testing.T) {
	// Each class, known or unknown, has its own direction in space.
	r := rand.New(rand.NewPCG(3, 4))
	features := Features{}
	picture := func(class, number int) string {
		name := strconv.Itoa(class) + "/" + strconv.Itoa(number)
		set := &embed.Set{N: 2, C: 8, Regions: make([]embed.Region, 2)}
		for range set.N {
			for c := range set.C {
				v := 0.4 * r.NormFloat64()
				if c == class {
					v += 2
				}
				set.Data = append(set.Data, float32(v))
			}
		}
		features[name] = set
		return name
	}
	var episodes []data.Episode
	var strangers [][]string
	for e := range 12 {
		var episode data.Episode
		for i := range 3 * 4 {
			episode.Support = append(episode.Support, picture(i%3, 100*e+i))
		}
		for i := range 3 * 5 {
			episode.Query = append(episode.Query, picture(i%3, 100*e+50+i))
		}
		var others []string
		for i := range 15 {
			others = append(others, picture(3+i%4, 100*e+i))
		}
		episodes, strangers = append(episodes, episode), append(strangers, others)
	}
	open := Open{
		Way: 3, Strangers: strangers, Prior: openset.HeldOut, Strictness: []float64{0, 0.5, 1},
		Classifier: func() *fewshot.Prototype { return &fewshot.Prototype{} },
	}
	one := require.Value(RunOpen(context.Background(), features, episodes, open))(t)
	open.Threads = 1
	two := require.Value(RunOpen(context.Background(), features, episodes, open))(t)
	for i, c := range one.Candidates {
		if c != two.Candidates[i] {
			t.Errorf("%s depends on the number of threads: %+v, %+v", c.Name, c, two.Candidates[i])
		}
		if c.Name != "margin" && c.Name != "probability" && c.AUROC < 0.97 {
			t.Errorf("%s: AUROC %v on classes that lie far apart", c.Name, c.AUROC)
		}
	}
	if one.Balanced.Rejected > 0.2 || one.Balanced.Accepted > 0.2 {
		t.Errorf("%v of unknown pictures let in, %v of known ones turned away", one.Balanced.Accepted, one.Balanced.Rejected)
	}
	if !(math.Abs(one.Balanced.StatedAccepted-one.Balanced.Accepted) <= 0.2) || !(math.Abs(one.Balanced.StatedRejected-one.Balanced.Rejected) <= 0.2) {
		t.Errorf("stated are %v and %v, measured %v and %v", one.Balanced.StatedAccepted, one.Balanced.StatedRejected, one.Balanced.Accepted, one.Balanced.Rejected)
	}
	// The levels are the mean scores of queries for their class, and of examples for the others.
	var own, others []float64
	for _, e := range episodes {
		classes := make([]fewshot.Class, 3)
		for i, name := range e.Support {
			classes[i%3].Support = append(classes[i%3].Support, features[name])
		}
		var p fewshot.Prototype
		require.NoError(t, p.Fit(classes))
		for i, name := range e.Query {
			own = append(own, require.Value(p.Scores(nil, features[name]))(t)[i%3])
		}
		for i, name := range e.Support {
			for k, s := range require.Value(p.Scores(nil, features[name]))(t) {
				if k != i%3 {
					others = append(others, s)
				}
			}
		}
	}
	l := one.Levels
	if !(math.Abs(l.Own-normal(own).Mean) <= 1e-6) || !(math.Abs(l.Others-normal(others).Mean) <= 1e-6) {
		t.Errorf("levels %v and %v, want %v and %v", l.Own, l.Others, normal(own).Mean, normal(others).Mean)
	}
	if !(l.Unknown.Mean < l.Threshold) || !(l.Threshold < l.Known.Mean) || !(l.Known.Deviation > 0) || !(l.Unknown.Deviation > 0) {
		t.Errorf("levels %+v", l)
	}
	if len(one.Verdicts) != 3 || one.Verdicts[1].Errors != one.Balanced.Errors {
		t.Fatalf("verdicts %+v, balanced %+v", one.Verdicts, one.Balanced)
	}
	for i, v := range one.Verdicts {
		if v.Strictness != open.Strictness[i] || !(v.KnownBelong > v.UnknownBelong) || !(v.KnownBelong < 1) {
			t.Errorf("strictness %v: %+v", open.Strictness[i], v)
		}
		if i > 0 && (v.Accepted > one.Verdicts[i-1].Accepted || v.Rejected < one.Verdicts[i-1].Rejected || !(v.KnownBelong < one.Verdicts[i-1].KnownBelong)) {
			t.Errorf("%+v is no stricter than %+v", v, one.Verdicts[i-1])
		}
	}
	open.Way = 1
	if _, err := RunOpen(context.Background(), features, episodes, open); err == nil {
		t.Error("episodes of one class were taken")
	}
	open.Way, open.Strangers = 3, strangers[:1]
	if _, err := RunOpen(context.Background(), features, episodes, open); err == nil {
		t.Error("episodes without strangers were taken")
	}
}

func TestRunOpenErrors(t *testing.T) {
	features := Features{"a": {N: 1, C: 3, Data: []float32{1, 2, 4}}, "b": {N: 1, C: 3, Data: []float32{4, 1, 3}}}
	for missing, at := range map[string][3]string{"support": {"x.png", "a", "a"}, "query": {"a", "x.png", "a"}, "stranger": {"a", "a", "x.png"}} {
		_, err := RunOpen(t.Context(), features, []data.Episode{{Support: []string{"b", at[0]}, Query: []string{at[1]}}}, Open{
			Way: 2, Strangers: [][]string{{at[2]}}, Prior: openset.HeldOut, Classifier: func() *fewshot.Prototype { return new(fewshot.Prototype) },
		})
		if err == nil || !strings.Contains(err.Error(), "episode 1: ") || !strings.Contains(err.Error(), "x.png") {
			t.Errorf("no features of the %s: error %v", missing, err)
		}
	}
}

// Two bands of three times each.
func TestSoundBaselines(t *testing.T) {
	m := &imaging.Image{Width: 3, Height: 2, Pix: []uint8{1, 1, 1, 2, 2, 2, 6, 6, 6, 30, 30, 30, 60, 60, 60, 90, 90, 90}}
	if got := meanSpectrum(m); !slices.Equal(got, []float32{3, 60}) {
		t.Errorf("spectrum %v", got)
	}
	if got := spectrogram(m); !slices.Equal(got, []float32{1, 2, 6, 30, 60, 90}) {
		t.Errorf("spectrogram %v", got)
	}
}
