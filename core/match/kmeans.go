package match

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/deepemd/deepemd/core/embed"
)

// KMeans merges a picture's nodes into K clusters, each a node that weighs as much
// as it has members (DeepEMD, Table 2). With K as many as there are nodes, or
// more, it is Equal; with one it compares mean features.
//
// Clusters are the best of several starts by k-means++ (Arthur and Vassilvitskii,
// 2007). Each start is improved by moving single nodes while that helps (Hartigan,
// 1975), and so ends where Lloyd's algorithm would, or lower. Seeds are fixed: the
// same picture has the same clusters everywhere.
type KMeans struct{ K int }

const (
	kmeansStarts = 16
	kmeansRounds = 300 // over all nodes, at most, of each start; five are usual
	// kmeansGain is the share of a picture's spread that a move must gain: above
	// rounding, which could otherwise move a node back and forth.
	kmeansGain = 1e-12
)

// Weigh implements Weighting.
func (KMeans) Weigh(dst []float64, of, _ *Prepared) { weighGroups(dst, of) }

// String returns "k-means:" and K.
func (k KMeans) String() string { return fmt.Sprintf("k-means:%d", k.K) }

// Merge implements Grouping.
func (k KMeans) Merge(set *embed.Set) (*embed.Set, []float64, error) { return merge(set, k) }

// Labels implements Grouping. It returns an error where K is below 1.
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
		if s := x.spread(); s < spread {
			best, spread = append(best[:0], x.labels...), s
		}
		if x.k == 1 || x.k == set.N {
			break // every node is alone
		}
	}
	return renumber(best), nil
}

// exchange is one run on n nodes of the squared distances d.
type exchange struct {
	n, k   int
	d      []float64
	labels []int     // [n]
	sizes  []float64 // [k]
	sums   []float64 // [n, k], of the squared distances from a node to a cluster's members
	pairs  []float64 // [k], sum of that over the members: all ordered pairs
}

// seed chooses up to k different nodes, each with a probability in proportion to
// its squared distance from those already chosen, and puts every node with the
// nearest.
func (x *exchange) seed(k int, rng *rand.Rand) {
	x.labels = slices.Grow(x.labels[:0], x.n)[:x.n]
	clear(x.labels)
	nearest := make([]float64, x.n)
	copy(nearest, x.d[rng.IntN(x.n)*x.n:][:x.n])
	for x.k = 1; x.k < k; x.k++ {
		next := draw(nearest, rng)
		if next < 0 {
			break // all nodes lie where one was chosen
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

// draw returns an index with a probability in proportion to its weight, −1 if all
// weights are zero.
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

// descend moves nodes, each to where the spread becomes least, until none moves.
// No cluster loses its last node: it lies on its own mean.
func (x *exchange) descend() {
	gain := kmeansGain * x.spread()
	for range kmeansRounds {
		moved := false
		for i, own := range x.labels {
			if x.sizes[own] == 1 {
				continue
			}
			// Without i its cluster's spread is less by this, with i another's more.
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

// move puts a node into another cluster.
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

// distance is the squared one of a node from a cluster's mean.
func (x *exchange) distance(i, c int) float64 {
	size := x.sizes[c]
	return (x.sums[i*x.k+c] - x.pairs[c]/(2*size)) / size
}

// spread is the sum of the squared distances of all nodes from their means.
func (x *exchange) spread() float64 {
	var sum float64
	for c, size := range x.sizes {
		sum += x.pairs[c] / (2 * size)
	}
	return sum
}
