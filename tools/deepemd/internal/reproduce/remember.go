package reproduce

import (
	"sync"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/match"
	"github.com/deepemd/deepemd/trainer/evaluate"
)

// remembered is a grouping that merges the nodes of each picture once, however
// many episodes the picture is in. It may be used from several goroutines.
type remembered struct {
	match.Grouping
	pictures map[*float32]*merged // by the first value of a picture's features
}

// merged is the result of Merge, once that was asked for.
type merged struct {
	once  sync.Once
	set   *embed.Set
	sizes []float64
	err   error
}

// remember wraps a grouping for the pictures of features.
func remember(g match.Grouping, features evaluate.Features) *remembered {
	r := &remembered{g, make(map[*float32]*merged, len(features))}
	for _, set := range features {
		r.pictures[&set.Data[0]] = new(merged)
	}
	return r
}

// Merge implements match.Grouping. Sets that are no pictures, such as prototypes,
// are merged whenever they come.
func (r *remembered) Merge(set *embed.Set) (*embed.Set, []float64, error) {
	if err := set.Check(); err != nil {
		return nil, nil, err
	}
	m := r.pictures[&set.Data[0]]
	if m == nil {
		return r.Grouping.Merge(set)
	}
	m.once.Do(func() { m.set, m.sizes, m.err = r.Grouping.Merge(set) })
	return m.set, m.sizes, m.err
}
