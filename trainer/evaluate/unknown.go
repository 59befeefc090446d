package evaluate

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/core/openset"
	"github.com/deepemd/deepemd/trainer/data"
)

// Open specifies how to measure the detection of unknown images.
type Open struct {
	Way int
	// Strangers, [episodes], are images outside each episode's classes.
	Strangers [][]string
	// Classifier returns a classifier for each goroutine.
	Classifier func() *fewshot.Prototype
	// Strictness are the settings, from 0 to 1, whose errors are counted.
	Strictness []float64
	// Prior replaces the calibration if there are too few examples.
	Prior openset.Prior
	// Threads and Progress are as in Config.
	Threads  int
	Progress Shown
}

// Candidate is a score that could separate known from unknown images.
type Candidate struct {
	Name, What string
	score      func(o *calibrated, scores []float64) float64
}

// calibrated holds the calibration of an episode's classes.
type calibrated struct {
	calibration *openset.Calibration
	own, others []openset.Normal // by class, of the scores of its left-out examples and of other classes' examples
}

// Candidates lists the scores, the score of package openset first.
func Candidates() []Candidate {
	return []Candidate{
		{"calibrated", "likeness over every class's own level, of package openset", func(o *calibrated, p []float64) float64 { return o.calibration.Score(p) }},
		{"energy", "log of the sum of exponentials", func(_ *calibrated, p []float64) float64 { return floats.LogSumExp(p) }},
		{"best", "best score", func(_ *calibrated, p []float64) float64 { return slices.Max(p) }},
		{"own", "best distance from the mean of a class's left-out examples, in their standard deviations", func(o *calibrated, p []float64) float64 { return farthest(p, o.own) }},
		{"others", "best distance from the mean of other classes' examples, in their standard deviations", func(o *calibrated, p []float64) float64 { return farthest(p, o.others) }},
		{"probability", "highest probability", func(_ *calibrated, p []float64) float64 { return slices.Max(fewshot.Softmax(nil, p)) }},
		{"margin", "best score less the second", func(_ *calibrated, p []float64) float64 {
			order := fewshot.Ranking(p)
			return p[order[0]] - p[order[1]]
		}},
	}
}

// OpenResult states how well unknown images are detected.
type OpenResult struct {
	// Candidates are the compared scores, the score of package openset first.
	Candidates []Separation `json:"scores"`
	Balanced   Balanced     `json:"balancedThreshold"`
	// Verdicts are in the order of Open.Strictness.
	Verdicts []Verdict `json:"verdicts"`
	// Levels are the values of a Prior for this number of examples.
	Levels Levels `json:"levels"`
}

// Errors are the shares of unknown images that a threshold accepts and of known images that it
// rejects: means over episodes with half the widths of their 95% intervals.
type Errors struct {
	Accepted         float64 `json:"falseAccept"`
	AcceptedInterval float64 `json:"falseAcceptInterval95"`
	Rejected         float64 `json:"falseReject"`
	RejectedInterval float64 `json:"falseRejectInterval95"`
}

// Balanced has the errors of the balanced threshold, measured and as the examples predict them.
type Balanced struct {
	Errors
	StatedAccepted float64 `json:"statedFalseAccept"`
	StatedRejected float64 `json:"statedFalseReject"`
}

// Verdict has the errors of a strictness, and the mean probabilities of known and of unknown images to
// belong to a class.
type Verdict struct {
	Strictness float64 `json:"strictness"`
	Errors
	KnownBelong   float64 `json:"knownBelong"`
	UnknownBelong float64 `json:"unknownBelong"`
}

// Separation states how well a score separates known images from unknown ones: means over episodes
// with half the widths of their 95% intervals.
type Separation struct {
	Name          string  `json:"name"`
	What          string  `json:"what"`
	AUROC         float64 `json:"auroc"`
	Interval      float64 `json:"interval95"`
	FPR95         float64 `json:"fpr95"`
	FPR95Interval float64 `json:"fpr95Interval95"`
}

// Levels are the mean scores, in logits, of queries for their own class and of examples for other
// classes; the calibrated score at which the shares of rejected known queries and of accepted
// unknown ones are equal; and the calibrated scores of both.
type Levels struct {
	Own, Others    float64
	Threshold      float64
	Known, Unknown openset.Normal
}

// RunOpen measures every candidate. The queries of the episodes are the known images; their order
// is as in Run. The ranks of the context's group share the episodes, as in Run. It returns the same
// errors as Run.
func RunOpen(ctx context.Context, features Features, episodes []data.Episode, open Open) (*OpenResult, error) {
	if open.Way < 2 || len(open.Strangers) != len(episodes) {
		return nil, fmt.Errorf("evaluate: %d-way episodes, %d of them, %d with strangers: want at least two classes, and strangers for every episode", open.Way, len(episodes), len(open.Strangers))
	}
	if err := sameItems(ctx, "episodes", len(episodes), [2]any{episodes, open.Strangers}); err != nil {
		return nil, err
	}
	outcomes, err := inParallel(ctx, "episode", len(episodes), open.Threads, open.Progress, func() func(int) (openOutcome, error) {
		p := open.Classifier()
		w := worker{features: features, way: open.Way, classifier: p}
		return func(i int) (openOutcome, error) { return w.open(p, episodes[i], open.Strangers[i], &open) }
	})
	if err != nil {
		return nil, err
	}
	return summary(outcomes, open.Strictness), nil
}

// openOutcome is the result of one episode.
type openOutcome struct {
	AUROC, FPR95                   []float64 // by candidate
	Known, Unknown                 []float64 // calibrated
	Own, Others                    []float64 // logits
	Accepted, Rejected             float64
	Verdicts                       []Verdict // by strictness
	StatedAccepted, StatedRejected float64
}

func (w *worker) open(p *fewshot.Prototype, e data.Episode, strangers []string, open *Open) (out openOutcome, err error) {
	classes, err := w.classes(e)
	if err != nil {
		return out, err
	}
	left, err := openset.LeaveOneOut(p, classes, nil)
	if err != nil {
		return out, err
	}
	o := &calibrated{calibration: openset.Calibrate(left, open.Prior)}
	out.Others = o.describe(left, w.way, open.Prior)
	known, err := w.scored(e.Query)
	if err != nil {
		return out, err
	}
	unknown, err := w.scored(strangers)
	if err != nil {
		return out, err
	}
	for i, p := range known {
		out.Own = append(out.Own, p[i%w.way])
	}
	for n, candidate := range Candidates() {
		inside, without := o.scoresOf(candidate, known), o.scoresOf(candidate, unknown)
		if n == 0 {
			out.Known, out.Unknown = inside, without
		}
		out.AUROC = append(out.AUROC, AUROC(inside, without))
		out.FPR95 = append(out.FPR95, FalsePositives(inside, without, 0.95))
	}
	threshold := o.calibration.Threshold(0.5)
	out.Accepted, out.Rejected = answer.Above(out.Unknown, threshold), 1-answer.Above(out.Known, threshold)
	for _, strictness := range open.Strictness {
		t := o.calibration.Threshold(strictness)
		belong := func(scores []float64) (mean float64) {
			for _, u := range scores {
				mean += o.calibration.Belongs(u, t) / float64(len(scores))
			}
			return mean
		}
		out.Verdicts = append(out.Verdicts, Verdict{
			Strictness: strictness, Accepted: answer.Above(out.Unknown, t), Rejected: 1 - answer.Above(out.Known, t),
			KnownBelong: belong(out.Known), UnknownBelong: belong(out.Unknown),
		})
	}
	out.StatedAccepted, out.StatedRejected, _ = o.calibration.Rates(threshold)
	return out, nil
}

// scored returns the scores of images, [names][classes].
func (w *worker) scored(names []string) ([][]float64, error) {
	all := make([][]float64, len(names))
	for i, name := range names {
		set, err := w.set(name)
		if err != nil {
			return nil, err
		}
		if all[i], err = w.classifier.Scores(nil, set); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return all, nil
}

func (o *calibrated) scoresOf(c Candidate, pictures [][]float64) []float64 {
	values := make([]float64, len(pictures))
	for i, p := range pictures {
		values[i] = c.score(o, p)
	}
	return values
}

// describe sets the moments of the scores of left-out examples for their own class, and of other
// examples for it. If a class has too few examples, it uses the moments of all classes or, finally,
// the prior. It returns all scores for other classes.
func (o *calibrated) describe(left *openset.LeftOut, classes int, prior openset.Prior) (allOthers []float64) {
	own, others := make([][]float64, classes), make([][]float64, classes)
	var allOwn []float64
	for i, c := range left.Class {
		for k, s := range left.Scores[i] {
			switch {
			case k != c:
				others[k], allOthers = append(others[k], s), append(allOthers, s)
			case !math.IsNaN(s):
				own[c], allOwn = append(own[c], s), append(allOwn, s)
			}
		}
	}
	general := momentsOf(allOwn, openset.Normal{Mean: prior.Own, Deviation: 1})
	generalOthers := momentsOf(allOthers, openset.Normal{Mean: prior.Others, Deviation: 1})
	for c := range classes {
		o.own = append(o.own, momentsOf(own[c], general))
		o.others = append(o.others, momentsOf(others[c], generalOthers))
	}
	return allOthers
}

// momentsOf returns the moments of values. It takes the mean of no values, and the deviation of
// fewer than three, from otherwise.
func momentsOf(values []float64, otherwise openset.Normal) openset.Normal {
	if len(values) == 0 {
		return otherwise
	}
	n := normal(values)
	if len(values) < 3 || n.Deviation == 0 {
		n.Deviation = otherwise.Deviation
	}
	return n
}

// farthest returns the highest distance of a class's score from the class's mean, in its standard
// deviations.
func farthest(scores []float64, of []openset.Normal) float64 {
	top := math.Inf(-1)
	for c, s := range scores {
		top = max(top, (s-of[c].Mean)/of[c].Deviation)
	}
	return top
}

func summary(outcomes []openOutcome, strictness []float64) *OpenResult {
	column := func(value func(o *openOutcome) float64) (mean, half float64) {
		values := make([]float64, len(outcomes))
		for i := range outcomes {
			values[i] = value(&outcomes[i])
		}
		return Interval(values)
	}
	r := &OpenResult{}
	for n, c := range Candidates() {
		s := Separation{Name: c.Name, What: c.What}
		s.AUROC, s.Interval = column(func(o *openOutcome) float64 { return o.AUROC[n] })
		s.FPR95, s.FPR95Interval = column(func(o *openOutcome) float64 { return o.FPR95[n] })
		r.Candidates = append(r.Candidates, s)
	}
	b := &r.Balanced
	b.Accepted, b.AcceptedInterval = column(func(o *openOutcome) float64 { return o.Accepted })
	b.Rejected, b.RejectedInterval = column(func(o *openOutcome) float64 { return o.Rejected })
	for i, s := range strictness {
		v := Verdict{Strictness: s}
		v.Accepted, v.AcceptedInterval = column(func(o *openOutcome) float64 { return o.Verdicts[i].Accepted })
		v.Rejected, v.RejectedInterval = column(func(o *openOutcome) float64 { return o.Verdicts[i].Rejected })
		v.KnownBelong, _ = column(func(o *openOutcome) float64 { return o.Verdicts[i].KnownBelong })
		v.UnknownBelong, _ = column(func(o *openOutcome) float64 { return o.Verdicts[i].UnknownBelong })
		r.Verdicts = append(r.Verdicts, v)
	}
	b.StatedAccepted, _ = column(func(o *openOutcome) float64 { return o.StatedAccepted })
	b.StatedRejected, _ = column(func(o *openOutcome) float64 { return o.StatedRejected })
	var known, unknown, own, others []float64
	for i := range outcomes {
		o := &outcomes[i]
		known, unknown = append(known, o.Known...), append(unknown, o.Unknown...)
		own, others = append(own, o.Own...), append(others, o.Others...)
	}
	r.Levels = Levels{
		Own: normal(own).Mean, Others: normal(others).Mean, Threshold: balance(known, unknown),
		Known: normal(known), Unknown: normal(unknown),
	}
	return r
}

// balance returns the threshold at which the shares of rejected known scores and of accepted unknown
// scores are closest.
func balance(known, unknown []float64) float64 {
	best, gap := 0., math.Inf(1)
	sorted := slices.Sorted(slices.Values(known))
	strangers := slices.Sorted(slices.Values(unknown))
	for i, t := range sorted {
		at, _ := slices.BinarySearch(strangers, t)
		missed := float64(i) / float64(len(sorted))
		accepted := 1 - float64(at)/float64(max(len(strangers), 1))
		if d := math.Abs(missed - accepted); d < gap {
			best, gap = t, d
		}
	}
	return best
}
