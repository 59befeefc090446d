package learner

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/core/method"
)

// noisy teaches a learner of features classes of so many examples each: what a class is
// like, and noise, so that few examples say less than many.
func noisy(t testing.TB, l *Learner, noise float64, counts ...int) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	size := l.info.Nodes * l.info.Channels
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
			if err := l.Teach(fmt.Sprint("class ", c), Picture{Embedding: values}); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// grown finds out all of the growth, in calls of the given time.
func grown(t testing.TB, l *Learner, budget time.Duration) *answer.Curve {
	t.Helper()
	for {
		g, err := l.Growth(budget)
		if err != nil {
			t.Fatal(err)
		}
		if g.Done == g.Total {
			return g
		}
	}
}

// Each draw's answers are those of a learner that was taught its examples and no others,
// and the last point's those of one that lacks the example.
func TestGrowthIsThatOfFreshLearners(t *testing.T) {
	for _, text := range []string{"", "classifier=prototype balance=off", "classifier=nearest", "classifier=cosine"} {
		t.Run(text, func(t *testing.T) {
			m, err := method.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			l := featuresOf(t, Shape{Name: "noise", Nodes: 4, Channels: 12}, Options{Method: m})
			noisy(t, l, 3, 7, 1, 6, 2)
			g := grown(t, l, time.Nanosecond)

			all := l.support()
			taken := func(support []fewshot.Class, example *embed.Set) int {
				fresh, err := l.Fresh(l.Method())
				if err != nil {
					t.Fatal(err)
				}
				for _, class := range support {
					for _, set := range class.Support {
						if err := fresh.Teach(class.Name, Picture{Embedding: set.Data}); err != nil {
							t.Fatal(err)
						}
					}
				}
				answer, err := fresh.Classify(Picture{Embedding: example.Data})
				if err != nil {
					t.Fatal(err)
				}
				return slices.IndexFunc(all, func(c fewshot.Class) bool { return c.Name == answer.Scores[0].Label })
			}
			state := &growing{all: all}
			sizes := []int{1, 2, 3, 5, 7}
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
				draws := growthDraws
				if size == 7 {
					draws = 7
				}
				if size == 7 && l.leavesAlone() {
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
					for draw := range draws {
						support, questions := state.drawn(size, draw, draws)
						for _, q := range questions {
							if slices.Contains(support[q.class].Support, q.example) {
								t.Fatal("an example answers for itself")
							}
							tell(support, q)
						}
					}
				}
				var sum, weight float64
				for c, class := range all {
					if of := g.Classes[c]; of.Right[point] != right[c] || of.Asked[point] != asked[c] {
						t.Errorf("by %d examples %d of %d of %s are recognised, by a fresh learner %d of %d", size, of.Right[point], of.Asked[point], class.Name, right[c], asked[c])
					}
					if asked[c] > 0 {
						n := float64(len(class.Support))
						sum, weight = sum+n*float64(right[c])/float64(asked[c]), weight+n
					}
				}
				if want := sum / weight; math.Abs(g.Points[point].Right-want) > 1e-12 {
					t.Errorf("by %d examples %v are recognised, want %v", size, g.Points[point].Right, want)
				}
			}
		})
	}
}

// More examples help where they are noisy, whatever the calls do in between; what changes
// begins it again.
func TestGrowthGrows(t *testing.T) {
	l := featuresOf(t, Shape{Name: "noise", Nodes: 4, Channels: 16}, Options{})
	noisy(t, l, 1.6, 20, 20, 20)
	at := grown(t, l, time.Hour)
	first, last := at.Points[0], at.Points[len(at.Points)-1]
	if first.Right > 0.75 || last.Right < 0.9 || len(at.Points) != 7 || first.Spread == 0 || last.Spread != 0 || last.Examples != 20 {
		t.Errorf("points %+v, want them to rise", at.Points)
	}
	review, err := l.Review()
	if err != nil {
		t.Fatal(err)
	}
	right := 0
	for _, e := range review.Examples {
		if e.Taken == e.ClassID {
			right++
		}
	}
	if want := float64(right) / 60; math.Abs(last.Right-want) > 1e-12 {
		t.Errorf("with all %v are recognised, in the review %v", last.Right, want)
	}
	if again := grown(t, l, time.Nanosecond); again.Points[2] != at.Points[2] {
		t.Errorf("the growth is %+v later", again.Points)
	}

	id := l.Classes()[0].Examples[0].ID
	if err := l.RemoveExample(id); err != nil {
		t.Fatal(err)
	}
	g, err := l.Growth(time.Nanosecond)
	if err != nil || g.Done == g.Total || len(g.Points) > 0 {
		t.Errorf("after a removal: %+v, %v, want it to begin again", g, err)
	}
	if _, err := l.Classify(Picture{Embedding: l.support()[0].Support[0].Data}); err != nil {
		t.Errorf("an answer while it is under way: %v", err)
	}
	if got := grown(t, l, time.Nanosecond); got.Points[0].Examples != 1 {
		t.Errorf("points %+v", got.Points)
	}
}

func TestGrowthOfTooFew(t *testing.T) {
	for _, counts := range [][]int{nil, {5}, {2, 2}} {
		l := featuresOf(t, Shape{Name: "noise", Nodes: 2, Channels: 3}, Options{})
		noisy(t, l, 1, counts...)
		if _, err := l.Growth(time.Second); codeOf(err) != CodeEmpty {
			t.Errorf("of %v examples: %v, want empty", counts, err)
		}
	}
	l := featuresOf(t, Shape{Name: "noise", Nodes: 2, Channels: 3}, Options{})
	noisy(t, l, 1, 3, 1)
	if g := grown(t, l, time.Second); len(g.Points) != 2 || g.Classes[1].Asked[1] != 0 {
		t.Errorf("of 3 and 1 examples: %+v, want two points that ask nothing of the second class", g)
	}
}

// BenchmarkGrowth is what it costs to find out how recognition grew, with embeddings of
// the default network's shape.
func BenchmarkGrowth(b *testing.B) {
	for _, counts := range [][]int{{8, 8, 8}, {20, 20, 20}, {40, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40, 40}} {
		b.Run(fmt.Sprintf("classes=%d/examples=%d", len(counts), counts[0]), func(b *testing.B) {
			l, err := Features(Shape{Name: "noise", Nodes: 25, Channels: 320}, Options{Kit: AllParts()})
			if err != nil {
				b.Fatal(err)
			}
			noisy(b, l, 3, counts...)
			if _, err := l.Review(); err != nil {
				b.Fatal(err)
			}
			longest := time.Duration(0)
			for b.Loop() {
				l.growing = growing{}
				for done := false; !done; {
					begin := time.Now()
					g, err := l.Growth(time.Nanosecond)
					if err != nil {
						b.Fatal(err)
					}
					longest = max(longest, time.Since(begin))
					done = g.Done == g.Total
				}
			}
			b.ReportMetric(float64(longest.Microseconds())/1000, "longest-ms")
		})
	}
}
