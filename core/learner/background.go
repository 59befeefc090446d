package learner

import (
	"math"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/core/openset"
)

// A background class contains examples that belong to no class, such as the empty scene in
// front of a camera. It has no score and never wins; it only rejects.

// AddBackgroundClass adds a background class without examples. The other methods accept its
// id like any class's. A learner may have several background classes, for different scenes.
//
// # Errors
//
// The same as AddClass.
func (l *Learner) AddBackgroundClass(id, label string) error {
	return l.edit(func(m *Model) error {
		return m.addClass(&class{id: id, label: label, background: true})
	})
}

// BackgroundLabel is the label of the class that AddBackground adds.
const BackgroundLabel = "nothing"

// AddBackground adds an example to the first background class, and creates the class if
// necessary. It combines AddBackgroundClass and AddExample for programs that do not use ids.
//
// # Errors
//
// The same as Add.
func (l *Learner) AddBackground(p Picture) error {
	in := l.Model().net.open(p)
	return l.edit(func(m *Model) error { return m.addTo(BackgroundLabel, true, in) })
}

// IsBackground reports whether a class is a background class.
func (l *Learner) IsBackground(id string) bool {
	m := l.Model()
	i := m.find(id)
	return i >= 0 && m.classes[i].background
}

// enabled returns the enabled classes with examples that are background classes or not.
func (m *Model) enabled(background bool) (list []*class) {
	for _, c := range m.classes {
		if c.background == background && !c.disabled && len(c.examples) > 0 {
			list = append(list, c)
		}
	}
	return list
}

// rejection decides whether a background class claims an image.
type rejection struct {
	classes    []*class
	classifier *fewshot.Prototype
	boundary   openset.Boundary
	known      []leftOut // left-out examples of the fitted classes
	unknown    []leftOut // left-out background examples
	logits     []float64
}

// leftOut is an openset.Sighting of a left-out example, with the most similar class of the
// other kind.
type leftOut struct {
	openset.Sighting
	rival *class
}

// background returns the id of the background class that claims an image with the given
// familiarity, or "".
func (r *rejection) background(query *embed.Set, familiarity float64) (string, error) {
	if len(r.classes) == 0 {
		return "", nil
	}
	var err error
	if r.logits, err = r.classifier.Scores(r.logits, query); err != nil {
		return "", err
	}
	best := fewshot.Ranking(r.logits)[0]
	if !(r.boundary.Excess(openset.Sighting{Nothing: r.logits[best], Familiarity: familiarity}) >= 0) {
		return "", nil
	}
	return r.classes[best].id, nil
}

// learnBackground adds the rejection to a calibration of the left-out examples.
func (m *Model) learnBackground(c *calibrated, j *job) (err error) {
	r := &c.rejection
	if r.classes = m.enabled(true); len(r.classes) == 0 {
		return nil
	}
	if r.classifier, err = m.scale(); err != nil {
		return err
	}
	r.classifier.Balance = false // background classes do not compete by size
	empty := supportOf(r.classes)
	own, err := openset.LeaveOneOut(r.classifier, empty, j.pause)
	if err != nil {
		return err
	}
	at := 0
	for _, class := range m.fitted {
		for _, e := range class.examples {
			scores, err := r.classifier.Scores(nil, e.set)
			if err == nil {
				err = j.pause()
			}
			if err != nil {
				return err
			}
			best := fewshot.Ranking(scores)[0]
			r.known = append(r.known, leftOut{openset.Sighting{Nothing: scores[best], Familiarity: c.calibration.Own(c.left, at)}, r.classes[best]})
			at++
		}
	}
	at = 0
	for _, class := range r.classes {
		for _, e := range class.examples {
			scores, err := c.classifier.Scores(nil, e.set)
			if err == nil {
				err = j.pause()
			}
			if err != nil {
				return err
			}
			// NaN if there is no other background example: openset.Divide has a prior.
			best := math.NaN()
			for _, s := range own.Scores[at] {
				if !math.IsNaN(s) && !(best > s) {
					best = s
				}
			}
			rival := m.fitted[fewshot.Ranking(scores)[0]]
			r.unknown = append(r.unknown, leftOut{openset.Sighting{Nothing: best, Familiarity: c.calibration.Score(scores)}, rival})
			at++
		}
	}
	r.boundary = openset.Divide(sightings(r.known), sightings(r.unknown))
	return nil
}

func sightings(list []leftOut) []openset.Sighting {
	plain := make([]openset.Sighting, len(list))
	for i, s := range list {
		plain[i] = s.Sighting
	}
	return plain
}

// review adds the background classes to a review. An example that a background class would
// claim counts as background; a background example that would not be claimed counts as the
// most similar class. Background examples have no problems or twins, because images of one
// scene look alike and may all be dark.
func (r *rejection) review(to *answer.Review) {
	for i, s := range r.known {
		excess := r.boundary.Excess(s.Sighting)
		if e := &to.Examples[i]; e.Taken != "" && excess >= 0 {
			e.Taken, e.Margin = s.rival.id, -excess
		}
	}
	at := 0
	for _, c := range r.classes {
		for _, example := range c.examples {
			e, s := answer.ReviewedExample{ID: example.id, ClassID: c.id}, r.unknown[at]
			if !math.IsNaN(s.Nothing) {
				if e.Taken, e.Margin = c.id, r.boundary.Excess(s.Sighting); e.Margin < 0 {
					e.Taken = s.rival.id
				}
			}
			to.Examples = append(to.Examples, e)
			at++
		}
	}
}
