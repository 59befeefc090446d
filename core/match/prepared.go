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
	// Raw leaves nodes as they are where DeepEMD centres each by its own mean over
	// channels. It is set before Reset; sets of one match are both raw or neither.
	Raw bool

	set   *embed.Set
	mean  []float32 // [C], mean of the raw nodes
	unit  []float32 // [N, C], each node centred by its own channel mean, norm 1
	norms []float64 // [N], what the centred nodes were divided by
	sizes []float64 // [N], how many nodes each was merged from; nil for 1 each

	packed []float32 // unit as a support, see pack; empty until Pack
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
	p.Pack()
	return p, nil
}

// Pack does the third of the work that only a support needs. A matcher does it
// for every match whose support is not packed.
func (p *Prepared) Pack() {
	p.packed = pack(p.packed, kernel.Best(), p.unit, p.set.N, p.set.C)
}

// Reset prepares another set in the memory of this one, as a query: not packed.
// Errors are those of Prepare; after one, p must be reset again before it is
// matched.
func (p *Prepared) Reset(set *embed.Set) error {
	if err := set.Check(); err != nil {
		return err
	}
	p.set, p.sizes, p.packed = set, nil, p.packed[:0]
	p.mean = resize(p.mean, set.C)
	p.unit = resize(p.unit, set.N*set.C)
	p.norms = resize(p.norms, set.N)
	clear(p.mean)
	share := 1 / float32(set.N)
	for i := range set.N {
		node := set.Node(i)
		norm, ok := normaliseNode(p.unit[i*set.C:][:set.C], node, p.Raw)
		if !ok {
			return notFinite(i, set.N)
		}
		p.norms[i] = norm
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

// Sizes are the numbers of nodes of the picture that each node was merged from,
// [N] (see Grouping), or nil where nodes are the picture's own. They must not be
// modified.
func (p *Prepared) Sizes() []float64 { return p.sizes }

// Mean is the mean of the nodes as they come from the network, [C]. It must not
// be modified.
func (p *Prepared) Mean() []float32 { return p.mean }

// notFinite is the error of a node.
func notFinite(i, n int) error {
	return fmt.Errorf("node %d of %d: %w: the picture or the weights are damaged", i, n, ErrNotFinite)
}

// normaliseNode centres a node by its mean over channels, unless it is to be
// left raw, and divides it by its norm, which it returns. It reports whether
// every value is finite.
func normaliseNode(dst, node []float32, raw bool) (norm float64, ok bool) {
	var mean float64
	if !raw {
		for _, v := range node {
			mean += float64(v)
		}
		mean /= float64(len(node))
	}
	var squares float64
	for _, v := range node {
		d := float64(v) - mean
		squares += d * d
	}
	if math.IsNaN(squares) || math.IsInf(squares, 0) {
		return 0, false
	}
	norm = max(math.Sqrt(squares), epsilon)
	scale := 1 / norm
	for k, v := range node {
		dst[k] = float32((float64(v) - mean) * scale)
	}
	return norm, true
}

// resize returns a slice of length n, the given one where it has the capacity.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}
