package openset

import (
	"cmp"
	"slices"

	"github.com/deepemd/deepemd/core/fewshot"
)

// Harm measures the harm of an example to the others.
type Harm struct {
	// Example is the index of the example in LeftOut.
	Example int
	// Gain is the increase in the mean margin of the other left-out examples after removing
	// the example, in logits.
	Gain float64
}

// FindHarmful returns the examples that harm the others, the most harmful first. A harmful
// example is misclassified when it is left out, and removing it raises the mean margin of
// the others. FindHarmful omits an example that is classified correctly after the removal of
// more harmful ones.
//
// The margins are the results of LeftOut.Margin for the answering classifier, NaN if absent.
// FindHarmful skips classes with two examples, because the remaining example could not be left
// out. It tests the examples with the smallest margins, at most tries. Each test costs up to
// two matches per example.
//
// The classifier must meet the requirements of LeaveOneOut. FindHarmful returns the errors of the
// classifier and of pause.
func FindHarmful(classifier fewshot.Classifier, classes []fewshot.Class, l *LeftOut, margins []float64, tries int, pause Pause) (hurting []Harm, err error) {
	all := withAll(classes, l)
	var suspects []Harm
	for i := range l.Class {
		if margins[i] < 0 && len(classes[l.Class[i]].Support) > 2 {
			suspects = append(suspects, Harm{Example: i})
		}
	}
	slices.SortStableFunc(suspects, func(a, b Harm) int { return cmp.Compare(margins[a.Example], margins[b.Example]) })
	suspects = suspects[:min(tries, len(suspects))]
	for i := range suspects {
		s := &suspects[i]
		if _, s.Gain, err = all.without(classifier, s.Example, pause); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(suspects, func(a, b Harm) int { return cmp.Compare(b.Gain, a.Gain) })
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

// remaining holds the examples that have not been removed, and their left-out scores.
type remaining struct {
	classes  []fewshot.Class
	scores   *LeftOut
	examples []int // the index of each in the original list
}

func withAll(classes []fewshot.Class, l *LeftOut) *remaining {
	r := &remaining{classes: classes, scores: l, examples: make([]int, len(l.Class))}
	for i := range r.examples {
		r.examples[i] = i
	}
	return r
}

// without removes an example. It returns the rest and the increase in their mean margin.
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
				if err := pause.call(); err != nil {
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

// meanMargin returns the mean margin of all examples except one.
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
