package match

import (
	"math"

	"github.com/deepemd/deepemd/core/embed"
)

// Grouping is a weighting that first merges similar nodes. A merged node is the mean of its group,
// with the total weight of its members (the clusterings of DeepEMD, Table 2). Matcher.Prepare and
// Matcher.Reset apply it.
type Grouping interface {
	Weighting

	// Labels returns the group of every node, [N]. Groups are numbered from 0 by their first
	// members, and none is empty.
	//
	// It returns an error for invalid settings. The set must be valid and finite.
	Labels(set *embed.Set) ([]int, error)

	// Merge returns the set of the group means, and the number of nodes in each group. The region
	// of a merged node is the bounding box of its members' regions.
	//
	// It returns an error that wraps embed.ErrSet or ErrNotFinite for an invalid set, and the same
	// errors as Labels.
	Merge(set *embed.Set) (merged *embed.Set, sizes []float64, err error)
}

// merge implements Merge for every grouping. It is called through the interface only, so programs
// without groupings do not link it.
func merge(set *embed.Set, grouping Grouping) (*embed.Set, []float64, error) {
	if err := set.Check(); err != nil {
		return nil, nil, err
	}
	for i := range set.N {
		for _, v := range set.Node(i) {
			if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
				return nil, nil, notFinite(i, set.N)
			}
		}
	}
	labels, err := grouping.Labels(set)
	if err != nil {
		return nil, nil, err
	}
	var sizes []float64
	for _, group := range labels {
		if group == len(sizes) {
			sizes = append(sizes, 0)
		}
		sizes[group]++
	}
	merged := &embed.Set{N: len(sizes), C: set.C, Data: make([]float32, len(sizes)*set.C)}
	sum := make([]float64, set.C)
	for group, size := range sizes {
		clear(sum)
		for i, label := range labels {
			if label == group {
				for c, v := range set.Node(i) {
					sum[c] += float64(v)
				}
			}
		}
		for c, v := range sum {
			merged.Node(group)[c] = float32(v / size)
		}
	}
	if set.Regions != nil {
		merged.Regions = mergeRegions(set.Regions, labels, len(sizes))
	}
	return merged, sizes, nil
}

// mergeRegions returns the bounding box of each group's regions.
func mergeRegions(regions []embed.Region, labels []int, groups int) []embed.Region {
	merged := make([]embed.Region, groups)
	seen := 0
	for i, r := range regions {
		if labels[i] == seen {
			merged[seen] = r
			seen++
			continue
		}
		m := &merged[labels[i]]
		m.X0, m.Y0, m.X1, m.Y1 = min(m.X0, r.X0), min(m.Y0, r.Y0), max(m.X1, r.X1), max(m.Y1, r.Y1)
	}
	return merged
}

// weighGroups weighs every node by the number of its members. The weight includes the slack that
// normalization would add for each member, so merging equal nodes changes no weight.
func weighGroups(dst []float64, of *Prepared) {
	for i := range dst {
		dst[i] = 1
		if of.sizes != nil {
			dst[i] = of.sizes[i] + (of.sizes[i]-1)*slack
		}
	}
}

// renumber numbers groups by their first members, in place.
func renumber(labels []int) []int {
	number := map[int]int{}
	for i, label := range labels {
		if _, ok := number[label]; !ok {
			number[label] = len(number)
		}
		labels[i] = number[label]
	}
	return labels
}

// squaredDistances returns the squared distances between all nodes, [N, N]. Clustering needs no
// other data: the squared distance of node i from the mean of group G is Σ_j∈G d²_ij/|G| − Σ_jl∈G
// d²_jl/(2|G|²).
func squaredDistances(set *embed.Set) []float64 {
	d := make([]float64, set.N*set.N)
	for i := range set.N {
		a := set.Node(i)
		for j := range i {
			var sum float64
			for c, v := range set.Node(j) {
				difference := float64(a[c]) - float64(v)
				sum += difference * difference
			}
			d[i*set.N+j], d[j*set.N+i] = sum, sum
		}
	}
	return d
}
