package vit

const (
	// Epsilon is added to the variances of all layer normalisations.
	Epsilon = epsilon
	// MaxPatches is the most that a picture may have.
	MaxPatches = maxPatches
)

// Start returns what the tokens of a picture of h×w patches begin with, beside what its
// patches say: the tokens before those of the patches, [n, C], with their positions, and
// the embeddings of the patches' places, [h·w, C], valid until the next call.
func (n *Network) Start(h, w int) (before, places []float32) {
	return n.before, n.positions.of(h, w)
}
