package match

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/deepemd/deepemd/core/embed"
)

// KMeans merges a picture's nodes into K clusters, each a node with the weight of its members
// (DeepEMD, Table 2). If K is at least the number of nodes, it equals Equal; if K is 1, it compares
// mean features.
//
// It keeps the best of several k-means++ starts (Arthur and Vassilvitskii, 2007). Each start is
// improved by moving single nodes (Hartigan, 1975), which ends at or below the result of Lloyd's
// algorithm. Seeds are fixed, so clusters are reproducible.
type KMeans struct{ K int }

const (
	kmeansStarts = 16
	kmeansRounds = 300 // maximum per start; five are usual
	// kmeansGain is the least gain of a move, as a share of the total spread. It exceeds rounding
	// errors, which could otherwise move a node back and forth.
	kmeansGain = 1e-12
)

// Weigh implements Weighting.
func (KMeans) Weigh(dst []float64, of, _ *Prepared) { weighGroups(dst, of) }

// String returns "k-means:" and K.
func (k KMeans) String() string { return fmt.Sprintf("k-means:%d", k.K) }

// Merge implements Grouping.
func (k KMeans) Merge(set *embed.Set) (*embed.Set, []float64, error) { return merge(set, k) }

// Labels implements Grouping. It returns an error if K is below 1.
func (k KMeans) Labels(set *embed.Set) ([]int, error) {
	if k.K < 1 {
		return nil, fmt.Errorf("match: k-means with %d clusters: want at least one", k.K)
	}
	x := exchange{n: set.N, d: squaredDistances(set)}
	var best []int
	spread := math.Inf(1)
	for start := range uint64(kmeansStarts) {
		x.seed(k.K, rand.New(rand.NewPCG(start, 0)))
		x.descend()
		if s := x.inertia(); s < spread {
			best, spread = append(best[:0], x.labels...), s
		}
		if x.k == 1 || x.k == set.N {
			break
		}
	}
	return renumber(best), nil
}

// exchange is a clustering of n nodes with squared distances d.
type exchange struct {
	n, k   int
	d      []float64
	labels []int     // [n]
	sizes  []float64 // [k]
	sums   []float64 // [n, k], squared distances from a node to a cluster's members
	pairs  []float64 // [k], squared distances of all ordered pairs of members
}

// seed chooses up to k different nodes, each with a probability proportional to its squared
// distance from the nearest chosen one, and assigns every node to the nearest.
func (x *exchange) seed(k int, rng *rand.Rand) {
	x.labels = slices.Grow(x.labels[:0], x.n)[:x.n]
	clear(x.labels)
	nearest := make([]float64, x.n)
	copy(nearest, x.d[rng.IntN(x.n)*x.n:][:x.n])
	for x.k = 1; x.k < k; x.k++ {
		next := draw(nearest, rng)
		if next < 0 {
			break // all nodes coincide with a chosen one
		}
		for i, d := range x.d[next*x.n:][:x.n] {
			if d < nearest[i] {
				nearest[i], x.labels[i] = d, x.k
			}
		}
	}
	x.sizes, x.pairs = slices.Grow(x.sizes[:0], x.k)[:x.k], slices.Grow(x.pairs[:0], x.k)[:x.k]
	x.sums = slices.Grow(x.sums[:0], x.n*x.k)[:x.n*x.k]
	clear(x.sizes)
	clear(x.sums)
	clear(x.pairs)
	for i, own := range x.labels {
		x.sizes[own]++
		for j, d := range x.d[i*x.n:][:x.n] {
			x.sums[j*x.k+own] += d
		}
	}
	for i, own := range x.labels {
		x.pairs[own] += x.sums[i*x.k+own]
	}
}

// draw returns an index with a probability proportional to its weight, or −1 if all weights are
// zero.
func draw(weights []float64, rng *rand.Rand) int {
	var total float64
	for _, w := range weights {
		total += w
	}
	at, last := rng.Float64()*total, -1
	for i, w := range weights {
		if w > 0 {
			last = i
			if at -= w; at < 0 {
				break
			}
		}
	}
	return last
}

// descend moves nodes to the cluster with the least spread until none moves. A cluster keeps its
// last node.
func (x *exchange) descend() {
	gain := kmeansGain * x.inertia()
	for range kmeansRounds {
		moved := false
		for i, own := range x.labels {
			if x.sizes[own] == 1 {
				continue
			}
			// The decrease of the spread if i leaves its cluster, and the increase if it joins
			// another.
			least := x.sizes[own]/(x.sizes[own]-1)*x.distance(i, own) - gain
			best := own
			for c, size := range x.sizes {
				if c == own {
					continue
				}
				if more := size / (size + 1) * x.distance(i, c); more < least {
					best, least = c, more
				}
			}
			if best != own {
				x.move(i, best)
				moved = true
			}
		}
		if !moved {
			return
		}
	}
}

// move moves a node to another cluster.
func (x *exchange) move(i, to int) {
	from := x.labels[i]
	x.pairs[from] -= 2 * x.sums[i*x.k+from]
	x.pairs[to] += 2 * x.sums[i*x.k+to]
	x.sizes[from]--
	x.sizes[to]++
	for j, d := range x.d[i*x.n:][:x.n] {
		x.sums[j*x.k+from] -= d
		x.sums[j*x.k+to] += d
	}
	x.labels[i] = to
}

// distance returns the squared distance of node i from the mean of cluster c.
func (x *exchange) distance(i, c int) float64 {
	size := x.sizes[c]
	return (x.sums[i*x.k+c] - x.pairs[c]/(2*size)) / size
}

// inertia returns the sum of the squared distances of all nodes from their means.
func (x *exchange) inertia() float64 {
	var sum float64
	for c, size := range x.sizes {
		sum += x.pairs[c] / (2 * size)
	}
	return sum
}
