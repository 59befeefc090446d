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

// Worst returns the example whose removal would improve the others' margins most,
// and ok = false if no removal helps. It passes over examples of classes of two:
// without one, the other could not be left out. Of the rest it tries those with the
// smallest margins, at most tries: each costs as many matches as there are
// examples.
//
// Errors are those of the classifier, which is as in LeaveOneOut.
func Worst(classifier fewshot.Classifier, classes []fewshot.Class, l *LeftOut, tries int) (worst Hurt, ok bool, err error) {
	type place struct{ class, index int }
	var places []place
	for c, class := range classes {
		for i := range class.Support {
			places = append(places, place{c, i})
		}
	}
	var suspects []int
	for i := range l.Class {
		if _, known := l.Margin(i); known && len(classes[l.Class[i]].Support) > 2 {
			suspects = append(suspects, i)
		}
	}
	margin := func(i int) float64 { m, _ := l.Margin(i); return m }
	slices.SortStableFunc(suspects, func(a, b int) int { return cmp.Compare(margin(a), margin(b)) })
	for _, suspect := range suspects[:min(tries, len(suspects))] {
		at := places[suspect]
		rest := fewshot.Class{Name: classes[at.class].Name, Support: slices.Delete(slices.Clone(classes[at.class].Support), at.index, at.index+1)}
		changed := &LeftOut{Class: l.Class, Scores: slices.Clone(l.Scores)}
		if err := fitOne(classifier, rest, classes, at.class); err != nil {
			return worst, false, err
		}
		for i, p := range places {
			if p.class == at.class {
				continue
			}
			scores, err := classifier.Scores(nil, classes[p.class].Support[p.index])
			if err != nil {
				return worst, false, err
			}
			changed.Scores[i] = slices.Clone(l.Scores[i])
			changed.Scores[i][at.class] = scores[0]
		}
		own, err := ownScores(classifier, rest, classes, at.class)
		if err != nil {
			return worst, false, err
		}
		for i, p := range places {
			if p.class != at.class || i == suspect {
				continue
			}
			changed.Scores[i] = slices.Clone(l.Scores[i])
			changed.Scores[i][at.class], own = own[0], own[1:]
		}
		if gain := changed.meanMargin(suspect) - l.meanMargin(suspect); gain > worst.Gain {
			worst, ok = Hurt{suspect, gain}, true
		}
	}
	return worst, ok, nil
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
