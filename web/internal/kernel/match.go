package kernel

import "github.com/deepemd/deepemd/core/answer"

// Match explains the similarity of an image to a class by its match with the most similar example
// of the class.
type Match struct {
	*answer.Explanation
	Answer Answer
	// Seen and Example are the pixels of both, as seen by the network.
	Seen, Example Source
}

// Alike returns the similarity of the two images, 0 to 1: the weighted mean over the match.
func (m *Match) Alike() float64 { return max(0, m.Score/m.Temperature) }
