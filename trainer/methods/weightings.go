package methods

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/deepemd/deepemd/core/match"
)

// Weightings says which node weights there are, for people.
const Weightings = "cross-reference, equal, k-means:K (clusters of nodes, weighted by size) or mean-shift (or mean-shift:BANDWIDTH, else estimated)"

// ParseWeighting returns the node weights of a name: "cross-reference", "equal",
// "k-means:5", "mean-shift", "mean-shift:2.5"; their String gives the name back.
func ParseWeighting(name string) (match.Weighting, error) {
	kind, setting, given := strings.Cut(name, ":")
	switch {
	case kind == "k-means":
		k, err := strconv.Atoi(setting)
		if err != nil || k < 1 {
			return nil, fmt.Errorf("node weights %q: want a number of clusters, such as k-means:5", name)
		}
		return match.KMeans{K: k}, nil
	case kind == "mean-shift" && !given:
		return match.MeanShift{}, nil
	case kind == "mean-shift":
		bandwidth, err := strconv.ParseFloat(setting, 64)
		if err != nil || !(bandwidth > 0) {
			return nil, fmt.Errorf("node weights %q: want a bandwidth above zero, such as mean-shift:2.5, or mean-shift to have it estimated", name)
		}
		return match.MeanShift{Bandwidth: bandwidth}, nil
	}
	weighting, err := match.ParseWeighting(name)
	if err != nil {
		return nil, fmt.Errorf("no node weights %q: want %s", name, Weightings)
	}
	return weighting, nil
}
