package learner

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/fewshot"
)

const (
	// curveDraws is the number of draws per point.
	curveDraws = 6
	// curveAnswers is the approximate number of answers per point.
	curveAnswers = 240
	// curveLeast is the minimum number of examples of the largest class.
	curveLeast = 3
)

// curveSizes lists the numbers of examples of the points before the last point, which uses all
// examples. Above 5, each number is about 1.6 times the previous one.
var curveSizes = []int{1, 2, 3, 5, 8, 12, 20, 30, 50, 80, 120, 200, 300, 500, 800}

// question is an example to recognize.
type question struct {
	class   int
	example *embed.Set
}

// LearningCurve measures accuracy as a function of the number of examples per class: it
// classifies the model's examples with other examples of each class, using the model's method.
// The draws are deterministic. progress, unless nil, is called every few milliseconds with the
// points so far, which it must not modify.
//
// # Errors
//
// CodeEmpty unless two classes have examples, one of them three; the errors of ctx and
// progress, which end the work.
func (m *Model) LearningCurve(ctx Context, progress func(*answer.Curve) error) (*answer.Curve, error) {
	if err := m.begin(); err != nil {
		return nil, err
	}
	d := &draws{all: m.support()}
	most := 0
	for i, class := range d.all {
		most = max(most, len(class.Support))
		d.curve.Classes = append(d.curve.Classes, answer.CurveClass{ID: class.Name, Label: m.fitted[i].label})
	}
	if len(d.all) < 2 || most < curveLeast {
		return nil, fail(CodeEmpty, "too few examples for a learning curve: want two classes, and one of them with three or more")
	}
	var sizes []int
	for _, size := range curveSizes {
		if size <= most-2 {
			sizes = append(sizes, size)
		}
	}
	leaves := m.classifier.Traits().LeaveOneOut != nil // one by one, in a single draw of the last point
	d.curve.Total = len(sizes)*curveDraws + min(most, 2*curveDraws)
	if leaves {
		d.curve.Total = len(sizes)*curveDraws + 1
	}
	j := &job{ctx: ctx, progress: func(int, int) error {
		if progress == nil {
			return nil
		}
		return progress(&d.curve)
	}}
	for _, size := range sizes {
		if err := m.point(d, size, curveDraws, j); err != nil {
			return nil, err
		}
	}
	var err error
	if leaves {
		err = m.lastPoint(d, most, j)
	} else {
		err = m.point(d, most, min(most, 2*curveDraws), j)
	}
	if err == nil {
		err = j.pause()
	}
	if err != nil {
		return nil, err
	}
	return &d.curve, nil
}

// point adds the point of the given number of examples, measured in count draws.
func (m *Model) point(d *draws, size, count int, j *job) error {
	for draw := range count {
		support, asked := d.drawn(size, draw, count)
		d.hits, d.asks = append(d.hits, make([]int, len(d.all))), append(d.asks, make([]int, len(d.all)))
		by, err := m.opt.Kit.Classifier(m.opt.Method, m.opt.Tuning)
		if err != nil {
			return err
		}
		if err := by.Fit(support); err != nil {
			return err
		}
		if err := j.pause(); err != nil {
			return err
		}
		if student := by.Traits().Student; student != nil {
			if err := student.Learn(j.pause); err != nil {
				return err
			}
		}
		for _, q := range asked {
			scores, err := by.Scores(nil, q.example)
			if err == nil {
				err = j.pause()
			}
			if err != nil {
				return err
			}
			d.asks[draw][q.class]++
			if fewshot.Ranking(scores)[0] == q.class {
				d.hits[draw][q.class]++
			}
		}
		d.curve.Done++
	}
	d.add(size)
	return nil
}

// lastPoint adds the point of all examples, by leave-one-out.
func (m *Model) lastPoint(d *draws, size int, j *job) error {
	c, err := m.calibrate(j)
	if err != nil {
		return err
	}
	answers, err := m.leftOut(c.left, j)
	if err != nil {
		return err
	}
	hits, asks := make([]int, len(d.all)), make([]int, len(d.all))
	for i, class := range answers.Class {
		taken := answers.Predicted(i)
		if taken >= 0 {
			asks[class]++
		}
		if taken == class {
			hits[class]++
		}
	}
	d.hits, d.asks = [][]int{hits}, [][]int{asks}
	d.curve.Done++
	d.add(size)
	return nil
}

// draws holds the state of LearningCurve.
type draws struct {
	all        []fewshot.Class
	hits, asks [][]int // correct and all answers of the current point, [draws][classes]
	curve      answer.Curve
}

// drawn returns the support set of a draw, with size examples per class, and the examples to
// classify. The examples of a class have one random order; the draws start at evenly spaced
// positions in it.
func (d *draws) drawn(size, draw, count int) (support []fewshot.Class, asked []question) {
	each := max(1, curveAnswers/(count*len(d.all)))
	for c, class := range d.all {
		n := len(class.Support)
		order := rand.New(rand.NewPCG(uint64(c), uint64(n))).Perm(n)
		answering := max(1, min(size, n-1))
		at := func(i int) *embed.Set { return class.Support[order[(draw*n/count+i)%n]] }
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

// add adds a point with the accuracy of the answers. It weights a class by its number of
// examples, regardless of the number of classified examples.
func (d *draws) add(size int) {
	share := func(hits, asks []int) float64 {
		right, all := 0., 0.
		for c, n := range asks {
			if n > 0 {
				weight := float64(len(d.all[c].Support))
				right, all = right+weight*float64(hits[c])/float64(n), all+weight
			}
		}
		return right / all
	}
	hits, asks := make([]int, len(d.all)), make([]int, len(d.all))
	var sum, squares float64
	for i := range d.asks {
		for c := range d.all {
			hits[c], asks[c] = hits[c]+d.hits[i][c], asks[c]+d.asks[i][c]
		}
		s := share(d.hits[i], d.asks[i])
		sum, squares = sum+s, squares+s*s
	}
	n := float64(len(d.asks))
	point := answer.CurvePoint{Examples: size, Right: share(hits, asks)}
	if n > 1 {
		point.Spread = math.Sqrt(max(0, (squares-sum*sum/n)/(n-1)))
	}
	d.curve.Points = append(d.curve.Points, point)
	for c := range d.all {
		class := &d.curve.Classes[c]
		class.Right, class.Asked = append(slices.Clip(class.Right), hits[c]), append(slices.Clip(class.Asked), asks[c])
	}
	d.hits, d.asks = nil, nil
}
