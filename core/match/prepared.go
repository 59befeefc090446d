package match

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/internal/kernel"
)

// Errors of sets that cannot be matched; returned errors wrap them.
var (
	// ErrNotFinite says that features are NaN, infinite or too large for
	// float32 arithmetic.
	ErrNotFinite = errors.New("features are not finite")
	// ErrChannels says that two sets come from different networks.
	ErrChannels = errors.New("numbers of channels differ")
)

// MinNorm bounds the norm by which a node is divided from below, as PyTorch's
// cosine_similarity does: a node without variation over its channels is similar
// to nothing instead of undefined.
const MinNorm = 1e-8

// Prepared is a set of local embeddings with everything that matching needs of that
// one picture. It may be matched any number of times, also from several goroutines.
type Prepared struct {
	// Raw leaves out the centring of each node by its own mean over channels, which
	// DeepEMD does. It is set before Reset; sets of one match are both raw or neither.
	Raw bool

	set     *embed.Set
	rows    []float32 // [N + 1, C], each node centred by its own channel mean, norm 1; then the mean of the raw nodes
	centres []float64 // [N], the channel means of the raw nodes; 0 where they are left raw
	norms   []float64 // [N], what the centred nodes were divided by
	total   float64   // the sum of the mean node's channels
	sizes   []float64 // [N], how many nodes each was merged from; nil for 1 each

	packed []float32 // rows as columns, see pack; empty until Pack
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

// Pack does the third of the work that a match needs of one side only: of the
// support, or of the query where many supports are matched with it. The matcher
// packs a side itself where neither is packed.
func (p *Prepared) Pack() {
	p.packed = pack(p.packed, kernel.Best(), p.rows, p.set.N, p.set.C)
}

// Reset prepares another set in the memory of this one, not packed. Errors are
// those of Prepare; after an error, reset p again before matching it.
func (p *Prepared) Reset(set *embed.Set) error {
	if err := set.Check(); err != nil {
		return err
	}
	p.set, p.sizes, p.packed = set, nil, p.packed[:0]
	p.rows = slices.Grow(p.rows[:0], (set.N+1)*set.C)[:(set.N+1)*set.C]
	p.centres = slices.Grow(p.centres[:0], set.N)[:set.N]
	p.norms = slices.Grow(p.norms[:0], set.N)[:set.N]
	mean := p.Mean()
	clear(mean)
	share := 1 / float32(set.N)
	for i := range set.N {
		node := set.Node(i)
		var ok bool
		if p.centres[i], p.norms[i], ok = normaliseNode(p.unit(i), node, p.Raw); !ok {
			return notFinite(i, set.N)
		}
		axpy(mean, share, node)
	}
	p.total = sum(mean)
	return nil
}

// unit is the i-th unit node, [C].
func (p *Prepared) unit(i int) []float32 { return p.rows[i*p.set.C:][:p.set.C] }

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

// Mean is the mean of the raw nodes, [C]. It must not be modified.
func (p *Prepared) Mean() []float32 { return p.unit(p.set.N) }

// Cosine is the cosine of the two sets' mean nodes, each centred by its own mean
// over channels, whatever Raw says: a rough estimate of their match, for the price
// of one node. Both sets must have the same number of channels.
func (p *Prepared) Cosine(q *Prepared) float64 {
	inner := float64(dot(p.Mean(), q.Mean())) - p.total*q.total/float64(p.C())
	return inner / (p.extent() * q.extent())
}

// extent is the norm of the centred mean node.
func (p *Prepared) extent() float64 {
	return max(math.Sqrt(spread(p.Mean(), p.total/float64(p.C()))), MinNorm)
}

// notFinite is the error of a node.
func notFinite(i, n int) error {
	return fmt.Errorf("node %d of %d: %w: the picture or the weights are damaged", i, n, ErrNotFinite)
}

// normaliseNode centres a node by its mean over channels, unless the set is raw,
// and divides it by its norm. It returns both, and reports whether every value is
// finite.
func normaliseNode(dst, node []float32, raw bool) (centre, norm float64, ok bool) {
	if !raw {
		centre = sum(node) / float64(len(node))
	}
	squares := spread(node, centre)
	if math.IsNaN(squares) || math.IsInf(squares, 0) {
		return 0, 0, false
	}
	norm = max(math.Sqrt(squares), MinNorm)
	standardise(dst, node, centre, 1/norm)
	return centre, norm, true
}
