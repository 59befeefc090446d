package evaluate

import (
	"fmt"

	"github.com/deepemd/deepemd/core/match"
)

// Clusters says how many nodes pictures have after a weighting has merged them.
type Clusters struct {
	Mean  float64 `json:"mean"`
	Least int     `json:"least"`
	Most  int     `json:"most"`
}

// CountClusters counts them; nil where the weighting merges none.
func CountClusters(features Features, weighting match.Weighting) (*Clusters, error) {
	grouping, ok := weighting.(match.Grouping)
	if !ok || len(features) == 0 {
		return nil, nil
	}
	var c Clusters
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
func (c *Clusters) String() string {
	return fmt.Sprintf("%.1f clusters a picture (%d to %d)", c.Mean, c.Least, c.Most)
}
