package match

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/deepemd/deepemd/core/embed"
)

// MeanShift merges a picture's nodes by mean shift with a flat kernel (Comaniciu and Meer, 2002;
// DeepEMD, Table 2), like scikit-learn's MeanShift. Each node moves to the mean of the nodes within
// the bandwidth until it converges to a mode. A mode within a bandwidth of a denser one is dropped,
// and every node joins the nearest mode. A merged node has the weight of its members.
//
// A bandwidth near zero gives Equal; an infinite one compares mean features.
type MeanShift struct {
	// Bandwidth is the radius of the kernel, in units of the features. With 0, EstimateBandwidth
	// estimates it for every picture.
	Bandwidth float64
}

const (
	meanShiftRounds = 300 // maximum per node
	// bandwidthShare is the share of nodes within the estimated bandwidth of a node, as in
	// scikit-learn.
	bandwidthShare = 0.3
)

// Weigh implements Weighting.
func (MeanShift) Weigh(dst []float64, of, _ *Prepared) { weighGroups(dst, of) }

// String returns "mean-shift", followed by a colon and the bandwidth if it is set.
func (s MeanShift) String() string {
	if s.Bandwidth == 0 {
		return "mean-shift"
	}
	return fmt.Sprintf("mean-shift:%g", s.Bandwidth)
}

// Merge implements Grouping.
func (s MeanShift) Merge(set *embed.Set) (*embed.Set, []float64, error) { return merge(set, s) }

// Labels implements Grouping. It returns an error for a negative bandwidth.
func (s MeanShift) Labels(set *embed.Set) ([]int, error) {
	if !(s.Bandwidth >= 0) {
		return nil, fmt.Errorf("match: mean-shift with a bandwidth of %g: want a positive one, or 0 for an estimate", s.Bandwidth)
	}
	c := modeFinder{set: set, n: set.N, d: squaredDistances(set)}
	bandwidth := s.Bandwidth
	if bandwidth == 0 {
		bandwidth = estimateBandwidth(c.d, c.n)
	}
	c.reach = bandwidth * bandwidth
	return renumber(c.join(c.peaks())), nil
}

// EstimateBandwidth returns the mean distance of the farthest node among the nearest 30% of each
// node (including itself, at least one), like scikit-learn's estimate_bandwidth. The set must be
// valid.
func EstimateBandwidth(set *embed.Set) float64 {
	return estimateBandwidth(squaredDistances(set), set.N)
}

func estimateBandwidth(d []float64, n int) float64 {
	near := max(int(bandwidthShare*float64(n)), 1)
	row := make([]float64, n)
	var sum float64
	for i := range n {
		copy(row, d[i*n:][:n])
		slices.Sort(row)
		sum += math.Sqrt(row[near-1])
	}
	return sum / float64(n)
}

// modeFinder finds modes. A mode is the mean of some of the n nodes, represented by their list; d are
// the squared distances between nodes.
type modeFinder struct {
	set   *embed.Set
	n     int
	d     []float64
	reach float64 // bandwidth squared
}

// mode is the mean of members.
type mode struct {
	members []int
	sums    []float64 // [n], mean squared distance of every node from the members
	self    float64   // half the members' mean of sums
}

// peaks returns the modes of all nodes, without those within a bandwidth of a denser one.
func (c *modeFinder) peaks() []mode {
	var ends []mode
	for i := range c.n {
		end := c.ascend(i)
		known := slices.ContainsFunc(ends, func(p mode) bool { return slices.Equal(p.members, end.members) })
		if !known {
			ends = append(ends, end)
		}
	}
	slices.SortStableFunc(ends, func(a, b mode) int {
		return cmp.Or(cmp.Compare(len(b.members), len(a.members)), c.compare(b, a))
	})
	var kept []mode
	for _, p := range ends {
		if !slices.ContainsFunc(kept, func(k mode) bool { return k.squaredDistance(p) <= c.reach }) {
			kept = append(kept, p)
		}
	}
	return kept
}

// ascend moves to the mean of the nodes within reach until it converges.
func (c *modeFinder) ascend(from int) mode {
	at := c.mean([]int{from})
	for range meanShiftRounds {
		var within []int
		for i := range c.n {
			if at.distance(i) <= c.reach {
				within = append(within, i)
			}
		}
		if len(within) == 0 || slices.Equal(within, at.members) {
			break
		}
		at = c.mean(within)
	}
	return at
}

// mean returns the mean of members.
func (c *modeFinder) mean(members []int) mode {
	p := mode{members: members, sums: make([]float64, c.n)}
	share := 1 / float64(len(members))
	for _, j := range members {
		for i, d := range c.d[j*c.n:][:c.n] {
			p.sums[i] += d * share
		}
	}
	for _, j := range members {
		p.self += p.sums[j] * share / 2
	}
	return p
}

// distance returns the squared distance of node i.
func (p mode) distance(i int) float64 { return p.sums[i] - p.self }

// squaredDistance returns the squared distance of two modes.
func (p mode) squaredDistance(q mode) float64 {
	var sum float64
	for _, j := range q.members {
		sum += p.sums[j] / float64(len(q.members))
	}
	return sum - p.self - q.self
}

// compare orders modes by the first coordinate that differs, like scikit-learn for equally dense
// modes.
func (c *modeFinder) compare(a, b mode) int {
	for channel := range c.set.C {
		if order := cmp.Compare(c.coordinate(a, channel), c.coordinate(b, channel)); order != 0 {
			return order
		}
	}
	return 0
}

func (c *modeFinder) coordinate(p mode, channel int) float64 {
	var sum float64
	for _, i := range p.members {
		sum += float64(c.set.Node(i)[channel])
	}
	return sum / float64(len(p.members))
}

// join returns the nearest mode of every node.
func (c *modeFinder) join(peaks []mode) []int {
	labels := make([]int, c.n)
	for i := range labels {
		for k, p := range peaks {
			if p.distance(i) < peaks[labels[i]].distance(i) {
				labels[i] = k
			}
		}
	}
	return labels
}
