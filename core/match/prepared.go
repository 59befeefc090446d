package match

import (
	"errors"
	"fmt"
	"math"

	"deepemd/core/embed"
	"deepemd/core/kernel"
)

// Errors of sets that cannot be matched; returned errors wrap them.
var (
	// ErrNotFinite says that features are NaN, infinite or too large for
	// float32 arithmetic.
	ErrNotFinite = errors.New("features are not finite")
	// ErrChannels says that two sets come from different networks.
	ErrChannels = errors.New("numbers of channels differ")
)

// epsilon bounds the norm by which a node is divided from below, as PyTorch's
// cosine_similarity does: a node without variation over its channels is similar
// to nothing instead of undefined.
const epsilon = 1e-8

// Prepared is a set of local embeddings with what matching needs of that one
// picture. It may be matched any number of times, also from several goroutines.
type Prepared struct {
	set  *embed.Set
	mean []float32 // [C], mean of the raw nodes
	unit []float32 // [N, C], each node centred by its own channel mean, norm 1

	packed []float32 // unit as a support, see pack; nil where Reset prepared the set
}

// Prepare prepares a set. The set's data must not change afterwards.
//
// It returns an error that wraps embed.ErrSet when the set is empty or
// malformed, and ErrNotFinite, with the node's number, for NaN and infinities.
func Prepare(set *embed.Set) (*Prepared, error) {
	p := new(Prepared)
	if err := p.Reset(set); err != nil {
		return nil, err
	}
	p.packed = pack(nil, kernel.Best(), p.unit, set.N, set.C)
	return p, nil
}

// Reset prepares another set in the memory of this one, as a query: it saves
// the third of the work that only a support needs, which a matcher then does
// for every match that has p for its support. Errors are those of Prepare;
// after one, p must be reset again before it is matched.
func (p *Prepared) Reset(set *embed.Set) error {
	if err := set.Check(); err != nil {
		return err
	}
	p.set, p.packed = set, nil
	p.mean = resize(p.mean, set.C)
	p.unit = resize(p.unit, set.N*set.C)
	clear(p.mean)
	share := 1 / float32(set.N)
	for i := range set.N {
		node := set.Node(i)
		if !normaliseNode(p.unit[i*set.C:][:set.C], node) {
			return fmt.Errorf("node %d of %d: %w: the picture or the weights are damaged", i, set.N, ErrNotFinite)
		}
		for k, v := range node {
			p.mean[k] += v * share
		}
	}
	return nil
}

// N is the number of nodes.
func (p *Prepared) N() int { return p.set.N }

// C is the number of channels.
func (p *Prepared) C() int { return p.set.C }

// Set is the set that was prepared.
func (p *Prepared) Set() *embed.Set { return p.set }

// Mean is the mean of the nodes as they come from the network, [C]. It must not
// be modified.
func (p *Prepared) Mean() []float32 { return p.mean }

// normaliseNode centres a node by its mean over channels and divides it by its
// norm. It reports whether every value is finite.
func normaliseNode(dst, node []float32) bool {
	var sum float64
	for _, v := range node {
		sum += float64(v)
	}
	mean := sum / float64(len(node))
	var squares float64
	for _, v := range node {
		d := float64(v) - mean
		squares += d * d
	}
	if math.IsNaN(squares) || math.IsInf(squares, 0) {
		return false
	}
	scale := 1 / max(math.Sqrt(squares), epsilon)
	for k, v := range node {
		dst[k] = float32((float64(v) - mean) * scale)
	}
	return true
}

// resize returns a slice of length n, the given one where it has the capacity.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}
