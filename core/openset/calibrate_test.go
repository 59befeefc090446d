package openset

import (
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/internal/require"
)

var plain = Prior{Own: 4, OwnGrowth: 0.25, Others: 2, Threshold: -1, ThresholdGrowth: -0.5,
	Known: Normal{-0.5, 1}, Unknown: Normal{-1.5, 1}, ClassWeight: 2, ThresholdWeight: 4, Reach: 2}

func nan() float64 { return math.NaN() }

func TestOneExampleEachGoesByThePrior(t *testing.T) {
	l := separate([]int{0, 1}, [][]float64{{nan(), 2}, {2, nan()}})
	r := Calibrate(l, plain)
	for c, level := range r.Level {
		if level != 4 {
			t.Errorf("level of class %d is %v, want the prior's 4", c, level)
		}
	}
	if r.Balanced != -1 || r.Known != nil || len(r.Unknown) != 2 {
		t.Errorf("balanced %v, %d known, %d unknown; want the prior's −1, none, 2", r.Balanced, len(r.Known), len(r.Unknown))
	}
	// Without its own class an example has one class left: 2 − 4.
	if !(math.Abs(r.Unknown[0]+2) <= 1e-12) {
		t.Errorf("an example without its class scores %v, want −2", r.Unknown[0])
	}
	if _, rejected, estimated := r.Rates(-0.5); !estimated || !(math.Abs(rejected-0.5) <= 1e-12) {
		t.Errorf("%v of known pictures rejected at their mean, estimated: %v; want one half, by the prior", rejected, estimated)
	}
}

// The prior's scores across classes are 2. With 9.875, at a quarter of the distance from the highest
// score, all distances shrink to a quarter, and deviations to one half. With −8.5, at twice the distance,
// only the levels follow.
func TestPriorFollowsTheSimilarityOfTheClasses(t *testing.T) {
	deep := plain
	deep.Depth, deep.Known.Deviation, deep.Unknown.Deviation = 1, 2, 4
	for others, want := range map[float64]Prior{
		9.875: {Own: 12.5 - 8.5/4, OwnGrowth: 0.0625, Others: 9.875, Threshold: -0.25, ThresholdGrowth: -0.125,
			Known: Normal{-0.125, 1}, Unknown: Normal{-0.375, 2}, ClassWeight: 2, ThresholdWeight: 4, Reach: 1, Depth: 0.5},
		-8.5: {Own: -4.5, OwnGrowth: 0.5, Others: -8.5, Threshold: -1, ThresholdGrowth: -0.5,
			Known: Normal{-0.5, 2}, Unknown: Normal{-1.5, 4}, ClassWeight: 2, ThresholdWeight: 4, Reach: 2, Depth: 1},
	} {
		r := Calibrate(separate([]int{0, 1}, [][]float64{{nan(), others}, {others, nan()}}), deep)
		if r.Prior != want || r.Level[0] != want.Own || r.Balanced != want.Threshold || r.Reach != want.Reach {
			t.Errorf("classes with the score %v for each other: %+v, level %v, balanced %v, reach %v; want %+v", others, r.Prior, r.Level[0], r.Balanced, r.Reach, want)
		}
	}
	// Two doublings in one class of two change the prior's score across classes by 0.4.
	grown := plain
	grown.OthersGrowth = 0.4
	l := separate([]int{0, 0, 0, 0, 1}, [][]float64{{5, 2.4}, {5, 2.4}, {5, 2.4}, {5, 2.4}, {2.4, nan()}})
	if r := Calibrate(l, grown); r.Prior != grown {
		t.Errorf("%+v, want the unchanged prior %+v", r.Prior, grown)
	}
	for _, others := range []float64{12.5, 60} {
		r := Calibrate(separate([]int{0, 1}, [][]float64{{nan(), others}, {others, nan()}}), plain)
		if !(r.Prior.Known.Deviation > 0) || !(r.Level[0] < method.Temperature) {
			t.Errorf("classes with the score %v for each other: %+v", others, r.Prior)
		}
	}
}

// The highest score of unknown images grows with the number of classes. Levels, threshold and
// probabilities do not depend on the prior's number.
func TestPriorFollowsTheNumberOfClasses(t *testing.T) {
	of := plain
	of.Way = 5
	for n := 1; n <= 6; n++ {
		var class []int
		var scores [][]float64
		for c := range n {
			row := slices.Repeat([]float64{2}, n)
			row[c] = nan()
			class, scores = append(class, c), append(scores, row)
		}
		l := separate(class, scores)
		got, want := Calibrate(l, of), Calibrate(l, plain)
		if got.Balanced != want.Balanced || got.slope != want.slope || !slices.Equal(got.Level, want.Level) {
			t.Errorf("%d classes: %+v, want %+v", n, got, want)
		}
		mean := want.Prior.Unknown.Mean + want.Prior.Unknown.Deviation*(highest(n)-highest(5))
		if u := got.Prior.Unknown; !(math.Abs(u.Mean-mean) <= 1e-12) || u.Deviation != want.Prior.Unknown.Deviation {
			t.Errorf("%d classes: unknown images score %+v, want the mean %v", n, u, mean)
		}
	}
}

func TestLevelsAreWeighedWithThePrior(t *testing.T) {
	// Four examples: the left-out score is 5, and more with the whole class of 4/3 times the examples.
	own := 5 + 0.25*math.Log2(4./3)
	l := separate([]int{0, 0, 0, 0, 1}, [][]float64{{5, 2}, {5, 2}, {5, 2}, {5, 2}, {2, nan()}})
	r := Calibrate(l, plain)
	// The prior for four examples is 4.5.
	want := (4*own + 2*4.5) / 6
	if !(math.Abs(r.Level[0]-want) <= 1e-12) || r.Level[1] != 4 {
		t.Errorf("levels %v, want %v and the prior's 4", r.Level, want)
	}
	known := own - want
	if len(r.Known) != 4 || !(math.Abs(r.Known[0]-known) <= 1e-12) {
		t.Errorf("known %v, want four times %v", r.Known, known)
	}
	middle := (known + mean(r.Unknown)) / 2
	threshold := -1 - 0.5*1
	if b := (4*middle + 4*threshold) / 8; !(math.Abs(r.Balanced-b) <= 1e-12) {
		t.Errorf("balanced %v, want %v", r.Balanced, b)
	}
}

// A class alone has no scores across classes: its unknown images and the threshold are the prior's.
func TestOneClass(t *testing.T) {
	r := Calibrate(separate([]int{0, 0, 0, 0}, [][]float64{{5}, {5}, {5}, {5}}), plain)
	if want := (4*(5+0.25*math.Log2(4./3)) + 2*4.5) / 6; !(math.Abs(r.Level[0]-want) <= 1e-12) {
		t.Errorf("level %v, want %v", r.Level[0], want)
	}
	if r.Prior != plain || r.Unknown != nil || len(r.Known) != 4 || r.Balanced != -1-0.5*2 || r.Relaxed {
		t.Errorf("%+v, want the prior's threshold for two doublings, −2", r)
	}
	if _, _, estimated := r.Rates(0); !estimated {
		t.Error("the rates are not reported as estimated")
	}
}

// Two examples of each class score 9.25 with the whole class, at a level of (2·9.25 + 2·4.25)/4: the known
// are at 2.5, the unknown at −4.75. The threshold between them weighs as much as the prior's −1.5.
func TestTwoExamplesEach(t *testing.T) {
	r := Calibrate(separate([]int{0, 0, 1, 1}, [][]float64{{9, 2}, {9, 2}, {2, 9}, {2, 9}}), plain)
	if r.Level[0] != 6.75 || r.Known[0] != 2.5 || r.Unknown[0] != -4.75 || r.Balanced != (-1.125-1.5)/2 {
		t.Errorf("level %v, known %v, unknown %v, balanced %v", r.Level[0], r.Known[0], r.Unknown[0], r.Balanced)
	}
}

// One left-out example of a kind replaces the prior's rate.
func TestRatesOfOneExample(t *testing.T) {
	r := &Calibration{Familiarity: answer.Familiarity{Known: []float64{1}, Unknown: []float64{-1}}, Prior: plain}
	for threshold, want := range map[float64][2]float64{-2: {1, 0}, 0: {0, 0}, 2: {0, 1}} {
		if accepted, rejected, estimated := r.Rates(threshold); accepted != want[0] || rejected != want[1] || estimated {
			t.Errorf("threshold %v: accepts %v, rejects %v, estimated %v; want %v", threshold, accepted, rejected, estimated, want)
		}
	}
}

func TestTiesAndSingleClasses(t *testing.T) {
	l := separate([]int{0, 1}, [][]float64{{5, 5}, {5, 5}})
	if a, b := l.Predicted(0), l.Predicted(1); a != 0 || b != 1 {
		t.Errorf("ties are taken for %d and %d, want their own classes", a, b)
	}
	if margin, ok := separate([]int{0, 0}, [][]float64{{5}, {5}}).Margin(0); ok {
		t.Errorf("without another class the margin is %v", margin)
	}
}

func TestScoreDoesNotDependOnTheNumberOfClasses(t *testing.T) {
	for n := 1; n < 6; n++ {
		r := &Calibration{Level: make([]float64, n), Prior: plain}
		scores := make([]float64, n)
		for c := range scores {
			r.Level[c], scores[c] = 4, 3
		}
		if u := r.Score(scores); !(math.Abs(u+1) <= 1e-12) {
			t.Errorf("%d classes, each 1 below its level: %v, want −1", n, u)
		}
	}
}

// The probability to belong to a class is one half at the threshold and grows with the distance between known
// and unknown images: 1 with the prior's deviations of 1.
func TestBelongs(t *testing.T) {
	one := Calibrate(separate([]int{0, 1}, [][]float64{{nan(), 2}, {2, nan()}}), plain)
	for u, want := range map[float64]float64{-1: 0.5, 0: 1 / (1 + math.Exp(-1)), -3: 1 / (1 + math.Exp(2))} {
		if got := one.Belongs(u, one.Balanced); !(math.Abs(got-want) <= 1e-12) {
			t.Errorf("with familiarity %v it belongs with %v, want %v", u, got, want)
		}
	}
	// Without a prior the odds compare two normal distributions with the mean variance of the examples.
	some := separate([]int{0, 0, 0, 1, 1, 1}, [][]float64{{6, 1}, {5, 2}, {3, 1}, {0, 7}, {1, 4}, {2, 5}})
	free := plain
	free.ThresholdWeight = 0
	found := Calibrate(some, free)
	at := func(u float64, values []float64, variance float64) float64 {
		return math.Exp(-(u - mean(values)) * (u - mean(values)) / (2 * variance))
	}
	variance := 0.
	for _, values := range [][]float64{found.Known, found.Unknown} {
		for _, v := range values {
			variance += (v - mean(values)) * (v - mean(values)) / float64(len(values)) / 2
		}
	}
	middle := (mean(found.Known) + mean(found.Unknown)) / 2
	for _, u := range []float64{-2, -0.5, 0, 1} {
		known, unknown := at(u, found.Known, variance), at(u, found.Unknown, variance)
		if got, want := found.Belongs(u, middle), known/(known+unknown); !(math.Abs(got-want) <= 1e-12) {
			t.Errorf("with familiarity %v it belongs with %v, want %v", u, got, want)
		}
	}
	apart := separate([]int{0, 0, 0, 1, 1, 1}, [][]float64{{6, -4}, {6, -4}, {6, -4}, {-4, 6}, {-4, 6}, {-4, 6}})
	if far := Calibrate(apart, plain); far.Belongs(far.Balanced+1, far.Balanced) <= one.Belongs(0, -1) {
		t.Error("examples that are far from other classes do not make it more certain")
	}
	for i, c := range apart.Class {
		apart.Scores[i][1-c] = 60 // nothing tells the classes apart
	}
	if none := Calibrate(apart, plain); none.Belongs(100, 0) < 0.5 {
		t.Error("a higher familiarity makes it less certain")
	}
}

func TestStricterLetsLessIn(t *testing.T) {
	r := &Calibration{Familiarity: answer.Familiarity{Balanced: -1, Reach: 2.5, Known: []float64{0, 0.4, -2}, Unknown: []float64{-2, -1, -3, 0.2}}, Prior: plain}
	lastAccepted, lastRejected := 2., -1.
	for s := 0.; s <= 1; s += 0.125 {
		accepted, rejected, estimated := r.Rates(r.Threshold(s))
		if accepted > lastAccepted || rejected < lastRejected || estimated {
			t.Errorf("strictness %v: %v let in, %v turned away, after %v and %v", s, accepted, rejected, lastAccepted, lastRejected)
		}
		lastAccepted, lastRejected = accepted, rejected
	}
	if accepted, rejected, _ := r.Rates(r.Threshold(0.5)); accepted != 0.5 || !(math.Abs(rejected-1./3) <= 1e-12) {
		t.Errorf("at the balanced threshold %v let in and %v turned away, want 1/2 and 1/3", accepted, rejected)
	}
}

// set returns an image with one node.
func set(values ...float32) *embed.Set {
	return &embed.Set{N: 1, C: len(values), Data: values, Regions: []embed.Region{{X1: 1, Y1: 1}}}
}

// LeaveOneOut ends with the error of any pause.
func TestPausesEndTheWork(t *testing.T) {
	classes := []fewshot.Class{
		{Name: "a", Support: []*embed.Set{set(1, 0, 0.2), set(0.9, 0.1, 0), set(0.1, 1, 0), set(1, 0.1, 0.3)}},
		{Name: "b", Support: []*embed.Set{set(0, 1, 0.1), set(0.1, 0.9, 0.2), set(0, 1, 0.3)}},
	}
	all := 0
	l := require.Value(LeaveOneOut(new(fewshot.Prototype), classes, func() error { all++; return nil }))(t)
	if all <= len(l.Class) {
		t.Errorf("%d pauses", all)
	}
	for at := range all {
		stop, pauses := errors.New("enough"), 0
		_, err := LeaveOneOut(new(fewshot.Prototype), classes, func() error {
			if pauses++; pauses > at {
				return stop
			}
			return nil
		})
		if err != stop || pauses != at+1 {
			t.Errorf("error %v after %d pauses, want the error of pause %d", err, pauses, at+1)
		}
	}
}

// With Balance, a left-out example gets the same scores as from a classifier fitted without
// the example.
func TestLeaveOneOutOfUnequalClasses(t *testing.T) {
	a := fewshot.Class{Name: "a", Support: []*embed.Set{set(1, 0, 0.2, 0), set(0.7, 0.4, 0, 0.1), set(0.9, 0, 0.3, 0.5), set(0.6, 0.1, 0, 0)}}
	b := fewshot.Class{Name: "b", Support: []*embed.Set{set(0, 1, 0.1, 0.4)}}
	c := fewshot.Class{Name: "c", Support: []*embed.Set{set(0, 0, 1, 0.4), set(0.1, 0, 0.9, 0)}}
	classes := []fewshot.Class{a, c, b}
	l := require.Value(LeaveOneOut(&fewshot.Prototype{Balance: true}, classes, nil))(t)
	for i, example := range a.Support {
		rest := fewshot.Class{Name: "a", Support: append(append([]*embed.Set{}, a.Support[:i]...), a.Support[i+1:]...)}
		whole := &fewshot.Prototype{Balance: true}
		require.NoError(t, whole.Fit([]fewshot.Class{rest, c, b}))
		want := require.Value(whole.Scores(nil, example))(t)
		for o, w := range want {
			if got := l.Scores[i][o]; !(math.Abs(got-w) <= 1e-9) {
				t.Errorf("example %d scores %v against class %d, the whole classifier says %v", i, got, o, w)
			}
		}
	}
}

func TestLeaveOneOutIsTheClassifierWithoutTheExample(t *testing.T) {
	classes := []fewshot.Class{
		{Name: "a", Support: []*embed.Set{set(1, 0, 0.2), set(0.9, 0.1, 0), set(0, 1, 0)}},
		{Name: "b", Support: []*embed.Set{set(0, 1, 0.1)}},
	}
	l := require.Value(LeaveOneOut(&fewshot.Prototype{}, classes, nil))(t)
	at := 0
	for c, class := range classes {
		for i, example := range class.Support {
			for o, other := range classes {
				rest := fewshot.Class{Name: other.Name}
				for j, s := range other.Support {
					if o != c || i != j {
						rest.Support = append(rest.Support, s)
					}
				}
				got := l.Scores[at][o]
				if len(rest.Support) == 0 {
					if !math.IsNaN(got) {
						t.Errorf("the only example of %s scores %v against it, want NaN", class.Name, got)
					}
					continue
				}
				p := &fewshot.Prototype{}
				require.NoError(t, p.Fit([]fewshot.Class{rest}))
				want := require.Value(p.Scores(nil, example))(t)
				if got != want[0] {
					t.Errorf("example %d of %s scores %v against %s, want %v", i, class.Name, got, other.Name, want[0])
				}
			}
			at++
		}
	}
	if taken := l.Predicted(2); taken != 1 {
		t.Errorf("the third example of a, which is like b, is taken for class %d", taken)
	}
	if m, ok := l.Margin(2); !ok || m >= 0 || m < -2*method.Temperature {
		t.Errorf("its margin is %v, %v; want it negative", m, ok)
	}
	if _, ok := l.Margin(3); ok {
		t.Error("the only example of b has a margin")
	}
}

// The default strictness rejects at most one in nine of the left-out examples, and Relaxed reports a
// lower threshold.
func TestThresholdKeepsItsPromise(t *testing.T) {
	for known, want := range map[int]int{5: 0, 9: 1, 20: 2} {
		class, scores := []int{1, 1, 1}, [][]float64{{0, 20}, {0, 20}, {0, 20}}
		for i := range known {
			class, scores = append(class, 0), append(scores, []float64{float64(i) / 4, 9})
		}
		r := Calibrate(separate(class, scores), plain)
		if rejected := 1 - answer.Above(r.Known, r.Threshold(method.Default().Strangers.Strictness)); rejected > 1./9 {
			t.Errorf("%d examples: %v of them are rejected, want at most %d", known, rejected, want)
		}
	}
	l := separate([]int{0, 0, 0, 1, 1, 1}, [][]float64{{9, 9}, {9, 9}, {0, 0}, {9, 9}, {9, 9}, {9, 9}})
	if !Calibrate(l, plain).Relaxed {
		t.Error("the threshold is not relaxed, although an example has the scores of an unknown image")
	}
}

// An example without its class has one score less than an unknown image: the highest of n normally
// distributed values is higher than that of n−1.
func TestUnknownScoresOfOneClassMore(t *testing.T) {
	for n, want := range map[int]float64{1: 0, 2: 0.5642, 3: 0.8463, 5: 1.1630, 10: 1.5388, 30: 2.0428} {
		if got := highest(n); !(math.Abs(got-want) <= 0.03) {
			t.Errorf("the highest of %d has the mean %v, want %v", n, got, want)
		}
	}
	// The scores over the levels are −1.75 and −3.75: their standard deviation is 1.
	l := separate([]int{0, 1}, [][]float64{{nan(), 1.5}, {-0.5, nan()}})
	r := Calibrate(l, plain)
	for i, u := range []float64{1.5 - r.Level[1], -0.5 - r.Level[0]} {
		if got, want := r.Unknown[i], u+highest(2); !(math.Abs(got-want) <= 1e-12) {
			t.Errorf("example %d without its class scores %v, want %v", i, got, want)
		}
	}
}

// Scores of three classes with different levels are measured from each level.
func TestUnknownScoresOfThreeClasses(t *testing.T) {
	l := separate([]int{0, 0, 1, 2}, [][]float64{{9, 1, 2}, {9, 3, 2}, {1, nan(), 3}, {2, 4, nan()}})
	r := Calibrate(l, plain)
	if !(r.Level[0] > r.Level[1]+0.5) {
		t.Fatalf("levels %v: want the first above the others", r.Level)
	}
	a, b := r.Level[0], r.Level[1]
	over := []float64{1 - b, 2 - b, 3 - b, 2 - b, 1 - a, 3 - b, 2 - a, 4 - b}
	center, squares := 0., 0.
	for _, v := range over {
		center += v / 8
	}
	for _, v := range over {
		squares += (v - center) * (v - center) / 8
	}
	missing := math.Sqrt(squares) * (highest(3) - highest(2))
	for i, u := range []float64{2 - b, 3 - b, 3 - b, 4 - b} {
		if !(math.Abs(r.Unknown[i]-u-missing) <= 1e-12) {
			t.Errorf("example %d without its class scores %v, want %v", i, r.Unknown[i], u+missing)
		}
	}
}

// If two classes differ much, the default threshold stays near the left-out examples.
func TestThresholdStaysNearTheExamples(t *testing.T) {
	var class []int
	var scores [][]float64
	for i := range 20 {
		row := []float64{-100, -100}
		row[i/10] = 10 + float64(i%10)/10
		class, scores = append(class, i/10), append(scores, row)
	}
	l := separate(class, scores)
	near := plain
	near.Depth = 1.5
	r := Calibrate(l, near)
	got, want := r.Threshold(method.Default().Strangers.Strictness), mean(r.Known)-1.5
	if r.Relaxed || !(math.Abs(got-want) <= 1e-9) {
		t.Errorf("the threshold is %v (relaxed: %v), want %v", got, r.Relaxed, want)
	}
	if far := Calibrate(l, plain).Threshold(method.Default().Strangers.Strictness); far >= want {
		t.Errorf("without a depth the threshold is %v", far)
	}
	// With three classes the depth does not matter.
	for i := range scores {
		scores[i] = append(scores[i], -100)
	}
	l = separate(append(class, 2, 2), append(scores, []float64{-100, -100, 10}, []float64{-100, -100, 10}))
	if got, want := Calibrate(l, near).Balanced, Calibrate(l, plain).Balanced; got != want {
		t.Errorf("three classes: the threshold is %v, without a depth %v", got, want)
	}
}

// separate returns the scores of left-out examples that are their own runs.
func separate(class []int, scores [][]float64) *LeftOut {
	l := &LeftOut{Class: class, Scores: scores, Runs: make([][]fewshot.Run, len(scores[0]))}
	for _, c := range class {
		n := len(l.Runs[c])
		l.Runs[c] = append(l.Runs[c], fewshot.Run{From: n, To: n + 1})
	}
	return l
}

// The frames of a film count as one example, and a long film as much as a photograph.
func TestFilmsCountOnce(t *testing.T) {
	for _, test := range []struct {
		once      *LeftOut
		frames    []int // of the film that each example becomes
		runs      [][]fewshot.Run
		tolerance float64 // of the threshold
	}{
		{separate([]int{0, 0, 1, 1}, [][]float64{{6, 1}, {4, 2}, {2, 5}, {1, 7}}), []int{3, 3, 3, 3},
			[][]fewshot.Run{{{From: 0, To: 3}, {From: 3, To: 6}}, {{From: 0, To: 3}, {From: 3, To: 6}}}, 1e-12},
		{separate([]int{0, 0, 0, 1, 1, 1}, [][]float64{{6, 1}, {4, 2}, {3, 1}, {2, 5}, {1, 7}, {0, 4}}), []int{3, 1, 3, 1, 3, 4},
			[][]fewshot.Run{{{From: 0, To: 3}, {From: 3, To: 4}, {From: 4, To: 7}}, {{From: 0, To: 1}, {From: 1, To: 4}, {From: 4, To: 8}}}, 1e-9},
	} {
		films := &LeftOut{Runs: test.runs}
		for i, frames := range test.frames {
			for range frames {
				films.Class, films.Scores = append(films.Class, test.once.Class[i]), append(films.Scores, test.once.Scores[i])
			}
		}
		near := plain
		near.Depth = 1.5
		want, got := Calibrate(test.once, near), Calibrate(films, near)
		for c, level := range want.Level {
			if !(math.Abs(got.Level[c]-level) <= 1e-12) {
				t.Errorf("films of %v frames: class %d has the level %v, want %v", test.frames, c, got.Level[c], level)
			}
		}
		if !(math.Abs(got.slope-want.slope) <= 1e-12) || !(math.Abs(got.Balanced-want.Balanced) <= test.tolerance) {
			t.Errorf("films of %v frames: threshold %v, slope %v, want %v, %v", test.frames, got.Balanced, got.slope, want.Balanced, want.slope)
		}
	}
}

// One in nine examples may be below the limit, by weight.
func TestSampleAbove(t *testing.T) {
	for n, want := range map[int]float64{1: 0, 8: 0, 9: 1, 17: 1, 18: 2, 27: 3} {
		var s, films sample
		for i := range n {
			v := float64((i * 7) % n) // in another order, unless 7 divides n
			s.add(v, 1)
			for range 1 + i%3 {
				films.add(v, 1/float64(1+i%3))
			}
		}
		if got, of := s.above(1./9), films.above(1./9); got != want || of != want {
			t.Errorf("of %d the limit is %v, with films %v, want %v", n, got, of, want)
		}
	}
}

// The frames of one film resemble each other more than later images do: their scores do not raise the
// threshold.
func TestOneFilmDoesNotRaiseTheThreshold(t *testing.T) {
	l := &LeftOut{Runs: [][]fewshot.Run{{{From: 0, To: 10}}, {{From: 0, To: 10}}}}
	for i := range 20 {
		scores := []float64{-100, -100}
		scores[i/10] = 10
		l.Class, l.Scores = append(l.Class, i/10), append(l.Scores, scores)
	}
	near := plain
	near.Depth = 1.5
	if got, want := Calibrate(l, near).Balanced, Calibrate(l, plain).Balanced; got != want {
		t.Errorf("the threshold is %v, without a depth %v", got, want)
	}
	// If the film is the only one of its class, its frames count.
	film := separate([]int{0, 0, 0, 0, 1}, [][]float64{{5, 2}, {5, 2}, {5, 2}, {5, 2}, {2, nan()}})
	want := Calibrate(film, plain).Level[0]
	film.Runs[0] = []fewshot.Run{{From: 0, To: 4}}
	if got := Calibrate(film, plain).Level[0]; got != want {
		t.Errorf("a film of four frames has the level %v, four examples %v", got, want)
	}
}
