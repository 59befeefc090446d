package match

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/internal/kernel"
)

// Errors for sets that cannot be matched, for errors.Is.
var (
	// ErrNotFinite reports features that are NaN, infinite or too large for float32 arithmetic.
	ErrNotFinite = errors.New("features are not finite or too large")
	// ErrChannels reports sets from different networks.
	ErrChannels = errors.New("numbers of channels differ")
)

// longest is the maximum squared length of a node. The product of a node and the mean of others, the
// weight in CrossReference, is then finite in float32.
const longest = math.MaxFloat32 / 2

// MinNorm is the least divisor of a node, as in PyTorch's cosine_similarity: a node without
// variation over its channels has similarity zero.
const MinNorm = 1e-8

// Prepared is a set of local embeddings with all computations for matching that depend on one
// picture only. It is safe for concurrent use.
type Prepared struct {
	// Raw disables the centering of each node by its mean over channels. Set it before Reset; both
	// sets of a match must agree.
	Raw bool

	set     *embed.Set
	rows    []float32 // [N + 1, C]: nodes centered by their channel means, with norm 1; then the mean of the raw nodes
	centers []float64 // [N], channel means of the raw nodes; 0 if Raw
	norms   []float64 // [N], norms of the centered nodes, at least MinNorm
	total   float64   // sum of the mean node's channels
	sizes   []float64 // [N], numbers of merged nodes; nil if all are 1

	packed []float32 // rows as packed columns; empty before Pack
}

// Prepare prepares a set, whose data must not change afterwards.
//
// It returns an error that wraps embed.ErrSet for an empty or malformed set, and ErrNotFinite with
// the node's number for NaN, infinities and values that are too large.
func Prepare(set *embed.Set) (*Prepared, error) { return new(Matcher).Prepare(set) }

// Pack prepares one side of the matrix product, a third of the work of a match: the support, or a
// query that is matched with many supports. If neither side is packed, the matcher packs one.
func (p *Prepared) Pack() { p.packed = p.pack(p.packed) }

// pack returns the rows as packed columns, in the memory of dst if it suffices.
func (p *Prepared) pack(dst []float32) []float32 {
	return kernel.Best().PackColumns(dst, p.rows, p.C(), p.N()+1, p.C())
}

// Reset prepares another set in the memory of p, not packed. It returns the same errors as Prepare;
// after an error, call Reset again before matching.
func (p *Prepared) Reset(set *embed.Set) error {
	if err := set.Check(); err != nil {
		return err
	}
	p.set, p.sizes, p.packed = set, nil, p.packed[:0]
	p.rows = slices.Grow(p.rows[:0], (set.N+1)*set.C)[:(set.N+1)*set.C]
	p.centers = slices.Grow(p.centers[:0], set.N)[:set.N]
	p.norms = slices.Grow(p.norms[:0], set.N)[:set.N]
	mean := p.Mean()
	clear(mean)
	share := 1 / float32(set.N)
	for i := range set.N {
		node, center := set.Node(i), 0.0
		if !p.Raw {
			center = sum(node) / float64(set.C)
		}
		squares := deviation(node, center)
		if !(squares+center*center*float64(set.C) < longest) {
			return notFinite(i, set.N)
		}
		p.centers[i], p.norms[i] = center, max(math.Sqrt(squares), MinNorm)
		standardize(p.unit(i), node, center, 1/p.norms[i])
		axpy(mean, share, node)
	}
	p.total = sum(mean)
	return nil
}

// unit returns the i-th unit node, [C].
func (p *Prepared) unit(i int) []float32 { return p.rows[i*p.set.C:][:p.set.C] }

// N returns the number of nodes.
func (p *Prepared) N() int { return p.set.N }

// C returns the number of channels.
func (p *Prepared) C() int { return p.set.C }

// Set returns the prepared set.
func (p *Prepared) Set() *embed.Set { return p.set }

// Mean returns the mean of the raw nodes, [C]. It must not be modified.
func (p *Prepared) Mean() []float32 { return p.unit(p.set.N) }

// Cosine returns the cosine of the two mean nodes, each centered by its mean over channels even if
// Raw: an estimate of the match for the price of one node. Both sets must have the same number of
// channels.
func (p *Prepared) Cosine(q *Prepared) float64 {
	inner := float64(dot(p.Mean(), q.Mean())) - p.total*q.total/float64(p.C())
	return inner / (p.extent() * q.extent())
}

// extent returns the norm of the centered mean node.
func (p *Prepared) extent() float64 {
	return max(math.Sqrt(deviation(p.Mean(), p.total/float64(p.C()))), MinNorm)
}

func notFinite(i, n int) error {
	return fmt.Errorf("node %d of %d: %w: the picture or the weights are damaged", i, n, ErrNotFinite)
}
