package gallery

import (
	"math"
	"slices"

	"github.com/deepemd/deepemd/core/embed"
)

// Limits of learning a codebook.
const (
	learnNodes    = 1 << 14 // at most
	nodesEach     = 32      // minimum per centroid
	centroidSteps = 8
	levelSteps    = 30
	levelValues   = 1 << 16 // at most
)

// learnCodebook returns a codebook for nodes similar to the nodes of sets, which must have at least
// one set and the same number of channels. The result is reproducible.
func learnCodebook(sets []*embed.Set) *codebook {
	channels := sets[0].C
	total := 0
	for _, set := range sets {
		total += set.N
	}
	count := min(total, learnNodes)
	nodes := make([]float32, 0, count*channels)
	seen := 0
	for _, set := range sets {
		for i := range set.N {
			if seen*count/total < (seen+1)*count/total {
				nodes = append(nodes, set.Node(i)...)
			}
			seen++
		}
	}
	b := &codebook{channels: channels, centroids: centroids(nodes, channels, min(maxCentroids, max(1, count/nodesEach)))}
	b.levels = levels(residuals(nodes, channels, b.centroids))
	return b.prepared()
}

// centroids returns the means of k clusters of nodes, [n, channels] (Lloyd's algorithm).
func centroids(nodes []float32, channels, k int) []float32 {
	n := len(nodes) / channels
	means := make([]float32, 0, k*channels)
	for i := range k {
		means = append(means, nodes[i*n/k*channels:][:channels]...)
	}
	at, counts, sums := make([]int, n), make([]int, k), make([]float64, k*channels)
	for range centroidSteps {
		newNearest(means, channels).of(at, nodes)
		clear(counts)
		clear(sums)
		for i, a := range at {
			counts[a]++
			sum := sums[a*channels:][:channels]
			for c, v := range nodes[i*channels:][:channels] {
				sum[c] += float64(v)
			}
		}
		for a, members := range counts {
			for c := range channels {
				if members > 0 { // an empty cluster keeps its mean
					means[a*channels+c] = float32(sums[a*channels+c] / float64(members))
				}
			}
		}
	}
	return means
}

// residuals returns a sample of the differences between nodes and their centroids, each node's
// divided by their root mean square.
func residuals(nodes []float32, channels int, centroids []float32) []float32 {
	n := len(nodes) / channels
	at := make([]int, n)
	newNearest(centroids, channels).of(at, nodes)
	left := make([]float32, channels)
	every := max(1, n*channels/levelValues)
	var values []float32
	for i, a := range at {
		unit := residual(left, nodes[i*channels:][:channels], centroids[a*channels:][:channels])
		if unit == 0 {
			continue
		}
		for c := i % every; c < channels; c += every {
			values = append(values, left[c]/unit)
		}
	}
	return values
}

// levels returns the four values with the least squared error (Lloyd, "Least Squares Quantization
// in PCM", 1982).
func levels(values []float32) [levelCount]float32 {
	levels := [levelCount]float32{-1.5, -0.5, 0.5, 1.5}
	if len(values) == 0 {
		return levels
	}
	slices.Sort(values)
	for k := range levels {
		levels[k] = values[(2*k+1)*len(values)/(2*levelCount)]
	}
	for range levelSteps {
		var sums [levelCount]float64
		var counts [levelCount]int
		edges := edgesOf(levels, 1)
		for _, v := range values {
			k := edges.level(v)
			sums[k] += float64(v)
			counts[k]++
		}
		moved := 0.
		for k, n := range counts {
			if n > 0 {
				mean := float32(sums[k] / float64(n))
				moved = max(moved, math.Abs(float64(mean-levels[k])))
				levels[k] = mean
			}
		}
		if moved < 1e-5 {
			break
		}
	}
	return levels
}
