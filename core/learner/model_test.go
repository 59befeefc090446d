package learner

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"testing"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/internal/require"
)

// Goroutines use models while the learner changes. Each answer depends only on its model.
func TestModelsAreSafeForConcurrentUse(t *testing.T) {
	for _, classifier := range []string{method.Mixture, method.Nearest, method.Fusion} {
		t.Run(classifier, func(t *testing.T) {
			m := method.Default()
			m.Classifier = classifier
			l := newEngine(t, Options{Method: m})
			teach(t, l, "a", shade(0, 0), shade(0, 1), shade(0, 2))
			teach(t, l, "b", shade(1, 0), shade(1, 1), shade(1, 2))
			before := l.Model()
			want := answered(t, l, shade(2, 5))
			var asking sync.WaitGroup
			for g := range 8 {
				asking.Go(func() {
					for i := range 4 {
						m := before
						if i%2 == 1 {
							m = l.Model()
						}
						got, err := m.Classify(shade(2, 5))
						if err != nil {
							t.Error(err)
							return
						}
						if m == before && (!slices.Equal(got.Scores, want.Scores) || *got.Verdict != *want.Verdict) {
							t.Errorf("the model answers %+v, want %+v", got, want)
						}
						if why, err := m.Explain(got, "a"); err != nil || why.ClassID != "a" {
							t.Errorf("explained %+v, %v", why, err)
						}
						if _, err := m.ClassifyLive(shade(1, g)); err != nil {
							t.Error(err)
						}
					}
					var err error
					switch g {
					case 0:
						_, err = before.Review(context.Background(), nil)
					case 1, 2:
						err = l.Model().Learn(context.Background(), nil)
					case 3:
						_, err = before.LearningCurve(context.Background(), nil)
					case 4:
						if classifier == method.Mixture {
							_, _, err = before.Refine(context.Background(), Training{Passes: 2, Check: true}, nil)
						}
					}
					if err != nil {
						t.Error(err)
					}
				})
			}
			for i := range 6 {
				require.NoError(t, l.Add("the "+string(rune('a'+i%3)), shade(i%3, 10+i)))
				if i == 2 {
					require.NoError(t, l.RemoveExample("a1"))
				}
			}
			asking.Wait()
			if n := count(l.Model().classes); n != 11 || count(before.classes) != 6 {
				t.Errorf("%d examples, and %d in the first model, want 11 and 6", n, count(before.classes))
			}
			// The result equals that of a learner without concurrent calls.
			again := newEngine(t, Options{Method: m})
			for _, c := range l.Classes() {
				require.NoError(t, again.AddClass(c.ID, c.Label))
				for _, e := range c.Examples {
					require.Value(again.AddExample(c.ID, e.ID, asPicture(e.Seen)))(t)
				}
			}
			if got, want := logits(t, l, shade(2, 5)), logits(t, again, shade(2, 5)); !near(got, want) {
				t.Errorf("taught meanwhile %v, at once %v", got, want)
			}
		})
	}
}

// Later calls and changes do not affect an answer.
func TestAnswersAreTheCallers(t *testing.T) {
	l := newEngine(t, Options{})
	teach(t, l, "red", striped(210, 30, 20, 0), striped(220, 40, 30, 1))
	teach(t, l, "blue", striped(20, 30, 210, 0), striped(30, 40, 220, 1))
	var kept []any
	var copies []string
	keep := func(value any) {
		kept, copies = append(kept, value), append(copies, fmt.Sprintf("%+v", reflect.Indirect(reflect.ValueOf(value))))
	}
	for i := range 3 {
		a := answered(t, l, striped(200, 30, byte(40*i), i))
		live := require.Value(l.Model().ClassifyLive(striped(20, 30, byte(200-i), i)))(t)
		why := require.Value(l.Model().Explain(a, "blue"))(t)
		for _, value := range []any{a.Scores, a.Verdict, a.Seen, a.Embedding, live.Scores, live.Verdict, live.Seen, live.Embedding, why, reviewed(t, l)} {
			keep(value)
		}
		seen := require.Value(l.AddExample("red", fmt.Sprint("more", i), striped(205, 31, 22, 5+i)))(t)
		keep(seen.View)
		keep(seen.Embedding)
		keep(l.Classes())
	}
	for i, value := range kept {
		if got := fmt.Sprintf("%+v", reflect.Indirect(reflect.ValueOf(value))); got != copies[i] {
			t.Errorf("what was returned as %.200s is %.200s by now", copies[i], got)
		}
	}
}

// The answer for an example lacks its image if the learner does not store images.
func TestClassifyExampleOfALeanLearner(t *testing.T) {
	for _, lean := range []bool{false, true} {
		l := newEngine(t, Options{Lean: lean})
		teach(t, l, "red", red)
		if a := require.Value(l.Model().ClassifyExample("red0"))(t); (a.Seen == nil) != lean || len(a.Scores) != 1 {
			t.Errorf("lean %v: %+v", lean, a.Answer)
		}
	}
}

// Callers may change an answer: the learner does not use its memory.
func TestAnswersShareNothing(t *testing.T) {
	l := newEngine(t, Options{})
	teach(t, l, "red", striped(210, 30, 20, 0))
	id := l.Classes()[0].Examples[0].ID
	example := func() *Answer { return require.Value(l.Model().ClassifyExample(id))(t) }
	text := func(a *Answer) string { return fmt.Sprintf("%+v %+v", *a.Seen, *a.Embedding) }
	before := text(example())
	for _, a := range []*Answer{example(), answered(t, l, Picture{Embedding: l.Classes()[0].Examples[0].Embedding})} {
		clear(a.Embedding.Data)
		clear(a.Embedding.Regions)
		if a.Seen != nil {
			clear(a.Seen.Pix)
		}
	}
	if text(example()) != before {
		t.Error("changing answers changes the example")
	}
	if at := slices.Index(l.Model().net.positions, embed.Region{}); at >= 0 {
		t.Errorf("changing answers changes the network's region %d", at)
	}
}

// Examples that several goroutines add at the same time are all kept.
func TestAddFromSeveralGoroutines(t *testing.T) {
	l := require.Value(NewFromFeatures(Shape{Name: "x", Nodes: 1, Channels: 8}, Options{}))(t)
	var all sync.WaitGroup
	for g := range 4 {
		all.Go(func() {
			for i := range 300 {
				if err := l.Add(fmt.Sprint(g), Picture{Embedding: []float32{1, float32(i), 3, 4, 5, 6, 7, 8}}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	for _, c := range l.Classes() {
		if len(c.Examples) != 300 {
			t.Errorf("class %s has %d examples, want 300", c.Label, len(c.Examples))
		}
	}
}
