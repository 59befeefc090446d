package kernel

import "github.com/deepemd/deepemd/core/answer"

// Match explains how similar a picture is to a class: it shows how the picture matches
// the most similar example of the class.
type Match struct {
	*answer.Explanation
	// Answer says what the picture was taken for.
	Answer Answer
	// Seen and Example are the pixels of both, as the network saw them.
	Seen, Example Source
}

// Alike is how alike the two pictures are, 0 to 1: the similarity of what was
// matched, averaged by its weight.
func (m *Match) Alike() float64 { return max(0, m.Score/m.Temperature) }
