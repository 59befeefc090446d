package embed

import (
	"errors"
	"fmt"

	"github.com/deepemd/deepemd/core/answer"
)

// ErrFlat reports a set without a node that varies over its channels. Such a picture has similarity
// zero to all pictures, even to itself.
var ErrFlat = errors.New("every node has the same value in all channels, as if all features were 0: do the weights belong to this network, and did it run?")

// ErrSet reports a Set with contradicting fields or without nodes.
var ErrSet = errors.New("embed: not a set of local embeddings")

// Region is the part of the preprocessed, square input image that a node comes from, in fractions
// of its side from the top left: 0 ≤ X0 < X1 ≤ 1.
type Region = answer.Region

// whole is the region of a complete picture.
var whole = Region{X1: 1, Y1: 1}

// Set holds the local embeddings ("nodes") of one picture.
type Set struct {
	N, C    int
	Data    []float32 // [N, C], row-major
	Regions []Region  // [N]
	// Summary is the network's global output for the picture, [C], or nil; see Summarizer. It is
	// not matched.
	Summary []float32
}

// Node returns the i-th embedding, [C], sharing memory with the set.
func (s *Set) Node(i int) []float32 { return s.Data[i*s.C : (i+1)*s.C] }

// Check returns an error that wraps ErrSet unless the set has at least one node of at least one
// channel, and slices of matching lengths. Regions may be nil. It does not check the values.
func (s *Set) Check() error {
	switch {
	case s == nil:
		return fmt.Errorf("%w: nil", ErrSet)
	case s.N < 1 || s.C < 1:
		return fmt.Errorf("%w: nodes × channels are %d×%d; embed the picture first", ErrSet, s.N, s.C)
	case len(s.Data)/s.C != s.N || len(s.Data)%s.C != 0:
		return fmt.Errorf("%w: %d values for nodes × channels, %d×%d", ErrSet, len(s.Data), s.N, s.C)
	case s.Summary != nil && len(s.Summary) != s.C:
		return fmt.Errorf("%w: a global descriptor of %d values for %d channels", ErrSet, len(s.Summary), s.C)
	case s.Regions != nil && len(s.Regions) != s.N:
		return fmt.Errorf("%w: regions: %d, nodes: %d", ErrSet, len(s.Regions), s.N)
	}
	return nil
}

// Flat reports whether no node varies over its channels. The set must be valid (see Check).
func (s *Set) Flat() bool {
	for i := range s.N {
		node := s.Node(i)
		for _, v := range node {
			if v != node[0] {
				return false
			}
		}
	}
	return true
}
