package fewshot_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/core/match"
	"github.com/deepemd/deepemd/internal/require"
)

// The mixture is the weighted sum of the prototype and of both heads, times the sharpness. The
// proportion of the heads follows the likelihoods of the left-out examples, and the heads count
// half if every class has one example.
func TestMixture(t *testing.T) {
	query := examples(1, 9)[8]
	unequal, _ := unbalanced()
	for name, classes := range map[string][]fewshot.Class{"one example a class": many(1, 1), "unequal": unequal} {
		var labels []int
		fewest, all := len(classes[0].Support), 0
		for c, class := range classes {
			for range class.Support {
				labels = append(labels, c)
			}
			fewest, all = min(fewest, len(class.Support)), all+len(class.Support)
		}
		heads := [2][]float64{byDefinition(classes, labels, query, nil, 0.3, 1), byDefinition(classes, labels, query, nil, 0.15, 0)}
		match := scores(t, new(fewshot.Prototype), classes, query)
		got := scores(t, new(fewshot.Mixture), classes, query)
		imbalance := math.Sqrt(float64(fewest*len(classes)) / float64(all))
		sum := func(first, second float64, class int) float64 {
			return match[class] + imbalance*(4*first*heads[0][class]+12*second*heads[1][class])
		}
		if all == len(classes) {
			for i := range got {
				if want := 0.8 * sum(0.25, 0.25, i); !(math.Abs(got[i]-want) <= 1e-3) {
					t.Errorf("%s: class %d: score %g, want %g", name, i, got[i], want)
				}
			}
			continue
		}
		factor := sharpness(t, classes, query)
		share := (got[0]/factor - sum(0, 1, 0)) / (sum(1, 0, 0) - sum(0, 1, 0)) // of the first head
		if factor < 0.2 || factor > 5 || share < 0 || share > 1 {
			t.Errorf("%s: sharpness %g, share of the first head %g", name, factor, share)
		}
		for i := range got {
			if want := factor * sum(share, 1-share, i); !(math.Abs(got[i]-want) <= 1e-2) {
				t.Errorf("%s: class %d: score %g, want %g", name, i, got[i], want)
			}
		}
	}
}

// The left-out examples determine the proportion of the heads: the head without the mean node prevails
// if the places of nodes tell the classes apart, and the other one if the nodes' places are random.
func TestMixtureChoosesTheHead(t *testing.T) {
	share := func(places bool) float64 {
		r := rand.New(rand.NewPCG(5, 6))
		classes := make([]fewshot.Class, 2)
		var labels []int
		for c := range classes {
			for _, set := range examples(uint64(1+c), 8) {
				order := r.Perm(set.N)
				if places {
					order = []int{3 * c, 1, 2, 3 - 3*c} // of the same nodes
					set.Data = examples(9, 9)[len(classes[c].Support)].Data
				}
				mixed := &embed.Set{N: set.N, C: set.C}
				for _, n := range order {
					mixed.Data = append(mixed.Data, set.Node(n)...)
				}
				classes[c].Support = append(classes[c].Support, mixed)
				labels = append(labels, c)
			}
		}
		query := classes[0].Support[0]
		first, second := byDefinition(classes, labels, query, nil, 0.3, 1)[0], byDefinition(classes, labels, query, nil, 0.15, 0)[0]
		var d fewshot.Detail
		m := new(fewshot.Mixture)
		scores(t, m, classes, query)
		require.NoError(t, m.Detail(&d, query))
		head := d.Head[0] / sharpness(t, classes, query)
		return (head - 12*second) / (4*first - 12*second)
	}
	if with, without := share(false), share(true); !(with > 0.5 && without < 0.5) {
		t.Errorf("the head with the mean node counts %v among nodes in random places, %v among nodes whose places matter", with, without)
	}
}

// sharpness returns the factor of a mixture's scores. The scores of the heads sum to zero.
func sharpness(t *testing.T, classes []fewshot.Class, query *embed.Set) float64 {
	t.Helper()
	var all, match float64
	for i, v := range scores(t, new(fewshot.Mixture), classes, query) {
		all += v
		match += scores(t, new(fewshot.Prototype), classes, query)[i]
	}
	return all / match
}

// The sharpness is larger for separable classes than for overlapping ones.
func TestMixtureIsCalibrated(t *testing.T) {
	sure := func(noise float32) float64 {
		var classes []fewshot.Class
		for i := range 3 {
			class := fewshot.Class{Support: examples(uint64(1+i), 12)}
			other := examples(9, 12)
			for k, s := range class.Support {
				for j := range s.Data {
					s.Data[j] += noise * other[(k*5+i)%12].Data[(j*7+k)%len(s.Data)]
				}
			}
			classes = append(classes, class)
		}
		return sharpness(t, classes, classes[0].Support[0])
	}
	if clear, blurred := sure(0), sure(30); clear <= blurred {
		t.Errorf("the sharpness is %g with separable classes, %g with overlapping ones", clear, blurred)
	}
}

// The sharpness maximizes the likelihood of the left-out examples with its prior, averaged with a usual
// value. If the classes are apart, the prior alone bounds it.
func TestSharpnessIsTheLikeliest(t *testing.T) {
	for name, overlap := range map[string]float32{"overlapping": 2, "apart": 0} {
		t.Run(name, func(t *testing.T) {
			classes, labels := unbalanced()
			for _, class := range classes {
				for k, s := range class.Support {
					for j := range s.Data {
						s.Data[j] += overlap * examples(9, 5)[k].Data[(7*j+k)%len(s.Data)]
					}
				}
			}
			m, whole := new(fewshot.Mixture), new(fewshot.Prototype)
			scores(t, m, classes, classes[0].Support[0])
			var left [][]float64 // times the sharpness
			for c, class := range classes[:2] {
				for i, set := range class.Support {
					row := scores(t, whole, classes, set)
					require.NoError(t, whole.Omit(c, class.Support[i:i+1]))
					row[c] = require.Value(whole.Rest(set))(t)
					require.NoError(t, m.Without(row, c, i))
					left = append(left, row)
				}
			}
			got := sharpness(t, classes, classes[0].Support[0])
			likeliest, most := 0.0, math.Inf(-1)
			for factor := 0.2; factor < 5; factor *= 1.0001 {
				sum := -0.05 * factor * float64(len(left))
				for i, row := range left {
					scaled := slices.Clone(row)
					for k := range scaled {
						scaled[k] *= factor / got
					}
					sum += math.Log(fewshot.Softmax(nil, scaled)[labels[i]])
				}
				if sum > most {
					likeliest, most = factor, sum
				}
			}
			n := float64(len(left))
			if want := math.Pow(math.Pow(likeliest, n)*math.Pow(1.08, 20), 1/(n+20)); !(math.Abs(got-want) < 1e-3) || likeliest < 0.21 || likeliest > 4.9 {
				t.Errorf("sharpness %v, want %v from the likeliest, %v", got, want, likeliest)
			}
		})
	}
}

var errEnough = errors.New("enough")

// many returns classes with the given numbers of examples.
func many(counts ...int) (classes []fewshot.Class) {
	for i, n := range counts {
		classes = append(classes, fewshot.Class{Name: string(rune('a' + i)), Support: examples(uint64(1+i), n)})
	}
	return classes
}

// same fails the test unless the scores are equal up to rounding.
func same(t *testing.T, what string, got, want []float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %v, want %v", what, got, want)
	}
	for i := range want {
		if !(math.Abs(got[i]-want[i]) <= 1e-5) {
			t.Errorf("%s: %v, want %v", what, got, want)
			return
		}
	}
}

// The scores do not depend on the history of added and removed examples, even if the
// calibration leaves out only some of them.
func TestMixtureDoesNotRememberTheWay(t *testing.T) {
	classes := many(40, 33, 12)
	query := examples(2, 60)[59]
	want := scores(t, new(fewshot.Mixture), classes, query)

	grown := new(fewshot.Mixture)
	var first []fewshot.Class
	for _, class := range classes {
		first = append(first, fewshot.Class{Name: class.Name, Support: class.Support[:1]})
	}
	scores(t, grown, first, query)
	for k := 1; k < 40; k++ {
		for c, class := range classes {
			if k < len(class.Support) {
				require.NoError(t, grown.Extend(c, class.Support[k]))
			}
		}
		if k%9 == 0 {
			if err := grown.Learn(func() error { return errEnough }); err != nil && err != errEnough {
				t.Fatal(err)
			}
		}
		if k == 20 {
			require.Value(grown.Scores(nil, query))(t)
		}
	}
	got := require.Value(grown.Scores(nil, query))(t)
	same(t, "grown one by one", got, want)

	fewer := slices.Clone(classes)
	fewer[0].Support = slices.Concat(classes[0].Support[:3], classes[0].Support[4:])
	fewer[2], fewer[1] = fewer[1], fewer[2]
	same(t, "after a removal", scores(t, grown, fewer, query), scores(t, new(fewshot.Mixture), fewer, query))

	twice := slices.Clone(classes)
	twice[1].Support = append(slices.Clone(twice[1].Support), twice[1].Support[0], twice[1].Support[0])
	same(t, "an example three times", scores(t, grown, twice, query), scores(t, new(fewshot.Mixture), twice, query))
}

// During Learn the mixture returns the earlier scores, and afterwards the same scores as
// without pauses.
func TestMixtureLearnsInSlices(t *testing.T) {
	classes, query := many(30, 30, 30), examples(2, 60)[59]
	m := new(fewshot.Mixture)
	require.NoError(t, m.Fit(classes))
	var d fewshot.Detail
	soFar := func() []float64 {
		t.Helper()
		require.NoError(t, m.Detail(&d, query))
		return slices.Clone(d.Scores)
	}
	study := func(meanwhile []float64) (pauses int) {
		t.Helper()
		require.NoError(t, m.Learn(func() error {
			pauses++
			same(t, "while it learns", soFar(), meanwhile)
			return nil
		}))
		return pauses
	}
	prototypes := scores(t, new(fewshot.Prototype), classes, query)
	same(t, "before it learned", soFar(), prototypes)
	if steps := study(prototypes); steps < 8 {
		t.Errorf("learned with %d pauses", steps)
	}
	all := scores(t, new(fewshot.Mixture), classes, query)
	same(t, "in the end", soFar(), all)

	// After the removal of an example, the head still contributes; the prototypes are updated.
	fewer := slices.Clone(classes)
	fewer[1].Support = fewer[1].Support[1:]
	require.NoError(t, m.Fit(fewer))
	if err := m.Learn(func() error { return errEnough }); err != errEnough {
		t.Fatal(err)
	}
	if got := soFar(); len(d.Head) != 3 || slices.Equal(got, all) {
		t.Errorf("an example went: the head adds %v, scores are %v", d.Head, got)
	}
	// After the removal of a class, the learned head is unusable.
	require.NoError(t, m.Fit(fewer[1:]))
	same(t, "a class went", soFar(), scores(t, new(fewshot.Prototype), fewer[1:], query))
	study(soFar())
	same(t, "in the end, without the class", soFar(), scores(t, new(fewshot.Mixture), fewer[1:], query))
}

// A pause may learn and score.
func TestMixtureLearnsDuringAPause(t *testing.T) {
	classes, query := many(30, 30, 9), examples(2, 60)[59]
	for _, class := range classes { // many channels, so that even the products have a pause
		for _, set := range class.Support {
			set.C, set.Data = 40*set.C, slices.Repeat(set.Data, 40)
		}
	}
	query.C, query.Data = 40*query.C, slices.Repeat(query.Data, 40)
	want := scores(t, new(fewshot.Mixture), classes, query)
	for at := 0; ; at++ {
		m := new(fewshot.Mixture)
		require.NoError(t, m.Fit(classes))
		pauses := 0
		require.NoError(t, m.Learn(func() error {
			if pauses++; pauses == at {
				same(t, "in a pause", require.Value(m.Scores(nil, query))(t), want)
			}
			return nil
		}))
		same(t, "after a pause that learned", require.Value(m.Scores(nil, query))(t), want)
		if at > pauses {
			return
		}
	}
}

// With one class, or with different numbers of nodes, the mixture has no head, and equals the prototype.
func TestMixtureOfDifferentSets(t *testing.T) {
	few := func(s *embed.Set) *embed.Set { return &embed.Set{N: s.N - 1, C: s.C, Data: s.Data[s.C:]} }
	classes := many(4, 3)
	query := examples(1, 9)[8]
	other := []fewshot.Class{classes[0], {Support: []*embed.Set{few(classes[1].Support[0]), few(classes[1].Support[1])}}}
	m := new(fewshot.Mixture)
	same(t, "classes of different sets", scores(t, m, other, query), scores(t, new(fewshot.Prototype), other, query))
	same(t, "then of the same", scores(t, m, classes, query), scores(t, new(fewshot.Mixture), classes, query))
	other[1].Name = classes[1].Name
	same(t, "then with the same names", scores(t, m, other, query), scores(t, new(fewshot.Prototype), other, query))
	same(t, "one class", scores(t, m, classes[:1], query), scores(t, new(fewshot.Prototype), classes[:1], query))
	same(t, "then two", scores(t, m, classes, query), scores(t, new(fewshot.Mixture), classes, query))
	require.NoError(t, m.Extend(2, few(query)))
	got := require.Value(m.Scores(nil, query))(t)
	same(t, "a new class of different sets", got, scores(t, new(fewshot.Prototype), append(classes, fewshot.Class{Support: []*embed.Set{few(query)}}), query))
}

// Without approximates the scores of a mixture fitted without the example and its run.
func TestMixtureWithoutAnExample(t *testing.T) {
	for name, classes := range map[string][]fewshot.Class{
		"examples": many(12, 9, 10),
		"unequal":  many(2, 20),
		"films":    {{Name: "a", Support: films(1, 6, 3)}, {Name: "b", Support: films(2, 5, 3)}, {Name: "c", Support: films(3, 5, 3)}},
	} {
		t.Run(name, func(t *testing.T) {
			frames := 1
			if name == "films" {
				frames = 3
			}
			hot := match.Matcher{Temperature: 20}
			whole, prototypes := &fewshot.Mixture{Matcher: hot, Balance: true}, &fewshot.Prototype{Balance: true}
			scores(t, whole, classes, classes[0].Support[0])
			for c, class := range classes {
				for i, set := range class.Support {
					rest := slices.Clone(classes)
					from := i - i%frames
					rest[c].Support = slices.Delete(slices.Clone(class.Support), from, from+frames)
					got := scores(t, prototypes, rest, set)
					require.NoError(t, whole.Without(got, c, i))
					want := scores(t, &fewshot.Mixture{Matcher: hot, Balance: true}, rest, set)
					for k := range want {
						if !(math.Abs(got[k]-want[k]) <= 0.06*slices.Max(want)) { // the sharpness includes the example
							t.Errorf("example %d of class %d: %v, learned without it %v", i, c, got, want)
						}
					}
				}
			}
		})
	}
}

// A film counts as one example for the sharpness: repeated frames do not change it.
func TestSharpnessCountsRuns(t *testing.T) {
	once := []fewshot.Class{{Name: "a", Support: films(1, 5, 1)}, {Name: "b", Support: films(2, 5, 1)}}
	again := make([]fewshot.Class, len(once))
	for c, class := range once {
		again[c].Name = class.Name
		for _, set := range class.Support {
			again[c].Support = append(again[c].Support, set, set, set)
		}
	}
	query := films(3, 1, 1)[0]
	if one, three := sharpness(t, once, query), sharpness(t, again, query); !(math.Abs(three/one-1) <= 0.01) {
		t.Errorf("the sharpness is %v, and %v if every example is there three times", one, three)
	}
}

// The calibration leaves out about 64 of many examples, and all of fewer. The classes have equal shares.
func TestLeftOutOfMany(t *testing.T) {
	for _, counts := range [][]int{{60, 4}, {61, 4}, {64, 1}, {100, 28}, {29, 100}, {90, 110, 5}} {
		m, all := new(fewshot.Mixture), 0
		require.NoError(t, m.Fit(many(counts...)))
		for _, n := range counts {
			all += n
		}
		for c, got := range require.Value(m.LeftOut())(t) {
			want := min(counts[c], 1+64*(counts[c]-1)/all)
			if counts[c] == 1 {
				want = 0
			}
			if got != want {
				t.Errorf("%v examples: class %d has %d left-out ones, want %d", counts, c, got, want)
			}
		}
	}
}

// The order of the classes does not change which examples are left out of many.
func TestSharpnessIgnoresTheOrderOfClasses(t *testing.T) {
	classes := many(31, 30, 22)
	for c, class := range classes {
		other := examples(9, len(class.Support))
		for k, s := range class.Support {
			for j := range s.Data {
				s.Data[j] += 2 * other[k].Data[(7*j+c)%len(s.Data)]
			}
		}
	}
	query := examples(1, 40)[39]
	want := sharpness(t, classes, query)
	slices.Reverse(classes)
	if got := sharpness(t, classes, query); !(math.Abs(got/want-1) <= 1e-6) {
		t.Errorf("the sharpness is %v, and %v in reverse order", want, got)
	}
}
