package embed_test

import (
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/imaging"
)

// Invalid settings are rejected.
func TestEmbedChecks(t *testing.T) {
	pre := imaging.Preprocess{Size: 32, Std: plain}
	for want, e := range map[string]embed.Embedder{
		"no grid":          embed.Grid{Ratio: 2},
		"ratio 0":          embed.Grid{Levels: []int{2}},
		"0 patches":        embed.Sampling{},
		"pyramid level -2": embed.FCN{Pyramid: []int{-2}},
	} {
		if _, err := e.Embed(&tiles{stride: 16}, pre, gradient(32, 0)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: error %v, want one that says %q", e, err, want)
		}
		if _, err := (embed.Grid{Levels: []int{2}, Ratio: 2}).Embed(&tiles{stride: 16}, pre, nil); err == nil {
			t.Error("no error for no image")
		}
	}
}
