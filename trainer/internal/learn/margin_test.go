package learn

import (
	"context"
	"math"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/internal/augment"
	"github.com/deepemd/deepemd/internal/require"
)

// TestMargin compares the loss of two queries and a stranger with the sum written out.
func TestMargin(t *testing.T) {
	const way = 2
	logits := []float32{2, -1, 0.5, 0.25, 1, 0}
	gradient := make([]float32, len(logits))
	m := margin{by: 0.5, weight: 3}
	e := func(a, b float64) float64 { return math.Log(math.Exp(a) + math.Exp(b)) }
	short := func(query float64) float64 { return math.Log(1 + math.Exp(0.5+e(1, 0)-query)) }
	want := 3 * (short(e(2, -1)) + short(e(0.5, 0.25))) / 2
	if got := m.add(gradient, logits, 2, way, 1); math.Abs(got-want) > 1e-6 {
		t.Errorf("the loss is %g, want %g", got, want)
	}
	for i := range gradient {
		if up := i >= 2*way; (gradient[i] > 0) != up {
			t.Errorf("gradient %d is %g: strangers are to score less, queries more", i, gradient[i])
		}
	}
	far := []float32{1000, 0, -1000, 0}
	if got := (margin{weight: 1}).add(make([]float32, 4), far, 1, way, 1); got != 0 {
		t.Errorf("a stranger that is far below has a loss of %g", got)
	}
	if got := m.add(gradient, logits[:4], 2, way, 1); got != 0 {
		t.Errorf("no strangers have a loss of %g", got)
	}
}

// TestEpisodesOfStrangers: a batch ends with pictures of classes that its episode does
// not have; where too few classes are left for them, that is said.
func TestEpisodesOfStrangers(t *testing.T) {
	s := settingsMeta()
	s.Way, s.Shot, s.Query, s.Strangers = 2, 1, 2, 1
	set := folderMeta(t, 4)
	e, err := NewEpisodes(set, set.Classes(), s, augment.Policy{})
	if err != nil {
		t.Fatal(err)
	}
	for number := range 20 {
		names, err := e.names(number)
		if err != nil || len(names) != 2+4+2 {
			t.Fatalf("%d pictures, %v: want 2 examples, 4 queries, 2 strangers", len(names), err)
		}
		var inside []string
		for i, name := range names {
			class := path.Dir(name)
			if i < 2 {
				inside = append(inside, class)
			}
			if known := slices.Contains(inside, class); known != (i < 6) {
				t.Errorf("episode %d: picture %d, %s, beside the classes %q", number, i, name, inside)
			}
		}
	}
	few := folderMeta(t, 3)
	_, err = NewEpisodes(few, few.Classes(), s, augment.Policy{})
	if err == nil || !strings.Contains(err.Error(), "1 classes are left outside an episode") {
		t.Errorf("error %v, want one that says how many classes are left", err)
	}
}

// TestStrangersTakePart: what they add to the loss grows with their weight.
func TestStrangersTakePart(t *testing.T) {
	s := settingsMeta()
	s.Strangers = 2
	next, stop := (stripesMeta{s}).Batches(context.Background(), s.Stages[0], 0, 0)
	defer stop()
	batch := require.Value(next())(t)
	loss := func(weight float64) float64 {
		s.StrangerWeight = weight
		o := require.Value(learns(t, s, 1).Gradients(batch, nil))(t)
		return o.Loss
	}
	none, one, two := loss(0), loss(1), loss(2)
	if !(one > none) || math.Abs(two-one-(one-none)) > 1e-5 {
		t.Errorf("strangers of weight 0, 1 and 2 give losses of %g, %g and %g", none, one, two)
	}
}
