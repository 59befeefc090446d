// Package embed turns a picture into its set of local embeddings.
package embed

// Region is the part of the (preprocessed, square) input image that a node was
// computed from, in fractions of its side: 0 ≤ X0 < X1 ≤ 1, from the top left.
type Region struct{ X0, Y0, X1, Y1 float32 }

// Set is the set of local embeddings ("nodes") of one picture.
type Set struct {
	N, C    int
	Data    []float32 // [N, C], row-major
	Regions []Region  // [N]
}

// Node returns the i-th embedding, [C], sharing memory with the set.
func (s *Set) Node(i int) []float32 { return s.Data[i*s.C : (i+1)*s.C] }
