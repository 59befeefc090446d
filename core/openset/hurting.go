package openset

import (
	"cmp"
	"slices"

	"github.com/deepemd/deepemd/core/fewshot"
)

// Hurt says how much an example harms the others.
type Hurt struct {
	// Example is its number in the order of LeftOut.
	Example int
	// Gain is the rise in the mean margin of the other left-out examples without
	// it, in logits.
	Gain float64
}

// Hurting returns the examples that harm the others, the most harmful first: those that
// are taken for another class when they are left out, and whose removal raises the
// others' mean margin. One that gets ahead, by the scores of l, once more harmful ones
// are gone is only their victim, and is not among them.
//
// The margins are those of the answers, as LeftOut.Margin has them; NaN where there is
// none. It passes over examples of classes of two: without one, the other could not be
// left out. It tries the examples with the smallest margins, at most tries: each costs
// up to twice as many matches as there are examples.
//
// It returns the errors of the classifier, which is as in LeaveOneOut, and of pause.
func Hurting(classifier fewshot.Classifier, classes []fewshot.Class, l *LeftOut, margins []float64, tries int, pause Pause) (hurting []Hurt, err error) {
	all := whole(classes, l)
	var suspects []Hurt
	for i := range l.Class {
		if margins[i] < 0 && len(classes[l.Class[i]].Support) > 2 {
			suspects = append(suspects, Hurt{Example: i})
		}
	}
	slices.SortStableFunc(suspects, func(a, b Hurt) int { return cmp.Compare(margins[a.Example], margins[b.Example]) })
	suspects = suspects[:min(tries, len(suspects))]
	for i := range suspects {
		s := &suspects[i]
		if _, s.Gain, err = all.without(classifier, s.Example, pause); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(suspects, func(a, b Hurt) int { return cmp.Compare(b.Gain, a.Gain) })
	left := all
	for _, s := range suspects {
		at := slices.Index(left.examples, s.Example)
		before, _ := l.Margin(s.Example)
		now, known := left.scores.Margin(at)
		victim := now > max(before, 0)
		if s.Gain <= 0 || !known || victim || len(left.classes[l.Class[s.Example]].Support) <= 2 {
			continue
		}
		rest, gain, err := left.without(classifier, at, pause)
		if err != nil {
			return nil, err
		}
		if gain > 0 {
			left, hurting = rest, append(hurting, s)
		}
	}
	return hurting, nil
}

// remaining are examples that are left of others, with their scores when each of them
// is left out.
type remaining struct {
	classes  []fewshot.Class
	scores   *LeftOut
	examples []int // the number of each among all
}

func whole(classes []fewshot.Class, l *LeftOut) *remaining {
	r := &remaining{classes: classes, scores: l, examples: make([]int, len(l.Class))}
	for i := range r.examples {
		r.examples[i] = i
	}
	return r
}

// without is what remains without an example, and the rise in the others' mean margin.
func (r *remaining) without(classifier fewshot.Classifier, example int, pause Pause) (rest *remaining, gain float64, err error) {
	changed := r.scores.Class[example]
	index := example - slices.Index(r.scores.Class, changed)
	class := fewshot.Class{Name: r.classes[changed].Name, Support: slices.Delete(slices.Clone(r.classes[changed].Support), index, index+1)}
	rest = &remaining{classes: slices.Clone(r.classes), examples: slices.Delete(slices.Clone(r.examples), example, example+1)}
	rest.classes[changed] = class
	rest.scores = &LeftOut{
		Class:  slices.Delete(slices.Clone(r.scores.Class), example, example+1),
		Scores: slices.Delete(slices.Clone(r.scores.Scores), example, example+1),
	}
	own, err := ownScores(classifier, class, rest.classes, changed, pause)
	if err != nil {
		return nil, 0, err
	}
	if err := fitOne(classifier, class, rest.classes, changed); err != nil {
		return nil, 0, err
	}
	at := 0
	for c, other := range rest.classes {
		for i, support := range other.Support {
			row := slices.Clone(rest.scores.Scores[at])
			if c == changed {
				row[c] = own[i]
			} else {
				scores, err := classifier.Scores(nil, support)
				if err != nil {
					return nil, 0, err
				}
				if err := pause.take(); err != nil {
					return nil, 0, err
				}
				row[changed] = scores[0]
			}
			rest.scores.Scores[at] = row
			at++
		}
	}
	return rest, rest.scores.meanMargin(-1) - r.scores.meanMargin(example), nil
}

// meanMargin is that of all examples but one.
func (l *LeftOut) meanMargin(without int) float64 {
	var margins []float64
	for i := range l.Class {
		if m, ok := l.Margin(i); ok && i != without {
			margins = append(margins, m)
		}
	}
	if len(margins) == 0 {
		return 0
	}
	return mean(margins)
}
