package fewshot

import (
	"fmt"
	"slices"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/match"
)

// LocalNearest is DN4 (Li et al., "Revisiting Local Descriptor based Image-to-Class
// Measure for Few-shot Learning", 2019). For every node of the query, it finds the K nodes
// with the highest cosine among all examples of a class, without centering. The class's score
// is T times the mean cosine, where the paper has the sum.
//
// Repeating an example increases the score of its class. The zero value is ready for use.
type LocalNearest struct {
	plain

	// K is the number of neighbors, at most the number of nodes of the class; the default
	// is 3.
	K int
	// Temperature is T; the default is method.Temperature.
	Temperature float64

	classes []*match.Prepared
	query   match.Prepared
	cosines match.Cosines
	nearest []float32 // best first
}

// Fit implements Classifier. Examples may have different numbers of nodes. Fit also returns
// an error for a negative K.
func (l *LocalNearest) Fit(classes []Class) error {
	l.classes = nil
	if l.K < 0 {
		return fmt.Errorf("fewshot: %d nearest descriptors: want at least one, or 0 for the default of 3", l.K)
	}
	if err := checkSupport(classes); err != nil {
		return err
	}
	all := make([]*match.Prepared, len(classes))
	for i, class := range classes {
		sets, err := union(class)
		if err != nil {
			return err
		}
		all[i] = &match.Prepared{Raw: true}
		if err := all[i].Reset(sets[0]); err != nil {
			return culprit(new(match.Matcher), class, err)
		}
		all[i].Pack()
	}
	l.classes = all
	return nil
}

// Scores implements Classifier.
func (l *LocalNearest) Scores(dst []float64, query *embed.Set) ([]float64, error) {
	if l.classes == nil {
		return nil, errUnfitted()
	}
	l.query.Raw = true
	if err := l.query.Reset(query); err != nil {
		return nil, fmt.Errorf("fewshot: query: %w", err)
	}
	if err := sameChannels(query, l.classes[0].C()); err != nil {
		return nil, err
	}
	dst = slices.Grow(dst[:0], len(l.classes))[:len(l.classes)]
	for i, class := range l.classes {
		k := l.K
		if k == 0 {
			k = 3
		}
		k = min(k, class.N())
		cosines, stride := l.cosines.Of(&l.query, class)
		var sum float64
		for n := range query.N {
			sum += l.top(k, cosines[n*stride:][:class.N()])
		}
		dst[i] = temperature(l.Temperature) * sum / float64(query.N*k)
	}
	return dst, nil
}

// top returns the sum of the k largest values.
func (l *LocalNearest) top(k int, values []float32) (sum float64) {
	l.nearest = l.nearest[:0]
	for _, v := range values {
		if len(l.nearest) == k {
			if v <= l.nearest[k-1] {
				continue
			}
			l.nearest = l.nearest[:k-1]
		}
		at := len(l.nearest)
		l.nearest = append(l.nearest, v)
		for ; at > 0 && l.nearest[at-1] < v; at-- {
			l.nearest[at] = l.nearest[at-1]
		}
		l.nearest[at] = v
	}
	for _, v := range l.nearest {
		sum += float64(v)
	}
	return sum
}
