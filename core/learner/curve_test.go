package learner

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/internal/require"
)

// noisy adds classes with the given numbers of examples to a learner of features. An example is
// the features of its class plus noise, so that accuracy grows with the number of examples.
func noisy(t testing.TB, l *Learner, noise float64, counts ...int) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	size := l.Info().Nodes * l.Info().Channels
	for c, n := range counts {
		like := make([]float64, size)
		for i := range like {
			like[i] = r.NormFloat64()
		}
		for range n {
			values := make([]float32, size)
			for i := range values {
				values[i] = float32(like[i] + noise*r.NormFloat64())
			}
			require.NoError(t, l.Add(fmt.Sprint("class ", c), Picture{Embedding: values}))
		}
	}
}

// curveOf returns the learning curve.
func curveOf(t testing.TB, l *Learner) *answer.Curve {
	t.Helper()
	at := -1
	c := require.Value(l.Model().LearningCurve(context.Background(), func(c *answer.Curve) error {
		if c.Done < at || c.Total == 0 {
			t.Errorf("%d of %d are done, and %d were", c.Done, c.Total, at)
		}
		at = c.Done
		return nil
	}))(t)
	if at != c.Total {
		t.Errorf("%d of %d were done in the end", at, c.Total)
	}
	return c
}

// The answers of a draw are the same as from a learner with the draw's examples only, and the
// answers of the last point as from a learner without the example.
func TestCurveIsThatOfFreshLearners(t *testing.T) {
	for _, text := range []string{"", "classifier=prototype balance=off", "classifier=nearest", "classifier=cosine"} {
		t.Run(text, func(t *testing.T) {
			m := require.Value(method.Parse(text))(t)
			l := featuresOf(t, Shape{Name: "noise", Nodes: 4, Channels: 12}, Options{Method: m})
			noisy(t, l, 3, 7, 1, 6, 2)
			g := curveOf(t, l)

			all := l.Model().support()
			taken := func(support []fewshot.Class, example *embed.Set) int {
				fresh := require.Value(l.WithMethod(l.Method()))(t)
				for _, class := range support {
					for _, set := range class.Support {
						require.NoError(t, fresh.Add(class.Name, Picture{Embedding: set.Data}))
					}
				}
				answer := require.Value(fresh.Model().Classify(Picture{Embedding: example.Data}))(t)
				return slices.IndexFunc(all, func(c fewshot.Class) bool { return c.Name == answer.Scores[0].Label })
			}
			state := &draws{all: all, parts: partsOf(all)}
			sizes, leaves := []int{1, 2, 3, 5, 7}, l.Model().classifier.Traits().LeaveOneOut != nil
			if len(g.Points) != len(sizes) {
				t.Fatalf("%d points, want those of %v examples", len(g.Points), sizes)
			}
			for point, size := range sizes {
				if g.Points[point].Examples != size {
					t.Fatalf("point %d is of %d examples, want %d", point, g.Points[point].Examples, size)
				}
				right, asked := make([]int, len(all)), make([]int, len(all))
				tell := func(support []fewshot.Class, q question) {
					asked[q.class]++
					if taken(support, q.example) == q.class {
						right[q.class]++
					}
				}
				count := curveDraws
				if size == 7 {
					count = 7
				}
				if size == 7 && leaves {
					for c, class := range all {
						for i, example := range class.Support {
							if len(class.Support) > 1 {
								without := slices.Clone(all)
								without[c].Support = slices.Delete(slices.Clone(class.Support), i, i+1)
								tell(without, question{c, example})
							}
						}
					}
				} else {
					for draw := range count {
						support, questions := state.drawn(size, draw, count)
						for _, q := range questions {
							if slices.Contains(support[q.class].Support, q.example) {
								t.Fatal("an example answers for itself")
							}
							tell(support, q)
						}
					}
				}
				slack := 0
				if size == 7 && text == "" {
					slack = 1 // the mixture keeps the weights and the sharpness that the example has helped to fit
				}
				var sum, weight float64
				for c, class := range all {
					if of := g.Classes[c]; max(of.Right[point]-right[c], right[c]-of.Right[point]) > slack || of.Asked[point] != asked[c] {
						t.Errorf("by %d examples %d of %d of %s are recognized, by a fresh learner %d of %d", size, of.Right[point], of.Asked[point], class.Name, right[c], asked[c])
					}
					if asked[c] > 0 {
						n := float64(len(class.Support))
						sum, weight = sum+n*float64(right[c])/float64(asked[c]), weight+n
					}
				}
				if want := sum / weight; slack == 0 && !(math.Abs(g.Points[point].Right-want) <= 1e-12) {
					t.Errorf("by %d examples %v are recognized, want %v", size, g.Points[point].Right, want)
				}
			}
		})
	}
}

// The curve rises for noisy examples, and does not depend on changes of the learner during the
// measurement.
func TestCurveRises(t *testing.T) {
	l := featuresOf(t, Shape{Name: "noise", Nodes: 4, Channels: 16}, Options{})
	noisy(t, l, 1.6, 20, 20, 20)
	at := curveOf(t, l)
	first, last := at.Points[0], at.Points[len(at.Points)-1]
	if first.Right > 0.75 || last.Right < 0.9 || len(at.Points) != 7 || first.Spread == 0 || last.Spread != 0 || last.Examples != 20 {
		t.Errorf("points %+v, want them to rise", at.Points)
	}
	right := 0
	for _, e := range reviewed(t, l).Examples {
		if e.Taken == e.ClassID {
			right++
		}
	}
	if want := float64(right) / 60; !(math.Abs(last.Right-want) <= 1e-12) {
		t.Errorf("with all %v are recognized, in the review %v", last.Right, want)
	}

	m, query := l.Model(), Picture{Embedding: l.Model().support()[0].Support[0].Data}
	again, err := m.LearningCurve(context.Background(), func(c *answer.Curve) error {
		if c.Done == 3 && l.Model() == m {
			if err := l.RemoveExample(l.Classes()[0].Examples[0].ID); err != nil {
				return err
			}
		}
		_, err := l.Model().Classify(query)
		return err
	})
	if err != nil || !reflect.DeepEqual(again, at) {
		t.Errorf("while an example was removed: %+v, %v, want %+v", again, err, at)
	}
	if got := curveOf(t, l); got.Points[0].Examples != 1 || reflect.DeepEqual(got.Points, at.Points) {
		t.Errorf("without the example the points are the same: %+v", got.Points)
	}
}

// The draws of a point ask for about curveAnswers answers; the last point's ask for every example once.
func TestDraws(t *testing.T) {
	d := &draws{}
	for range 3 {
		class := fewshot.Class{}
		var parts []fewshot.Run
		for i := range 10 {
			class.Support, parts = append(class.Support, new(embed.Set)), append(parts, fewshot.Run{From: i, To: i + 1})
		}
		d.all, d.parts = append(d.all, class), append(d.parts, parts)
	}
	for _, c := range []struct{ size, count, want int }{{1, curveDraws, 3 * 9 * curveDraws}, {1, 30, 3 * 2 * 30}, {10, 10, 30}} {
		asked := map[*embed.Set]int{}
		all := 0
		for draw := range c.count {
			_, questions := d.drawn(c.size, draw, c.count)
			for _, q := range questions {
				asked[q.example]++
			}
			all += len(questions)
		}
		if all != c.want || len(asked) != 30 {
			t.Errorf("%d draws of %d examples ask for %d answers of %d examples, want %d of 30", c.count, c.size, all, len(asked), c.want)
		}
	}
}

func TestCurveOfTooFew(t *testing.T) {
	for _, counts := range [][]int{nil, {3}, {5}, {2, 2}} {
		l := featuresOf(t, Shape{Name: "noise", Nodes: 2, Channels: 3}, Options{})
		noisy(t, l, 1, counts...)
		if _, err := l.Model().LearningCurve(context.Background(), nil); codeOf(err) != CodeEmpty {
			t.Errorf("of %v examples: %v, want empty", counts, err)
		}
	}
	l := featuresOf(t, Shape{Name: "noise", Nodes: 2, Channels: 3}, Options{})
	noisy(t, l, 1, 3, 1)
	if g := curveOf(t, l); len(g.Points) != 2 || g.Classes[1].Asked[1] != 0 {
		t.Errorf("of 3 and 1 examples: %+v, want two points that ask nothing of the second class", g)
	}
}

// BenchmarkCurve measures the learning curve, with embeddings of the default network's
// shape, and its longest piece of work.
func BenchmarkCurve(b *testing.B) {
	for _, counts := range [][]int{{8, 8, 8}, {20, 20, 20}, {40, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40}} {
		b.Run(fmt.Sprintf("classes=%d/examples=%d", len(counts), counts[0]), func(b *testing.B) {
			l := require.Value(NewFromFeatures(Shape{Name: "noise", Nodes: 25, Channels: 320}, Options{}))(b)
			noisy(b, l, 3, counts...)
			reviewed(b, l)
			longest := time.Duration(0)
			for b.Loop() {
				begin := time.Now()
				require.Value(l.Model().LearningCurve(context.Background(), func(*answer.Curve) error {
					longest, begin = max(longest, time.Since(begin)), time.Now()
					return nil
				}))(b)
			}
			b.ReportMetric(float64(longest.Microseconds())/1000, "longest-ms")
		})
	}
}
