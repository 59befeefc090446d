package arrays

import (
	"fmt"
	"strings"

	"github.com/deepemd/deepemd/core/method"
)

// Embedding says in files and answers how pictures were embedded. The zero value is
// FCN without a pyramid.
type Embedding struct {
	Embedder  string  `json:"embedder,omitempty"`
	Pyramid   []int   `json:"pyramid,omitempty"`
	Grid      []int   `json:"grid,omitempty"`
	Ratio     float64 `json:"ratio,omitempty"`
	Patches   int     `json:"patches,omitempty"`
	PatchSeed uint64  `json:"patchSeed,omitempty"`
}

// EmbeddingOf describes an embedder.
func EmbeddingOf(e method.Embedder) Embedding {
	if e.Kind == method.FCN {
		e.Kind = ""
	}
	return Embedding{Embedder: e.Kind, Pyramid: e.Pyramid, Grid: e.Grid, Ratio: e.Ratio, Patches: e.Patches, PatchSeed: e.Seed}
}

// String says it for people.
func (e Embedding) String() string {
	switch {
	case e.Embedder == method.Grid:
		return fmt.Sprintf("grids %s of ratio %g", numbers(e.Grid), e.Ratio)
	case e.Embedder == method.Sampling:
		return fmt.Sprintf("%d random crops", e.Patches)
	case len(e.Pyramid) > 0:
		return "fcn with pyramid " + numbers(e.Pyramid)
	}
	return method.FCN
}

// numbers are numbers with commas between them.
func numbers(n []int) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(n), "[]"), " ", ",")
}
