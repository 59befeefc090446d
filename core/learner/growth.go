package learner

import (
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/fewshot"
)

const (
	// growthDraws is how many times examples are drawn for a point.
	growthDraws = 6
	// growthAnswers is about how many answers a point takes.
	growthAnswers = 240
	// growthLeast is how many examples a class needs before there is growth to speak of.
	growthLeast = 3
)

// growthSizes are the numbers of examples that points are about, before that of all. From
// 5 on, each is about 1.6 times the one before.
var growthSizes = []int{1, 2, 3, 5, 8, 12, 20, 30, 50, 80, 120, 200, 300, 500, 800}

// growing is growth on its way.
type growing struct {
	revision int // of the examples that it is of; all is nil before there are any
	all      []fewshot.Class
	sizes    []int

	draw       int // of the point
	by         fewshot.Classifier
	asked      []question // that are left of the draw
	hits, asks [][]int    // of the point, [draws][classes]
	result     answer.Curve
}

// question is an example that is to be recognised.
type question struct {
	class   int
	example *embed.Set
}

// Growth finds out how recognition grew, for about the given time or until all is found:
// then Done is Total, and calls return the same until examples come or go. When they do,
// it begins again. Draws do not depend on when it is called. Between calls the learner
// answers as ever; a call takes longer than the given time by one answer or one slice of
// learning, or where Review has not been called since the examples changed, by leaving out
// every example.
//
// Errors: "empty" unless two classes have examples, one of them three.
func (l *Learner) Growth(budget time.Duration) (*answer.Curve, error) {
	if err := l.fit(); err != nil {
		return nil, err
	}
	if g := &l.growing; g.revision != l.revision || g.all == nil {
		if err := l.grow(); err != nil {
			return nil, err
		}
	}
	g := &l.growing
	for begin := time.Now(); g.result.Done < g.result.Total; {
		if err := l.growStep(); err != nil {
			l.growing = growing{}
			return nil, err
		}
		if time.Since(begin) >= budget {
			break
		}
	}
	r := g.result
	r.Points = slices.Clone(r.Points)
	r.Classes = slices.Clone(r.Classes)
	return &r, nil
}

// grow begins.
func (l *Learner) grow() error {
	all, most := l.support(), 0
	for _, class := range all {
		most = max(most, len(class.Support))
	}
	if len(all) < 2 || most < growthLeast {
		return fail(CodeEmpty, "too few examples to see how recognition grew: give two classes some, and one of them three or more")
	}
	g := growing{revision: l.revision, all: all}
	for _, size := range growthSizes {
		if size <= most-2 {
			g.sizes = append(g.sizes, size)
		}
	}
	g.sizes = append(g.sizes, most)
	for point := range g.sizes {
		g.result.Total += l.growthDrawsOf(&g, point)
	}
	for _, class := range all {
		g.result.Classes = append(g.result.Classes, answer.CurveClass{ID: class.Name})
	}
	l.growing = g
	return nil
}

// leavesAlone reports whether a review's scores are those of the method, so that the last
// point is that of its examples left out.
func (l *Learner) leavesAlone() bool { return l.classifier.Traits().Leaver != nil }

// growthDrawsOf is how many draws a point takes.
func (l *Learner) growthDrawsOf(g *growing, point int) int {
	switch last := point == len(g.sizes)-1; {
	case last && l.leavesAlone():
		return 1
	case last:
		return min(g.sizes[point], 2*growthDraws)
	}
	return growthDraws
}

// growStep does a little of what is to be done: a fit, a slice of learning, or an answer.
func (l *Learner) growStep() (err error) {
	g := &l.growing
	point := len(g.result.Points)
	draws := l.growthDrawsOf(g, point)
	if point == len(g.sizes)-1 && l.leavesAlone() {
		if student := l.classifier.Traits().Student; student != nil {
			if work, err := student.Study(); work > 0 || err != nil {
				return err
			}
		}
		return l.growLast()
	}
	if g.by == nil {
		var support []fewshot.Class
		support, g.asked = g.drawn(g.sizes[point], g.draw, draws)
		g.hits, g.asks = append(g.hits, make([]int, len(g.all))), append(g.asks, make([]int, len(g.all)))
		if g.by, err = l.opt.Kit.Classifier(l.method, l.opt.Tuning); err != nil {
			return err
		}
		return g.by.Fit(support)
	}
	if student := g.by.Traits().Student; student != nil {
		if work, err := student.Study(); work > 0 || err != nil {
			return err
		}
	}
	if len(g.asked) > 0 {
		q := g.asked[0]
		scores, err := g.by.Scores(nil, q.example)
		if err != nil {
			return err
		}
		g.asks[g.draw][q.class]++
		if fewshot.Ranking(scores)[0] == q.class {
			g.hits[g.draw][q.class]++
		}
		g.asked = g.asked[1:]
		return nil
	}
	g.by = nil
	g.draw++
	g.result.Done++
	if g.draw == draws {
		g.add()
	}
	return nil
}

// drawn are the examples of a draw: so many of each class that answer, and others that
// are asked about. The examples of a class are in an order drawn once; draws begin at
// places that divide it evenly.
func (g *growing) drawn(size, draw, draws int) (support []fewshot.Class, asked []question) {
	each := max(1, growthAnswers/(draws*len(g.all)))
	for c, class := range g.all {
		n := len(class.Support)
		order := rand.New(rand.NewPCG(uint64(c), uint64(n))).Perm(n)
		answering := max(1, min(size, n-1))
		at := func(i int) *embed.Set { return class.Support[order[(draw*n/draws+i)%n]] }
		some := fewshot.Class{Name: class.Name}
		for i := range answering {
			some.Support = append(some.Support, at(i))
		}
		support = append(support, some)
		for i := answering; i < min(n, answering+each); i++ {
			asked = append(asked, question{c, at(i)})
		}
	}
	return support, asked
}

// growLast adds the point of all examples, each left out alone.
func (l *Learner) growLast() error {
	left, err := l.leaveOut()
	if err != nil {
		return err
	}
	answers, err := l.leftOut(left)
	if err != nil {
		return err
	}
	g := &l.growing
	hits, asks := make([]int, len(g.all)), make([]int, len(g.all))
	for i, class := range answers.Class {
		taken := answers.Taken(i)
		if taken >= 0 {
			asks[class]++
		}
		if taken == class {
			hits[class]++
		}
	}
	g.hits, g.asks = [][]int{hits}, [][]int{asks}
	g.result.Done++
	g.add()
	return nil
}

// add makes a point of what was asked. Every example counts the same, so a class counts
// as much as it has examples, however many of them were asked about.
func (g *growing) add() {
	share := func(hits, asks []int) float64 {
		right, all := 0., 0.
		for c, n := range asks {
			if n > 0 {
				weight := float64(len(g.all[c].Support))
				right, all = right+weight*float64(hits[c])/float64(n), all+weight
			}
		}
		return right / all
	}
	hits, asks := make([]int, len(g.all)), make([]int, len(g.all))
	var sum, squares float64
	for d := range g.asks {
		for c := range g.all {
			hits[c], asks[c] = hits[c]+g.hits[d][c], asks[c]+g.asks[d][c]
		}
		s := share(g.hits[d], g.asks[d])
		sum, squares = sum+s, squares+s*s
	}
	n := float64(len(g.asks))
	point := answer.CurvePoint{Examples: g.sizes[len(g.result.Points)], Right: share(hits, asks)}
	if n > 1 {
		point.Spread = math.Sqrt(max(0, (squares-sum*sum/n)/(n-1)))
	}
	g.result.Points = append(g.result.Points, point)
	for c := range g.all {
		class := &g.result.Classes[c]
		class.Right, class.Asked = append(slices.Clip(class.Right), hits[c]), append(slices.Clip(class.Asked), asks[c])
	}
	g.draw, g.hits, g.asks = 0, nil, nil
}
