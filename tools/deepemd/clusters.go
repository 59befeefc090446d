package main

import (
	"fmt"

	"github.com/deepemd/deepemd/core/match"
	"github.com/deepemd/deepemd/trainer/measure/evaluate"
)

// clusters says how many nodes pictures have after a weighting has merged them.
type clusters struct {
	Mean  float64 `json:"mean"`
	Least int     `json:"least"`
	Most  int     `json:"most"`
}

// countClusters counts them; nil where the weighting merges none.
func countClusters(features evaluate.Features, weighting match.Weighting) (*clusters, error) {
	grouping, ok := weighting.(match.Grouping)
	if !ok || len(features) == 0 {
		return nil, nil
	}
	var c clusters
	for name, set := range features {
		merged, _, err := grouping.Merge(set)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		c.Mean += float64(merged.N) / float64(len(features))
		c.Most = max(c.Most, merged.N)
		if c.Least == 0 || merged.N < c.Least {
			c.Least = merged.N
		}
	}
	return &c, nil
}

// String says it for people.
func (c *clusters) String() string {
	return fmt.Sprintf("%.1f clusters a picture (%d to %d)", c.Mean, c.Least, c.Most)
}
