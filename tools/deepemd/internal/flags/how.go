package flags

import (
	"fmt"

	"github.com/deepemd/deepemd/core/method"
	"github.com/deepemd/deepemd/internal/arrays"
	"github.com/deepemd/deepemd/solver"
)

// How describes in results how pictures were embedded and matched.
type How struct {
	Network   string `json:"network"`
	Kernels   string `json:"kernels"`
	Size      int    `json:"size"`
	Resize    int    `json:"resize,omitempty"`
	Weighting string `json:"weighting"`
	Solver    string `json:"solver,omitempty"` // with its regularization; empty for the exact one
	arrays.Embedding
}

// How describes the encoder, with a method that Apply has checked.
func (e *Encoder) How(m method.Method) How {
	h := How{
		Network: e.Network.Meta().Name, Kernels: e.Kernels, Size: e.Preprocess.Size, Resize: e.Preprocess.Resize,
		Embedding: e.Embedding(),
	}
	h.Match(m)
	return h
}

// Match sets how a method that Apply has checked matches pictures.
func (h *How) Match(m method.Method) {
	matcher := Matcher(m)()
	h.Weighting = matcher.Weighting.String()
	switch s := matcher.Solver.(type) {
	case nil:
	case *solver.Sinkhorn:
		h.Solver = fmt.Sprintf("%s:%g", method.Sinkhorn, s.Strength)
	case *solver.Interior:
		h.Solver = fmt.Sprintf("%s:%g", method.Interior, s.Epsilon)
	default:
		h.Solver = m.Solver
	}
}

// Matching describes the matching in words.
func (h How) Matching() string {
	if h.Solver == "" {
		return h.Weighting + " weights"
	}
	return h.Weighting + " weights, flows by " + h.Solver
}
