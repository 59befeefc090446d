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
	// curveLeast is the minimum number of examples of the largest class, or of its parts.
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
// The draws are deterministic, and do not divide the parts of a class (see [fewshot.Separate]). A point
// has the same number of parts of each class, and counts their examples in the class with the most parts.
// progress, unless nil, is called every few milliseconds with the points so far, which it must not modify.
//
// # Errors
//
// CodeEmpty unless two classes have examples, one of them three parts; the errors of ctx and
// progress, which end the work.
func (m *Model) LearningCurve(ctx Context, progress func(*answer.Curve) error) (*answer.Curve, error) {
	if err := m.begin(); err != nil {
		return nil, err
	}
	d := &draws{all: m.support()}
	d.parts = partsOf(d.all)
	most := 0
	for i, class := range d.all {
		if n := len(d.parts[i]); n > most {
			most, d.length = n, float64(len(class.Support))/float64(n)
		}
		d.curve.Classes = append(d.curve.Classes, answer.CurveClass{ID: class.Name, Label: m.fitted[i].label})
	}
	if len(d.all) < 2 || most < curveLeast {
		return nil, fail(CodeEmpty, "too few examples for a learning curve: want two classes, and one of them with three or more: consecutive frames count as one")
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
	j := &job{ctx: ctx}
	if progress != nil {
		j.progress = func(int, int) error { return progress(&d.curve) }
	}
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
	answers, err := m.leftOut(c, j)
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
	parts      [][]fewshot.Run // of each class: see fewshot.Separate
	length     float64         // examples per part of the class with the most parts
	hits, asks [][]int         // correct and all answers of the current point, [draws][classes]
	curve      answer.Curve
}

// partsOf divides classes into parts.
func partsOf(classes []fewshot.Class) [][]fewshot.Run {
	directions := make([][][]float32, len(classes))
	for c, class := range classes {
		for _, set := range class.Support {
			directions[c] = append(directions[c], fewshot.Direction(set))
		}
	}
	return fewshot.Parts(directions)
}

// drawn returns the support set of a draw, with size parts per class, and the examples to classify. The
// parts of a class have one random order; the draws start at evenly spaced positions in it.
func (d *draws) drawn(size, draw, count int) (support []fewshot.Class, asked []question) {
	each := max(1, curveAnswers/(count*len(d.all)))
	for c, class := range d.all {
		n := len(d.parts[c])
		order := rand.New(rand.NewPCG(uint64(c), uint64(n))).Perm(n)
		answering := max(1, min(size, n-1))
		at := func(i int) []*embed.Set {
			part := d.parts[c][order[(draw*n/count+i)%n]]
			return class.Support[part.From:part.To]
		}
		some := fewshot.Class{Name: class.Name}
		for i := range answering {
			some.Support = append(some.Support, at(i)...)
		}
		support = append(support, some)
		left := each
		for i := answering; i < n && left > 0; i++ {
			for _, example := range at(i)[:min(left, len(at(i)))] {
				asked, left = append(asked, question{c, example}), left-1
			}
		}
	}
	return support, asked
}

// add adds a point of size parts with the accuracy of the answers. It weights a class by its number of
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
	point := answer.CurvePoint{Examples: int(math.Round(float64(size) * d.length)), Right: share(hits, asks)}
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
