package learner

import (
	"math"

	"github.com/deepemd/deepemd/core/answer"
	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/fewshot"
	"github.com/deepemd/deepemd/core/openset"
)

// A class of nothing holds examples of what belongs to no class, such as the empty
// scene before a camera. It never wins and has no score: it only says no.

// AddNothing adds a class of nothing, without examples. Everything else that is done
// to classes is done to it by its id. A learner may have several, for several scenes.
// The errors are those of AddClass.
func (l *Learner) AddNothing(id, label string) error {
	return l.add(&class{id: id, label: label, nothing: true})
}

// NothingLabel is the label of the class that TeachNothing adds.
const NothingLabel = "nothing"

// TeachNothing adds an example to the first class of nothing, which it adds where
// there is none. It is AddNothing and AddExample for programs that need no ids.
//
// Errors: "bad-image", after which nothing has changed.
func (l *Learner) TeachNothing(picture Picture) error {
	return l.teach(NothingLabel, true, picture)
}

// nothing lists the enabled classes of nothing that have examples.
func (l *Learner) nothing() (list []*class) {
	for _, c := range l.classes {
		if c.nothing && !c.disabled && len(c.examples) > 0 {
			list = append(list, c)
		}
	}
	return list
}

// nothing is what the classes of nothing claim.
type nothing struct {
	classes    []*class
	classifier *fewshot.Prototype
	border     openset.Border
	known      []sighting // of the examples of the fitted classes, left out
	unknown    []sighting // of the examples of nothing, likewise
	logits     []float64
}

// sighting is that of a left-out example, with the class that it would be taken for
// among those of the other kind.
type sighting struct {
	openset.Sighting
	rival *class
}

// beyond is by how much an example looks more like nothing than like a class.
func (n *nothing) beyond(s sighting) float64 { return s.Nothing - s.Familiarity - n.border.Level }

// claim returns the id of the class of nothing that claims a picture of the given
// familiarity, "" for none.
func (n *nothing) claim(query *embed.Set, familiarity float64) (string, error) {
	if len(n.classes) == 0 {
		return "", nil
	}
	var err error
	if n.logits, err = n.classifier.Scores(n.logits, query); err != nil {
		return "", err
	}
	best := fewshot.Ranking(n.logits)[0]
	if !n.border.Beyond(openset.Sighting{Nothing: n.logits[best], Familiarity: familiarity}) {
		return "", nil
	}
	return n.classes[best].id, nil
}

// calibrateNothing learns what the classes of nothing claim. The classifier is fitted
// to the other classes, which left, contrast and calibration are of.
func (l *Learner) calibrateNothing(classifier fewshot.Classifier, contrast *openset.Contrast, calibration *openset.Calibration, left *openset.LeftOut) (n nothing, err error) {
	if n.classes = l.nothing(); len(n.classes) == 0 {
		return n, nil
	}
	if n.classifier, err = l.scale(); err != nil {
		return n, err
	}
	n.classifier.Balance = false // their size must not hold the others back
	empty := supportOf(n.classes)
	own, err := openset.LeaveOneOut(n.classifier, empty)
	if err != nil {
		return n, err
	}
	if err := n.classifier.Fit(empty); err != nil {
		return n, err
	}
	at := 0
	for _, class := range l.fitted {
		for _, ex := range class.examples {
			scores, err := n.classifier.Scores(nil, ex.set)
			if err != nil {
				return n, err
			}
			best := fewshot.Ranking(scores)[0]
			n.known = append(n.known, sighting{openset.Sighting{Nothing: scores[best], Familiarity: calibration.Own(left, at)}, n.classes[best]})
			at++
		}
	}
	at = 0
	for _, class := range n.classes {
		for _, ex := range class.examples {
			scores, err := classifier.Scores(nil, ex.set)
			if err != nil {
				return n, err
			}
			// NaN where no other example is there: the border has a prior.
			best := math.NaN()
			for _, s := range own.Scores[at] {
				if !math.IsNaN(s) && !(best > s) {
					best = s
				}
			}
			rival := l.fitted[fewshot.Ranking(scores)[0]]
			contrast.Add(scores, ex.set)
			n.unknown = append(n.unknown, sighting{openset.Sighting{Nothing: best, Familiarity: calibration.Score(scores)}, rival})
			at++
		}
	}
	n.border = openset.Divide(sightings(n.known), sightings(n.unknown))
	return n, nil
}

func sightings(list []sighting) []openset.Sighting {
	plain := make([]openset.Sighting, len(list))
	for i, s := range list {
		plain[i] = s.Sighting
	}
	return plain
}

// IsNothing reports whether a class is one of nothing.
func (l *Learner) IsNothing(id string) bool {
	i := l.find(id)
	return i >= 0 && l.classes[i].nothing
}

// review adds to a review what examples of nothing say. An example of a class is taken
// for nothing where that would claim it; an example of nothing that would not be
// claimed is taken for the class that it is most like. What all examples of a scene
// have in common, that they look alike or are dark, is no flaw of theirs.
func (n *nothing) review(r *answer.Review) {
	for i, s := range n.known {
		if e := &r.Examples[i]; e.Taken != "" && n.beyond(s) >= 0 {
			e.Taken, e.Margin = s.rival.id, -n.beyond(s)
		}
	}
	at := 0
	for _, c := range n.classes {
		for _, example := range c.examples {
			e, s := answer.ReviewedExample{ID: example.id, ClassID: c.id}, n.unknown[at]
			if !math.IsNaN(s.Nothing) {
				if e.Taken, e.Margin = c.id, n.beyond(s); e.Margin < 0 {
					e.Taken = s.rival.id
				}
			}
			r.Examples = append(r.Examples, e)
			at++
		}
	}
}
