package embed_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/deepemd/deepemd/core/embed"
	"github.com/deepemd/deepemd/core/imaging"
)

func TestChoice(t *testing.T) {
	for _, test := range []struct {
		choice embed.Choice
		want   embed.Embedder
	}{
		{embed.Choice{}, embed.FCN{}},
		{embed.Choice{Kind: "fcn", Pyramid: []int{2, 1}}, embed.FCN{Pyramid: []int{2, 1}}},
		{embed.Choice{Kind: "grid"}, embed.Grid{Levels: []int{2, 3}, Ratio: 2}},
		{embed.Choice{Kind: "grid", Grid: []int{5}, Ratio: 1.5}, embed.Grid{Levels: []int{5}, Ratio: 1.5}},
		{embed.Choice{Kind: "sampling"}, embed.Sampling{Patches: 9}},
		{embed.Choice{Kind: "sampling", Patches: 25, Seed: 4}, embed.Sampling{Patches: 25, Seed: 4}},
	} {
		if got, err := test.choice.Embedder(); err != nil || !reflect.DeepEqual(got, test.want) {
			t.Errorf("%+v: %+v, %v; want %+v", test.choice, got, err, test.want)
		}
	}
	for want, choice := range map[string]embed.Choice{
		`no embedder "x": want fcn`:                                 {Kind: "x"},
		"a pyramid goes with the embedder fcn, not with grid":       {Kind: "grid", Pyramid: []int{2}},
		"a grid goes with the embedder grid, not with fcn":          {Grid: []int{2}},
		"a ratio goes with the embedder grid":                       {Kind: "sampling", Ratio: 2},
		"a number of patches goes with the embedder sampling":       {Kind: "fcn", Patches: 2},
		"a seed of patches goes with the embedder sampling":         {Kind: "grid", Seed: 2},
		"grid of -1×-1 cells":                                       {Kind: "grid", Grid: []int{2, -1}},
		"have 2048 cells, each a pass through the network":          {Kind: "grid", Grid: []int{32, 32}},
		"ratio -2 of crop to cell":                                  {Kind: "grid", Ratio: -2},
		"-3 patches of a picture, each a pass through the network:": {Kind: "sampling", Patches: -3},
	} {
		if e, err := choice.Embedder(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, error %v, want one that says %q", choice, e, err, want)
		}
	}
}

// Embedding refuses settings that no Choice would give.
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
